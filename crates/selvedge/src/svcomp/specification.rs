//! Property files: lines `CHECK( init(main()), LTL(G ! call(reach_error())) )`, each of which is to hold.

use super::{Unusable, read};
use selvedge_program::{Diagnostic, FileId, Property, Sources, Span, Undefined};
use std::collections::BTreeSet;
use std::path::Path;

/// What one line demands of every execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// This function is never called.
    UnreachCall(String),
    /// No data race.
    NoDataRace,
    /// Never are there live threads none of which can move.
    NoDeadlock,
    /// No signed arithmetic overflows.
    NoOverflow,
    /// All pointers that are dereferenced are valid.
    ValidDeref,
    /// All that is freed may be freed.
    ValidFree,
    /// All that is allocated can be reached, or was freed.
    ValidMemtrack,
    /// All that is allocated is freed before the program ends.
    ValidMemcleanup,
}

/// The formulas without blanks, but for calls, which name a function.
const FORMULAS: &[(&str, Goal)] = &[
    ("G!data-race", Goal::NoDataRace),
    ("G!deadlock", Goal::NoDeadlock),
    ("G!overflow", Goal::NoOverflow),
    ("Gvalid-deref", Goal::ValidDeref),
    ("Gvalid-free", Goal::ValidFree),
    ("Gvalid-memtrack", Goal::ValidMemtrack),
    ("Gvalid-memcleanup", Goal::ValidMemcleanup),
];

impl Goal {
    /// What the competition calls its violation, as in `false(unreach-call)`.
    pub fn name(&self) -> &'static str {
        match self {
            Goal::UnreachCall(_) => "unreach-call",
            Goal::NoDataRace => "no-data-race",
            Goal::NoDeadlock => "no-deadlock",
            Goal::NoOverflow => "no-overflow",
            Goal::ValidDeref => "valid-deref",
            Goal::ValidFree => "valid-free",
            Goal::ValidMemtrack => "valid-memtrack",
            Goal::ValidMemcleanup => "valid-memcleanup",
        }
    }

    /// The property of ours that speaks of it.
    pub fn property(&self) -> Property {
        match self {
            Goal::UnreachCall(_) => Property::Assertion,
            Goal::NoDataRace => Property::Race,
            Goal::NoDeadlock => Property::Deadlock,
            Goal::NoOverflow => Property::Overflow,
            Goal::ValidDeref | Goal::ValidFree | Goal::ValidMemtrack | Goal::ValidMemcleanup => Property::Memory,
        }
    }

    /// Whether something undefined is a violation of it. Much that C leaves undefined is none of a valid dereference: a
    /// step out of a member of a struct into the next, an address that is not aligned, a division by zero.
    pub fn is_violated_by(&self, undefined: Undefined) -> bool {
        match self {
            Goal::NoOverflow => undefined == Undefined::SignedOverflow,
            Goal::ValidDeref => matches!(
                undefined,
                Undefined::NullDereference
                    | Undefined::InvalidPointer
                    | Undefined::OutOfBounds
                    | Undefined::UseAfterFree
                    | Undefined::UseAfterReturn
            ),
            Goal::ValidFree => matches!(undefined, Undefined::DoubleFree | Undefined::InvalidFree),
            Goal::UnreachCall(_)
            | Goal::NoDataRace
            | Goal::NoDeadlock
            | Goal::ValidMemtrack
            | Goal::ValidMemcleanup => false,
        }
    }

    /// A formula of the competition's logic.
    fn of(formula: &str) -> Result<Goal, String> {
        let plain: String = formula.chars().filter(|c| !c.is_whitespace()).collect();
        if let Some((_, goal)) = FORMULAS.iter().find(|(known, _)| *known == plain) {
            return Ok(goal.clone());
        }
        if let Some(function) = plain.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())")) {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if !function.is_empty() && function.chars().all(is_name) {
                return Ok(Goal::UnreachCall(function.to_owned()));
            }
        }
        Err(match plain.as_str() {
            "Fend" => "whether programs end is not checked".to_owned(),
            _ => format!("the property `{formula}` is not known"),
        })
    }
}

/// What is asked of a program: all that the lines of a property file demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The lines, as they stand in the file.
    pub lines: Vec<String>,
    /// What each of them demands.
    pub goals: Vec<Goal>,
}

impl Specification {
    /// Reads a property file.
    ///
    /// # Errors
    /// When it is no property file, or demands what Selvedge does not check.
    pub fn load(path: &Path) -> Result<Specification, Unusable> {
        Specification::parse(&path.to_string_lossy(), &read(path)?)
    }

    /// The same of a text.
    ///
    /// # Errors
    /// As [`Specification::load`].
    pub fn parse(name: &str, text: &str) -> Result<Specification, Unusable> {
        let mut sources = Sources::default();
        let file = sources.file(name);
        let mut specification = Specification { lines: Vec::new(), goals: Vec::new() };
        let mut diagnostics = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            if line.trim().is_empty() {
                continue;
            }
            match goal(line, file, number) {
                Ok(goal) => {
                    specification.lines.push(line.trim().to_owned());
                    specification.goals.push(goal);
                }
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        if specification.goals.is_empty() && diagnostics.is_empty() {
            let message = format!("{name}: there is no property in it");
            diagnostics.push(Diagnostic::error(Span::NOWHERE, message));
        }
        if diagnostics.is_empty() { Ok(specification) } else { Err(Unusable { diagnostics, sources }) }
    }

    /// The properties of ours that are to be checked, in our order.
    pub fn properties(&self) -> Vec<Property> {
        let asked: BTreeSet<Property> = self.goals.iter().map(Goal::property).collect();
        asked.into_iter().collect()
    }

    /// The functions that must not be called.
    pub fn error_functions(&self) -> BTreeSet<String> {
        let name = |goal: &Goal| match goal {
            Goal::UnreachCall(function) => Some(function.clone()),
            _ => None,
        };
        self.goals.iter().filter_map(name).collect()
    }
}

/// What a line demands.
fn goal(line: &str, file: FileId, number: u32) -> Result<Goal, Diagnostic> {
    let at = |from: usize, to: usize| Span::on_line(file, number, from as u32 + 1, (to - from).max(1) as u32);
    let start = line.len() - line.trim_start().len();
    let end = line.trim_end().len();
    let not_a_check = |message: &str| {
        let form = "a line looks like this: CHECK( init(main()), LTL(G ! call(reach_error())) )";
        Diagnostic::error(at(start, end), message).with_note(Span::NOWHERE, form)
    };
    if line[start..].starts_with("COVER") {
        return Err(Diagnostic::error(at(start, start + 5), "tests that cover a program are not generated"));
    }
    let (Some(head), Some(tail)) = (line.find("LTL("), line[..end].strip_suffix(')').map(str::trim_end)) else {
        return Err(not_a_check("expected CHECK( init(main()), LTL(...) )"));
    };
    let Some(tail) = tail.strip_suffix(')').map(str::len).filter(|tail| *tail >= head + 4) else {
        return Err(not_a_check("expected CHECK( init(main()), LTL(...) )"));
    };
    let before: String = line[..head].chars().filter(|c| !c.is_whitespace()).collect();
    match before.strip_prefix("CHECK(init(").and_then(|rest| rest.strip_suffix("()),")) {
        Some("main") => {}
        Some(other) => return Err(not_a_check(&format!("programs begin with `main`, not with `{other}`"))),
        None => return Err(not_a_check("expected CHECK( init(main()), LTL(...) )")),
    }
    let formula = &line[head + 4..tail];
    let from = head + 4 + formula.len() - formula.trim_start().len();
    Goal::of(formula.trim()).map_err(|message| {
        let known = "G ! call(f()), G ! data-race, G ! deadlock, G ! overflow, G valid-deref, G valid-free, \
                     G valid-memtrack and G valid-memcleanup are";
        Diagnostic::error(at(from, head + 4 + formula.trim_end().len()), message).with_note(Span::NOWHERE, known)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goals(text: &str) -> Result<Vec<&'static str>, Vec<(u32, u32, String)>> {
        let of = |error: &Diagnostic| (error.span.line, error.span.column, error.message.clone());
        match Specification::parse("x.prp", text) {
            Ok(specification) => Ok(specification.goals.iter().map(Goal::name).collect()),
            Err(unusable) => Err(unusable.diagnostics.iter().map(of).collect()),
        }
    }

    #[test]
    fn the_competitions_property_files_are_understood() {
        let check = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )\n");
        let memory = ["G valid-free", "G valid-deref", "G valid-memtrack"].map(check).concat();
        assert_eq!(goals(&memory), Ok(vec!["valid-free", "valid-deref", "valid-memtrack"]));
        for (formula, name) in [
            ("G ! call(reach_error())", "unreach-call"),
            ("G ! call( __VERIFIER_error() )", "unreach-call"),
            ("G ! data-race", "no-data-race"),
            ("G ! deadlock", "no-deadlock"),
            ("G ! overflow", "no-overflow"),
            ("G valid-memcleanup", "valid-memcleanup"),
        ] {
            assert_eq!(goals(&check(formula)), Ok(vec![name]), "{formula}");
        }
        assert_eq!(goals("  CHECK(init(main()),LTL(G!data-race))  \n\n"), Ok(vec!["no-data-race"]));
    }

    #[test]
    fn what_is_not_understood_is_an_error_at_its_place() {
        let error = |line, column, message: &str| Err(vec![(line, column, message.to_owned())]);
        assert_eq!(goals("\nCHECK( init(main()), LTL(F end) )"), error(2, 26, "whether programs end is not checked"));
        let unknown = "the property `G ! goto(x)` is not known";
        assert_eq!(goals("CHECK( init(main()), LTL(G ! goto(x)) )"), error(1, 26, unknown));
        let form = "expected CHECK( init(main()), LTL(...) )";
        for text in ["int x;", "CHECK( init(main()), LTL( )", "CHECK( LTL(G ! deadlock) )", ")", "LTL()"] {
            assert_eq!(goals(text), error(1, 1, form), "{text}");
        }
        let main = "programs begin with `main`, not with `start`";
        assert_eq!(goals("CHECK( init(start()), LTL(G ! deadlock) )"), error(1, 1, main));
        assert_eq!(goals(" \n"), error(0, 0, "x.prp: there is no property in it"));
        let cover = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";
        assert_eq!(goals(cover), error(1, 1, "tests that cover a program are not generated"));
    }
}
