//! Walking one thread through its unrolling, place by place, in an order in which branches come before their joins.

use std::rc::Rc;

use selvedge_evidence::{Gap, Subject};
use selvedge_logic::{Sort, Term};
use selvedge_program::{Action, Budget, Edge, EdgeId, Exhausted, LocationId};
use selvedge_symbolic::{Builder, Trouble};

use super::Unroller;
use super::claims::Claim;
use super::guide::Guide;
use super::origin::initial;
use super::path::{Arc, Choice, Failure, Node, NodeId};
use super::round::{Round, Start};
use super::state::{Activation, Exits, Section, State, Turn};
use crate::skeleton::{EventId, Moment, MomentPlace, SectionPlace, Stop, StopId, Thread, ThreadId};

/// A place in the order of the unrolling: per activation its function, the loops around the location with their
/// iterations, and the location's position.
pub type Key = Vec<(u32, u32)>;

/// How often a loop whose exits are shut goes round before it needs a bound.
const COUNTED: u32 = 1000;

/// What is being found out about the place where the walk is.
#[derive(Debug)]
pub struct Here {
    pub node: NodeId,
    pub key: Key,
    pub guard: Term,
    pub stop: Option<StopId>,
    /// The section that the thread is in before it goes on.
    pub section: Option<Section>,
    /// Whether conditions here depend on what the stop itself reads.
    pub reads_here: bool,
    /// Of the edge being taken: chosen among several, and nothing has kept it from being taken so far.
    pub edge: EdgeId,
    pub pick: Term,
    pub ok: Term,
    /// The rank of the last access before the edge being taken.
    pub since: u32,
    /// Of the edge being taken: a guard does not hold. `None` if it never waits.
    pub blocked: Option<Term>,
    pub choices: Vec<Choice>,
    pub troubles: Vec<(Term, Trouble, EdgeId, Vec<Choice>)>,
}

/// How an edge came out.
struct Way {
    is_spurious: bool,
    is_atomic: bool,
    pick: Term,
    ok: Term,
    blocked: Option<Term>,
}

/// A walk under way.
pub struct Walker<'a, 'p> {
    pub unroller: &'a mut Unroller<'p>,
    pub round: &'a mut Round,
    pub here: Here,
}

/// Where an edge leads: the state, and whether control goes on along the edge or the state says where it is.
pub enum Next {
    Along(State, LocationId),
    Placed(State),
}

impl Unroller<'_> {
    /// Walks all threads.
    pub fn run(&mut self, round: &mut Round, budget: &Budget) -> Result<(), Exhausted> {
        while let Some(start) = round.starts.pop_front() {
            self.start(round, start);
            while let Some((key, (node, state))) = round.pending.pop_first() {
                // A single place can take long: where thousands of threads are known, each read may be of any of them.
                budget.check()?;
                let (no, yes) = (round.builder.no, round.builder.yes);
                let here = Here {
                    node,
                    key,
                    guard: state.guard,
                    stop: None,
                    section: state.section,
                    reads_here: false,
                    edge: EdgeId(0),
                    pick: yes,
                    ok: yes,
                    since: round.rank,
                    blocked: None,
                    choices: Vec::new(),
                    troubles: Vec::new(),
                };
                debug_assert!(state.guard != no);
                Walker { unroller: self, round, here }.visit(state);
            }
        }
        Ok(())
    }

    fn start(&mut self, round: &mut Round, start: Start) {
        let function = self.program.function(start.function);
        round.thread = start.thread;
        round.rank = 0;
        let ended = round.builder.no;
        let thread = Thread {
            name: function.name.clone(),
            parent: start.parent,
            stops: Vec::new(),
            ended,
            abandoned: Vec::new(),
        };
        round.threads.insert(start.thread, thread);
        let mut registers = vec![None; function.registers.len()];
        for (parameter, argument) in function.parameters.iter().zip(start.arguments) {
            registers[parameter.index()] = Some(argument);
        }
        let place = self.place(start.thread, &vec![(start.function.0, 0)]);
        let activation = Activation {
            function: start.function,
            place,
            location: function.entry,
            turns: Vec::new(),
            registers,
            calling: None,
            allocated: Vec::new(),
        };
        let mut state = State {
            guard: start.guard,
            activations: vec![Rc::new(activation)],
            memory: start.memory,
            arrays: start.arrays,
            section: None,
            effects: None,
        };
        match &mut self.guide {
            Some(guide) => guide.begin_thread(start.thread),
            None => self.enter_loops(&mut state),
        }
        let node = self.push(round, state);
        round.first.insert(start.thread, node);
    }

    /// Begins the loops that the top activation stands in and has not begun.
    fn enter_loops(&mut self, state: &mut State) {
        let Some(activation) = state.top_mut() else { return };
        let nesting = self.nesting(activation.function);
        let around = nesting.loops(activation.location);
        for &number in around.iter().skip(activation.turns.len()) {
            activation.turns.push(Turn { number, iteration: 0, unwound: 0, exits: Exits::Unseen, start: None });
        }
    }

    fn key(&mut self, state: &State) -> Key {
        if let Some(guide) = &self.guide {
            return vec![(guide.position(), 0)];
        }
        let mut key = Key::new();
        for activation in &state.activations {
            let nesting = self.nesting(activation.function);
            key.push((activation.function.0, 0));
            key.extend(
                activation.turns.iter().map(|turn| (nesting.position(nesting.head(turn.number)), turn.iteration)),
            );
            key.push((nesting.position(activation.location), 0));
        }
        // Paths in different atomic sections are not joined.
        key.extend(state.section.map(|section| (section.depth, section.begun.0)));
        key
    }

    /// Makes a state wait for its turn, joined with what waits at its place already.
    pub(super) fn push(&mut self, round: &mut Round, state: State) -> NodeId {
        let key = self.key(&state);
        if let Some((node, waiting)) = round.pending.remove(&key) {
            for activation in &state.activations {
                self.live(activation.function);
            }
            let (live, objects, program) = (&self.live, &mut self.objects, self.program);
            let live = |function: selvedge_program::FunctionId| match &live[function.index()] {
                Some(live) => Rc::clone(live),
                None => Rc::new(selvedge_program::live::Live::of(program.function(function))),
            };
            let initial = &mut |builder: &mut _, key| initial(builder, objects, program, key);
            let joined = waiting.join(state, &mut round.builder, &mut round.arrays, &live, initial);
            round.pending.insert(key, (node, joined));
            return node;
        }
        let node = NodeId::new(round.nodes.len());
        let (function, location) = state.top().map_or_else(
            || (selvedge_program::FunctionId(0), LocationId(0)),
            |activation| (activation.function, activation.location),
        );
        round.nodes.push(Node { function, location, stop: None, arcs: Vec::new() });
        round.pending.insert(key, (node, state));
        node
    }
}

impl<'p> Walker<'_, 'p> {
    fn visit(mut self, mut state: State) {
        if self.unroller.guide.is_some() {
            return self.visit_on_path(state);
        }
        self.remember_start(&mut state);
        let Some(activation) = state.top() else { return };
        let program = self.unroller.program;
        let function = program.function(activation.function);
        let outgoing: Vec<(EdgeId, &'p Edge)> =
            function.location(activation.location).outgoing.iter().map(|edge| (*edge, function.edge(*edge))).collect();
        if self.round.nodes.len() > self.unroller.bounds.places {
            if let Some((edge, _)) = outgoing.first() {
                self.here.edge = *edge;
                let what = format!("an unrolling of more than {} places", self.unroller.bounds.places);
                let yes = self.round.builder.yes;
                self.trouble(yes, Trouble::Unsupported(what));
            }
            return {
                self.finish_node(Vec::new());
            };
        }
        let picks = self.picks(&state, &outgoing);
        let exits = self.exits(&state, &outgoing, &picks);
        let relative = State { guard: self.round.builder.yes, ..state };
        let mut ways = Vec::new();
        for ((edge, definition), pick) in outgoing.into_iter().zip(picks) {
            if self.round.builder.is(pick, false) {
                continue;
            }
            self.here.edge = edge;
            self.here.pick = pick;
            self.here.ok = self.round.builder.yes;
            self.here.since = self.round.rank;
            self.here.blocked = None;
            self.here.choices.clear();
            let nexts = self.take(relative.clone(), definition);
            let is_atomic = matches!(definition.action, Action::Atomic(_));
            let is_spurious = definition.action.is_spurious();
            ways.push(Way { is_spurious, is_atomic, pick, ok: self.here.ok, blocked: self.here.blocked });
            for (next, starts) in nexts {
                self.follow(next, &exits, starts);
            }
        }
        self.finish_node(ways);
    }

    /// At the head of a loop: the state in which this iteration begins.
    fn remember_start(&mut self, state: &mut State) {
        let snapshot = Rc::new(state.clone());
        let Some(activation) = state.activations.last() else { return };
        let nesting = self.unroller.nesting(activation.function);
        let at_head = activation.turns.last().is_some_and(|turn| nesting.head(turn.number) == activation.location);
        if at_head && let Some(turn) = state.top_mut().and_then(|activation| activation.turns.last_mut()) {
            turn.start = Some(snapshot);
        }
    }

    /// For every edge the condition of taking it rather than another. Conditions of branches that may hold together,
    /// and edges that are really a free choice, get a fresh choice each.
    fn picks(&mut self, state: &State, outgoing: &[(EdgeId, &Edge)]) -> Vec<Term> {
        if outgoing.len() == 1 {
            return vec![self.round.builder.yes];
        }
        let mut conditions = Vec::new();
        for (edge, definition) in outgoing {
            let Action::Assume(condition) = &definition.action else {
                conditions.push(None);
                continue;
            };
            self.here.edge = *edge;
            let yes = self.round.builder.yes;
            // What goes wrong here is told when the edge is taken.
            conditions.push(Some(self.evaluate_into(state, &mut Vec::new(), |eval| eval.truth(condition, yes))));
        }
        let mut exclusive = true;
        for (place, a) in conditions.iter().enumerate() {
            for b in &conditions[place + 1..] {
                exclusive &= match (a, b) {
                    (Some(a), Some(b)) => self.excludes(*a, *b),
                    _ => false,
                };
            }
        }
        let mut picks = Vec::new();
        let mut rest = self.round.builder.yes;
        let last = outgoing.len().saturating_sub(1);
        for (place, condition) in conditions.iter().enumerate() {
            let free = if exclusive || place == last {
                rest
            } else {
                let choice = self.round.builder.fresh("c", Sort::Bool);
                let taken = self.round.builder.and(rest, choice);
                rest = self.round.builder.and_not(rest, choice);
                taken
            };
            // A condition that is known not to hold makes the edge vanish.
            let dead = condition.is_some_and(|condition| self.round.builder.is(condition, false));
            picks.push(if dead { self.round.builder.no } else { free });
        }
        picks
    }

    /// Whether two conditions are seen never to hold together.
    fn excludes(&mut self, a: Term, b: Term) -> bool {
        let builder = &mut self.round.builder;
        let both = builder.and(a, b);
        if builder.is(both, false) {
            return true;
        }
        let (a, b) = (builder.conjuncts(a), builder.conjuncts(b));
        for &x in &a {
            for &y in &b {
                let both = builder.and(x, y);
                if builder.is(both, false) || differ(builder, x, y) {
                    return true;
                }
            }
        }
        false
    }

    /// How the exits of every loop around this place look from here.
    fn exits(&mut self, state: &State, outgoing: &[(EdgeId, &Edge)], picks: &[Term]) -> Vec<Exits> {
        let Some(activation) = state.top() else { return Vec::new() };
        let nesting = self.unroller.nesting(activation.function);
        let mut exits = vec![Exits::Unseen; activation.turns.len()];
        if outgoing.len() > 1 {
            for ((_, edge), pick) in outgoing.iter().zip(picks) {
                let around = nesting.loops(edge.target);
                for (turn, exit) in activation.turns.iter().zip(&mut exits) {
                    if !around.contains(&turn.number) {
                        let shut = self.round.builder.is(*pick, false);
                        *exit = (*exit).max(if shut { Exits::Shut } else { Exits::Open });
                    }
                }
            }
        }
        exits
    }

    /// Goes on along an edge.
    fn follow(&mut self, next: Next, exits: &[Exits], starts: Option<ThreadId>) {
        let taken = {
            let taken = self.round.builder.and(self.here.pick, self.here.ok);
            self.round.builder.and(self.here.guard, taken)
        };
        let edge = self.here.edge;
        let (mut state, target) = match next {
            Next::Along(state, target) => (state, Some(target)),
            Next::Placed(state) => (state, None),
        };
        state.guard = self.round.builder.and(taken, state.guard);
        if self.round.builder.is(state.guard, false) {
            return;
        }
        let passes = state.guard;
        if let (Some(_), Some(activation)) = (target, state.top_mut()) {
            for (turn, exit) in activation.turns.iter_mut().zip(exits) {
                turn.exits = turn.exits.max(*exit);
            }
        }
        let goes_on = match target {
            Some(target) => self.advance(&mut state, target),
            None => !state.activations.is_empty(),
        };
        let target = if goes_on {
            self.unroller.enter_loops(&mut state);
            Some(self.unroller.push(self.round, state))
        } else {
            None
        };
        let arc = Arc { edge, passes, target, choices: self.here.choices.clone(), starts };
        self.round.nodes[self.here.node.index()].arcs.push(arc);
    }

    /// Moves the top activation to a location; `false` when the path ends there because a bound is reached or the
    /// iteration changed nothing.
    pub(super) fn advance(&mut self, state: &mut State, target: LocationId) -> bool {
        let Some(activation) = state.top() else { return false };
        let function = activation.function;
        let nesting = self.unroller.nesting(function);
        let around = nesting.loops(target);
        let common = activation.turns.iter().zip(around).take_while(|(turn, number)| turn.number == **number).count();
        let back = common > 0 && common == around.len() && nesting.head(around[common - 1]) == target;
        let repeats = back && self.repeats(state, common - 1, target);
        if repeats && self.had_no_effect(state, common - 1) {
            return false;
        }
        let bound = self.unroller.bounds.of_loop(function, target);
        let Some(activation) = state.top_mut() else { return false };
        activation.turns.truncate(common);
        activation.location = target;
        if back && let Some(turn) = activation.turns.last_mut() {
            // A loop whose exits are shut counts to its end by itself, but only if it counts.
            if turn.exits != Exits::Shut || repeats || turn.iteration >= COUNTED {
                turn.unwound += 1;
            }
            turn.iteration += 1;
            turn.exits = Exits::Unseen;
            turn.start = None;
            if turn.unwound > bound {
                // A call that returns here ends with an edge of the function that was called.
                let ending = self.round.nodes[self.here.node.index()].function;
                let span = self.unroller.program.function(ending).edge(self.here.edge).span;
                let gap = Claim::Gap { gap: Gap::Unwinding { span, bound }, head: Some((function, target)) };
                self.gap(state, gap);
                return false;
            }
        }
        true
    }

    /// Whether an iteration that ends here leaves the thread in the state in which it began, whatever it did to others.
    fn repeats(&mut self, state: &State, turn: usize, target: LocationId) -> bool {
        let Some(now) = state.top() else { return false };
        let Some(start) = now.turns.get(turn).and_then(|turn| turn.start.clone()) else { return false };
        let Some(then) = start.top() else { return false };
        let live = self.unroller.live(now.function);
        let below = state.activations.len().saturating_sub(1);
        let same_below = start.activations.len() == state.activations.len()
            && state.activations[..below].iter().zip(&start.activations[..below]).all(|(a, b)| Rc::ptr_eq(a, b));
        let same_register = |place: usize| now.registers.get(place) == then.registers.get(place);
        same_below
            && live.at(target).iter().all(|register| same_register(register.index()))
            && state.memory == start.memory
            && state.arrays == start.arrays
            && state.section == start.section
            && now.allocated == then.allocated
    }

    /// Whether an iteration has done nothing that others could notice. If it also [repeats](Self::repeats), leaving it
    /// out leaves the same executions, up to how long the thread waited before it began the next one.
    fn had_no_effect(&mut self, state: &State, turn: usize) -> bool {
        let start = state.top().and_then(|now| now.turns.get(turn)?.start.clone());
        let Some(start) = start else { return false };
        let held = self.round.builder.conjuncts(state.guard);
        let mut effect = state.effects.clone();
        while let Some(current) = effect {
            if start.effects.as_ref().is_some_and(|old| Rc::ptr_eq(old, &current)) {
                return true;
            }
            let mut excluded = false;
            for conjunct in self.round.builder.conjuncts(current.when) {
                let negated = self.round.builder.not(conjunct);
                excluded |= held.contains(&negated);
            }
            if !excluded {
                return false;
            }
            effect = current.before.clone();
        }
        start.effects.is_none()
    }

    /// Something keeps the edge from being taken, under a condition.
    pub(super) fn trouble(&mut self, when: Term, trouble: Trouble) {
        let when = self.round.builder.and(self.here.ok, when);
        if self.round.builder.is(when, false) {
            return;
        }
        self.here.troubles.push((when, trouble, self.here.edge, self.here.choices.clone()));
        self.here.ok = self.round.builder.and_not(self.here.ok, when);
    }

    /// A path ends in this state, after the edge being taken, because of a bound.
    pub(super) fn gap(&mut self, state: &State, claim: Claim) {
        // The stop of this place, if it is one, has been passed by then.
        let place = MomentPlace::After(self.round.last_stop(), self.section_place(state.section));
        self.moment(claim, state.guard, place, self.here.edge, Vec::new());
    }

    /// An assertion that fails under a condition.
    pub(super) fn fails(&mut self, claim: Claim, when: Term) {
        let condition = {
            let when = self.round.builder.and(self.here.ok, when);
            self.round.builder.and(self.here.guard, when)
        };
        if !self.round.builder.is(condition, false) {
            let place = self.moment_place();
            self.moment(claim, condition, place, self.here.edge, self.here.choices.clone());
        }
    }

    pub(super) fn moment(
        &mut self,
        claim: Claim,
        condition: Term,
        place: MomentPlace,
        edge: EdgeId,
        choices: Vec<Choice>,
    ) {
        if self.unroller.guide.as_ref().is_some_and(Guide::on_path) {
            return;
        }
        let thread = self.round.thread;
        let failure = Failure { thread, node: self.here.node, edge, choices };
        self.round.claims.moment(claim, Moment { thread, place, condition }, failure);
    }

    pub(super) fn moment_place(&self) -> MomentPlace {
        match self.here.stop {
            Some(stop) => MomentPlace::Before(stop),
            None => MomentPlace::After(self.round.last_stop(), self.section_place(self.here.section)),
        }
    }

    /// Where the last stop stands relative to a section that is under way: if nothing of the section has happened yet,
    /// outside.
    fn section_place(&self, section: Option<Section>) -> SectionPlace {
        let last = self.round.last_stop().map(|stop| self.round.stops[stop.index()].event);
        match section {
            Some(section) if last == Some(section.event) => SectionPlace::Inside,
            _ => SectionPlace::Outside,
        }
    }

    /// Makes this place a stop.
    pub(super) fn stop(&mut self, state: &State) -> StopId {
        if let Some(stop) = self.here.stop {
            return stop;
        }
        let (event, section) = match state.section {
            Some(section) => (section.event, SectionPlace::Inside),
            None => (self.new_event(), SectionPlace::Outside),
        };
        let id = StopId::new(self.round.stops.len());
        let thread = self.round.thread;
        let (yes, no) = (self.round.builder.yes, self.round.builder.no);
        let position = match self.round.threads.get_mut(&thread) {
            Some(thread) => {
                thread.stops.push(id);
                thread.stops.len() - 1
            }
            None => 0,
        };
        self.round.stops.push(Stop {
            thread,
            position: position as u32,
            event,
            section,
            reach: self.here.guard,
            proceeds: yes,
            blocked: no,
        });
        self.round.nodes[self.here.node.index()].stop = Some(id);
        self.here.stop = Some(id);
        id
    }

    pub(super) fn new_event(&mut self) -> EventId {
        let event = EventId(self.round.events);
        self.round.events += 1;
        event
    }

    /// When all edges have been tried: what lets the thread pass, what keeps it waiting, and what goes wrong here.
    fn finish_node(mut self, ways: Vec<Way>) {
        let builder = &mut self.round.builder;
        let (mut proceeds, mut blocked) = (builder.no, builder.yes);
        for way in &ways {
            let passes = builder.and(way.pick, way.ok);
            proceeds = builder.or(proceeds, passes);
            if !way.is_spurious {
                let no = builder.no;
                blocked = builder.and(blocked, way.blocked.unwrap_or(no));
            }
        }
        let waits = ways.iter().any(|way| way.is_atomic);
        if let Some(stop) = self.here.stop {
            let stop = &mut self.round.stops[stop.index()];
            stop.proceeds = proceeds;
            stop.blocked = if waits { blocked } else { builder.no };
        }
        let place = self.moment_place();
        if !waits && !ways.is_empty() {
            self.abandon(blocked, place);
        }
        for (when, trouble, edge, choices) in std::mem::take(&mut self.here.troubles) {
            let condition = self.round.builder.and(self.here.guard, when);
            let function = self.round.nodes[self.here.node.index()].function;
            let span = self.unroller.program.function(function).edge(edge).span;
            let claim = match trouble {
                Trouble::Undefined(undefined) => Claim::Violation(Subject::Memory(function, edge, undefined)),
                Trouble::Unsupported(what) => Claim::left_out(Gap::Unsupported { span, what }),
            };
            self.moment(claim, condition, place, edge, choices);
        }
    }

    /// No condition of a branch holds: an assumption of the program does not.
    fn abandon(&mut self, blocked: Term, place: MomentPlace) {
        let condition = self.round.builder.and(self.here.guard, blocked);
        let thread = self.round.thread;
        if !self.round.builder.is(condition, false)
            && let Some(abandoned) = self.round.threads.get_mut(&thread)
        {
            abandoned.abandoned.push(Moment { thread, place, condition });
        }
    }
}

/// Two equations of one term with different constants.
fn differ(builder: &Builder, a: Term, b: Term) -> bool {
    use selvedge_logic::Op;
    let terms = &builder.terms;
    match (terms.op(a), terms.operands(a), terms.op(b), terms.operands(b)) {
        (Op::Equal, [x, c], Op::Equal, [y, d]) => {
            x == y && matches!((builder.constant(*c), builder.constant(*d)), (Some(c), Some(d)) if c != d)
        }
        _ => false,
    }
}
