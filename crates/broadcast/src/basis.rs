//! Upward-closed sets of configurations, by their minimal elements: an antichain for each phase.

use rustc_hash::FxHashMap;

use crate::configuration::Configuration;
use crate::pairs::Phase;

/// All configurations in a phase that have at least these threads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minimal {
    /// Whether a thread is inside an atomic section, be it among these or not.
    pub is_inside: bool,
    /// The shared variables and the threads.
    pub least: Configuration,
}

impl Minimal {
    /// Its phase.
    pub fn phase(&self) -> Phase {
        Phase { shared: self.least.shared, is_inside: self.is_inside }
    }
}

/// Minimal elements by number, none of which covers another.
#[derive(Debug, Default)]
pub struct Basis {
    elements: FxHashMap<Phase, Vec<Element>>,
}

#[derive(Debug)]
struct Element {
    /// A bit for each local state, several to a bit: one element covers another only if it has all bits of that.
    signature: u64,
    least: Configuration,
    number: usize,
}

fn signature(least: &Configuration) -> u64 {
    let mut found = 0;
    for (local, _) in &least.threads {
        let mixed = local.values ^ u64::from(local.pc.0) << 20 ^ u64::from(local.template.0) << 44;
        found |= 1 << (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58);
    }
    found
}

impl Basis {
    /// Adds an element under a number, unless it is covered. What it covers is taken out and told.
    pub fn insert(&mut self, minimal: &Minimal, number: usize, removed: &mut dyn FnMut(usize)) -> bool {
        let elements = self.elements.entry(minimal.phase()).or_default();
        let signature = signature(&minimal.least);
        let is_covered =
            elements.iter().any(|known| known.signature & !signature == 0 && minimal.least.covers(&known.least));
        if is_covered {
            return false;
        }
        elements.retain(|known| {
            let is_kept = signature & !known.signature != 0 || !known.least.covers(&minimal.least);
            if !is_kept {
                removed(known.number);
            }
            is_kept
        });
        elements.push(Element { signature, least: minimal.least.clone(), number });
        true
    }

    /// The elements, in a fixed order.
    pub fn into_elements(self) -> Vec<Minimal> {
        let mut found: Vec<Minimal> = Vec::new();
        for (phase, elements) in self.elements {
            found.extend(elements.into_iter().map(|known| Minimal { is_inside: phase.is_inside, least: known.least }));
        }
        found.sort_unstable();
        found
    }
}
