//! Errors, and all configurations that may lead into an error or into another configuration by one step.

use selvedge_abstraction::Stop;
use selvedge_evidence::symmetric::configuration::{Bad, Configuration};
use selvedge_evidence::symmetric::moves::{At, Move, StepKey};
use selvedge_evidence::symmetric::stage::MOST_PASSIVE;
use selvedge_logic::Term;
use selvedge_symbolic::threads::Who;

use crate::tracked::{Found, Reason, Tracked};

/// With more threads than this in a configuration, or more configurations, it is given up.
pub const MOST_THREADS: usize = 6;
pub const MOST_CONFIGURATIONS: usize = 20_000;
const _: () = assert!(MOST_THREADS < MOST_PASSIVE as usize);

/// An error: what threads are about to do, and when it is one.
#[derive(Clone, Debug)]
pub struct Target {
    pub there: Vec<(Who, At)>,
    pub conditions: Vec<Term>,
    /// What each of them is about to do.
    pub steps: Vec<StepKey>,
}

/// How a configuration leads to the error.
#[derive(Clone, Debug)]
pub enum Origin {
    /// It is this one.
    Target(usize),
    /// By a move into another configuration; its threads are those that are there before the move, in this order.
    Move { to: usize, by: Move },
}

/// A configuration that may lead to an error.
#[derive(Clone, Debug)]
pub struct Reached {
    pub configuration: Configuration,
    pub origin: Origin,
    /// For each of its threads, which it is of those that are there before the move or at the error.
    pub order: Vec<usize>,
}

/// A search under way.
#[derive(Debug)]
pub struct Search<'t, 'p, 'b> {
    on: &'t mut Tracked<'p, 'b>,
    pub reached: Vec<Reached>,
    /// The same, but for those that another one contains.
    pub bad: Bad,
}

/// Whether a search is to stop.
#[derive(Debug)]
pub enum Step {
    On,
    Began(usize),
    TooMany,
}

impl<'t, 'p, 'b> Search<'t, 'p, 'b> {
    pub fn new(on: &'t mut Tracked<'p, 'b>) -> Self {
        Search { on, reached: Vec::new(), bad: Bad::default() }
    }

    /// What is in an error.
    ///
    /// # Errors
    /// If there is no time, or what is allowed is spent.
    pub fn end(&mut self, number: usize, target: &Target) -> Result<Step, Stop> {
        let reason = Reason::Ends(&target.steps);
        self.all(target.conditions.clone(), &target.there, &reason, &Origin::Target(number))
    }

    /// What leads into a configuration by a move.
    ///
    /// # Errors
    /// If there is no time, or what is allowed is spent.
    pub fn back(&mut self, number: usize, by: Move) -> Result<Step, Stop> {
        let configuration = self.reached[number].configuration.clone();
        if self.on.stage.is_indifferent(&configuration, &by) {
            return Ok(Step::On);
        }
        let places = configuration.places();
        let there = by.before(&places);
        let conditions = self.on.stage.leads(&configuration, &by);
        if there.len() > MOST_THREADS {
            return Ok(Step::TooMany);
        }
        self.all(conditions, &there, &Reason::Leads(&configuration, &by), &Origin::Move { to: number, by })
    }

    /// Everything that satisfies conditions and is not known yet.
    fn all(
        &mut self,
        needed: Vec<Term>,
        there: &[(Who, At)],
        reason: &Reason<'_>,
        origin: &Origin,
    ) -> Result<Step, Stop> {
        let by = match origin {
            Origin::Move { by, .. } => Some(by),
            Origin::Target(_) => None,
        };
        let different = self.on.stage.certain(there, by, &needed);
        let mut conditions = needed.clone();
        conditions.extend(&different);
        while self.on.can_hold(reason.step(), &conditions)? {
            let model = self.on.model()?;
            let holds = match self.bad.find(&mut self.on.stage, &model.model, there)? {
                Some(holds) => holds,
                None => {
                    let found = self.on.found((&needed, &different), there, &model, reason)?;
                    let holds = self.on.stage.is_in(&found.configuration, &found.order, there);
                    match self.reach(found, origin.clone())? {
                        Step::On => {}
                        stop => return Ok(stop),
                    }
                    holds
                }
            };
            let all = self.on.stage.view.builder.terms.all(&holds);
            conditions.push(self.on.stage.view.builder.not(all));
        }
        Ok(Step::On)
    }

    fn reach(&mut self, found: Found, origin: Origin) -> Result<Step, Stop> {
        let Found { configuration, order, .. } = found;
        let covered: Vec<usize> =
            self.bad.iter().filter(|(_, known)| contains(&configuration, known)).map(|(number, _)| number).collect();
        for number in covered {
            self.bad.remove(number);
        }
        let number = self.bad.push(configuration.clone());
        debug_assert_eq!(number, self.reached.len());
        self.reached.push(Reached { configuration: configuration.clone(), origin, order });
        if let Some(first) = self.on.stage.is_first(&configuration)
            && self.on.can_hold(None, &first)?
        {
            return Ok(Step::Began(number));
        }
        Ok(if self.reached.len() > MOST_CONFIGURATIONS { Step::TooMany } else { Step::On })
    }
}

/// Whether a configuration says no more than another one, of threads that are in it.
pub fn contains(general: &Configuration, special: &Configuration) -> bool {
    let is_part = |part: &[(u32, bool)], whole: &[(u32, bool)]| part.iter().all(|literal| whole.contains(literal));
    general.threads.len() <= special.threads.len()
        && is_part(&general.shared, &special.shared)
        && general.among(&special.places()).iter().any(|way| {
            let mut pairs = general.threads.iter().zip(way);
            pairs.all(|(member, place)| is_part(&member.literals, &special.threads[*place].literals))
        })
}
