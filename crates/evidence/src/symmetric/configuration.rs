//! Configurations with every predicate known by a number.

use rustc_hash::FxHashMap;
use selvedge_logic::{Error, Model, Term};
use selvedge_symbolic::threads::{NodeId, Who};

use super::count::Fewer;
use super::moves::At;
use super::stage::Stage;
use super::{BadConfiguration, BadThread};

/// The number of a predicate, and whether it holds.
pub type Literal = (u32, bool);

/// A thread of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    pub at: At,
    /// In the order of their numbers.
    pub literals: Vec<Literal>,
}

/// What holds of the shared cells and of some threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    pub shared: Vec<Literal>,
    pub threads: Vec<Member>,
}

impl Configuration {
    /// Where its threads are.
    pub fn places(&self) -> Vec<At> {
        self.threads.iter().map(|member| member.at).collect()
    }

    /// Reads one of a proof; `None` if it speaks of something that is not there.
    pub fn read(stage: &mut Stage<'_>, bad: &BadConfiguration) -> Option<Configuration> {
        let mut literals = |stated: &[(selvedge_symbolic::Predicate, bool)], is_shared: bool| {
            let mut known = Vec::with_capacity(stated.len());
            for (predicate, truth) in stated {
                let number = stage.number(predicate)?;
                if is_shared && !stage.is_shared(number) {
                    return None;
                }
                known.push((number, *truth));
            }
            known.sort_unstable();
            Some(known)
        };
        let mut shared = literals(&bad.shared, true)?;
        let mut threads = Vec::with_capacity(bad.threads.len());
        for thread in &bad.threads {
            threads.push((thread.entry, thread.place, literals(&thread.literals, false)?));
        }
        let threads = threads.into_iter().map(|(entry, place, literals)| {
            let template = stage.view.universe.template_of(entry)?;
            let is_there = (place as usize) < stage.view.universe.unfolded(template).nodes.len();
            is_there.then_some(Member { at: (template, NodeId(place)), literals })
        });
        let threads: Option<Vec<Member>> = threads.collect();
        for (fewer, truth) in &bad.counts {
            shared.push((stage.number_of_fewer(fewer)?, *truth));
        }
        shared.sort_unstable();
        Some(Configuration { shared, threads: threads? })
    }

    /// As a part of a proof.
    pub fn written(&self, stage: &Stage<'_>) -> BadConfiguration {
        let literals = |literals: &[Literal]| {
            let stated =
                literals.iter().filter_map(|(number, truth)| Some((stage.predicate(*number)?.clone(), *truth)));
            stated.collect()
        };
        let counts = self.shared.iter().filter_map(|(number, truth)| {
            let (group, than) = stage.fewer(*number)?;
            Some((Fewer { than, group: group.clone() }, *truth))
        });
        let threads = self.threads.iter().map(|member| BadThread {
            entry: stage.map.entry(member.at.0),
            place: member.at.1.0,
            literals: literals(&member.literals),
        });
        BadConfiguration { shared: literals(&self.shared), counts: counts.collect(), threads: threads.collect() }
    }

    /// The ways in which its threads can be among others that are there: for each of its threads, which one it is.
    pub fn among(&self, places: &[At]) -> Vec<Vec<usize>> {
        let is_there = |member: &Member| places.contains(&member.at);
        if self.threads.len() > places.len() || !self.threads.iter().all(is_there) {
            return Vec::new();
        }
        let mut ways = vec![Vec::new()];
        for member in &self.threads {
            let mut longer = Vec::new();
            for way in ways {
                for (place, at) in places.iter().enumerate() {
                    if *at == member.at && !way.contains(&place) {
                        let mut way = way.clone();
                        way.push(place);
                        longer.push(way);
                    }
                }
            }
            ways = longer;
        }
        ways
    }
}

/// A set of configurations.
#[derive(Debug, Default)]
pub struct Bad {
    all: Vec<Option<Configuration>>,
    /// By where their first threads are.
    by_place: FxHashMap<Option<At>, Vec<usize>>,
}

impl Bad {
    /// One more, and its number.
    pub fn push(&mut self, configuration: Configuration) -> usize {
        let number = self.all.len();
        self.by_place.entry(configuration.threads.first().map(|member| member.at)).or_default().push(number);
        self.all.push(Some(configuration));
        number
    }

    /// One less; the numbers of the others stay.
    pub fn remove(&mut self, number: usize) {
        self.all[number] = None;
    }

    /// The one with a number, unless it was removed.
    pub fn get(&self, number: usize) -> Option<&Configuration> {
        self.all[number].as_ref()
    }

    /// All that are there, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Configuration)> {
        self.all.iter().enumerate().filter_map(|(number, configuration)| Some((number, configuration.as_ref()?)))
    }

    /// One that holds of threads that are there, as an assignment has it: that it does.
    ///
    /// # Errors
    /// Only for mistakes of ours.
    pub fn find(&self, stage: &mut Stage<'_>, model: &Model, there: &[(Who, At)]) -> Result<Option<Vec<Term>>, Error> {
        let places: Vec<At> = there.iter().map(|(_, at)| *at).collect();
        let mut first: Vec<Option<At>> = places.iter().copied().map(Some).collect();
        first.push(None);
        first.sort_unstable();
        first.dedup();
        for number in first.iter().filter_map(|at| self.by_place.get(at)).flatten() {
            let Some(configuration) = &self.all[*number] else { continue };
            for way in configuration.among(&places) {
                let holds = stage.is_in(configuration, &way, there);
                let mut is_in = true;
                for literal in &holds {
                    is_in = is_in && model.satisfies(&stage.view.builder.terms, *literal)?;
                }
                if is_in {
                    return Ok(Some(holds));
                }
            }
        }
        Ok(None)
    }
}
