//! The engines by name: one line each in a table, from which all else follows.

use crate::CheckOptions;
use selvedge_evidence::Engine;
use {
    selvedge_cartesian as cartesian, selvedge_explicit as explicit, selvedge_interference as interference,
    selvedge_modular as modular, selvedge_sampling as sampling, selvedge_symmetric as symmetric,
};

/// An engine's name, what it does, and the engine itself with what it takes from the options.
type Registered = (&'static str, &'static str, fn(&CheckOptions) -> Box<dyn Engine>);

/// In the order of preference: where two have evidence for the same check, the first one's is shown.
const ENGINES: &[Registered] = &[
    (explicit::NAME, explicit::ABOUT, |asked| explicit::engine(&asked.task)),
    (interference::NAME, interference::ABOUT, |asked| interference::engine(&asked.task, asked.mode)),
    (cartesian::NAME, cartesian::ABOUT, |asked| cartesian::engine(&asked.task, &asked.exception_sets)),
    (modular::NAME, modular::ABOUT, |asked| modular::engine(&asked.task, (asked.environment, asked.weakening))),
    (symmetric::NAME, symmetric::ABOUT, |asked| symmetric::engine(&asked.task)),
    (sampling::NAME, sampling::ABOUT, |asked| sampling::engine(&asked.task)),
];

/// An engine that can be asked for; the preferred ones come first in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EngineName(usize);

impl EngineName {
    /// All of them.
    pub fn all() -> impl Iterator<Item = EngineName> {
        (0..ENGINES.len()).map(EngineName)
    }

    /// The one with this name.
    pub fn of(name: &str) -> Option<EngineName> {
        EngineName::all().find(|engine| engine.name() == name)
    }

    /// Its name, on the command line and in reports.
    pub fn name(self) -> &'static str {
        ENGINES[self.0].0
    }

    /// What it does, in a line.
    pub fn about(self) -> &'static str {
        ENGINES[self.0].1
    }

    /// The engine, with what it takes from the options.
    pub fn with(self, options: &CheckOptions) -> Box<dyn Engine> {
        (ENGINES[self.0].2)(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_go_by_the_names_of_the_table() {
        for name in EngineName::all() {
            assert_eq!(name.with(&CheckOptions::default()).name(), name.name());
            assert_eq!(EngineName::of(name.name()), Some(name));
        }
        assert_eq!(EngineName::of("none"), None);
    }
}
