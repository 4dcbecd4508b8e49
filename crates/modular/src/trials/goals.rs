//! Where trials are to get: what alarms are about, and before there are any, what facts do not exclude.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_analysis::conflicts::Found;
use selvedge_analysis::locks::Guard;
use selvedge_analysis::{AccessSite, Facts};
use selvedge_evidence::Subject;
use selvedge_program::{Action, CodeLocation, Exhausted, FunctionId};
use selvedge_symbolic::threads::{NodeId, Universe};

use crate::ground::{Ground, distances};
use crate::space::{Alarm, Problem, Space};

/// Towards how many places or pairs of places it is tried to get for one check.
pub const MOST_GOALS: usize = 8;

/// Where a thread of a template is to get to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub template: usize,
    pub node: NodeId,
    /// How many steps it is at least from each place of the template.
    pub left: Vec<u32>,
}

/// Where threads are to get to at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub ends: Vec<End>,
}

/// What is to be tried for a subject.
pub type Wanted = (Subject, Vec<Rc<Goal>>);

impl Goal {
    fn new(universe: &Universe<'_>, places: Vec<(usize, NodeId)>) -> Goal {
        let end = |(template, node): (usize, NodeId)| {
            let left = distances(universe.unfolded(template), node);
            End { template, node, left }
        };
        Goal { ends: places.into_iter().map(end).collect() }
    }

    /// How long a run should be at least: longer, the farther it is to where the threads are to get.
    pub fn least_length(&self) -> u64 {
        let nearest = self.ends.iter().filter_map(|end| end.left.first()).filter(|left| **left < u32::MAX);
        nearest.map(|left| 4 * u64::from(*left)).sum::<u64>() + 64
    }

    /// Adds what an alarm is about, unless that is among some goals already or these are enough.
    pub fn add(goals: &mut Vec<Rc<Goal>>, space: &Space<'_, '_, '_>, alarm: &Alarm) {
        let states = match &alarm.problem {
            Problem::Race(_, other, _) => vec![alarm.state, *other],
            Problem::Violation(_) | Problem::Trouble(_) => vec![alarm.state],
        };
        let places = states.into_iter().map(|state| (space.state(state).template, space.state(state).node));
        let places: Vec<(usize, NodeId)> = places.collect();
        let is_known =
            |goal: &Rc<Goal>| goal.ends.iter().map(|end| (end.template, end.node)).eq(places.iter().copied());
        if goals.len() < MOST_GOALS && !goals.iter().any(is_known) {
            goals.push(Rc::new(Goal::new(&space.on.view.universe, places)));
        }
    }

    /// What facts do not exclude: by assertion, its places; by object, pairs of accesses in conflict that no lock keeps
    /// apart.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn before_alarms(
        facts: &Facts,
        universe: &Universe<'_>,
        ground: &Ground,
        is_wanted: &dyn Fn(Subject) -> bool,
    ) -> Result<Vec<Wanted>, Exhausted> {
        let places = Places::of(universe, ground);
        let goal = |places: Vec<(usize, NodeId)>| Rc::new(Goal::new(universe, places));
        let mut found = Vec::new();
        for (object, conflicts) in &facts.conflicts()?.of_object {
            if !is_wanted(Subject::Race(*object)) {
                continue;
            }
            let Found::Pairs(pairs) = conflicts else { continue };
            let mut goals = Vec::new();
            for (first, second) in pairs {
                let is_enough = goals.len() >= MOST_GOALS;
                if is_enough || !guards(facts, first)?.is_disjoint(&guards(facts, second)?) {
                    continue;
                }
                // The first thread is one.
                let met = places.pairs(facts, first, second).filter(|pair| pair.iter().any(|(of, _)| *of != 0));
                goals.extend(met.take(MOST_GOALS - goals.len()).map(|pair| goal(pair.to_vec())));
            }
            found.push((Subject::Race(*object), goals));
        }
        for (index, function) in facts.program().functions.iter().enumerate() {
            for edge in &function.edges {
                if let Action::Assert { check, .. } = edge.action
                    && is_wanted(Subject::Assertion(check))
                {
                    let at = CodeLocation { function: FunctionId::new(index), location: edge.source };
                    let at = places.at(at).iter().take(MOST_GOALS);
                    found.push((Subject::Assertion(check), at.map(|place| goal(vec![*place])).collect()));
                }
            }
        }
        found.retain(|(_, goals): &Wanted| !goals.is_empty());
        Ok(found)
    }
}

/// The locks that guard an access.
fn guards(facts: &Facts, site: &AccessSite) -> Result<BTreeSet<Guard>, Exhausted> {
    let locksets = facts.locksets()?;
    let edge = facts.program().function(site.function).edge(site.edge);
    let at = CodeLocation { function: site.function, location: edge.source };
    let touches = edge.action.touches();
    Ok(touches.iter().flat_map(|touch| locksets.guards(at, touch)).map(|(guard, _)| guard).collect())
}

/// For every location of the program, the place of each template that is there, the nearest to where it begins.
struct Places(FxHashMap<CodeLocation, Vec<(usize, NodeId)>>);

impl Places {
    fn of(universe: &Universe<'_>, ground: &Ground) -> Places {
        let mut places: FxHashMap<CodeLocation, Vec<(usize, NodeId)>> = FxHashMap::default();
        for (template, (_, unfolded)) in universe.templates.iter().enumerate() {
            let depth = |node: NodeId| ground.depths[template][node.0 as usize];
            for (index, node) in unfolded.nodes.iter().enumerate() {
                let here = NodeId(index as u32);
                let at = CodeLocation { function: node.function, location: node.location };
                let known = places.entry(at).or_default();
                match known.last_mut().filter(|(of, _)| *of == template) {
                    Some((_, nearest)) if depth(here) < depth(*nearest) => *nearest = here,
                    Some(_) => {}
                    None => known.push((template, here)),
                }
            }
        }
        Places(places)
    }

    fn at(&self, location: CodeLocation) -> &[(usize, NodeId)] {
        self.0.get(&location).map_or(&[], Vec::as_slice)
    }

    /// Where two threads are that are about to make two accesses.
    fn pairs(
        &self,
        facts: &Facts,
        first: &AccessSite,
        second: &AccessSite,
    ) -> impl Iterator<Item = [(usize, NodeId); 2]> {
        let at = |site: &AccessSite| {
            let location = facts.program().function(site.function).edge(site.edge).source;
            self.at(CodeLocation { function: site.function, location })
        };
        let (first, second) = (at(first), at(second));
        first.iter().flat_map(move |one| second.iter().map(move |other| [*one, *other]))
    }
}
