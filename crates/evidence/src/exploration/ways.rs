//! All ways for a thread of a family to take an edge. Where the step depends on no number that is a term, the concrete
//! semantics alone says what it does. Where it does, the symbolic semantics says when it ends how: for each end that is
//! possible the family is narrowed to those that come to it, and the sample takes the step. What the sample then holds
//! is compared with what the symbolic semantics says.
//!
//! What the symbolic semantics cannot say, and where a pointer depends on a number, is gone through value by value.

use super::before::Objects;
use super::family::{Family, hold};
use super::numbers::{Owned, Slot};
use super::solving::Solving;
use super::told::{Handed, Told, decisive, tell, used};
use super::{CHOICES, Stopped};
use rustc_hash::FxHashSet;
use selvedge_logic::{Assignment, SymbolId, Term};
use selvedge_program::live::Live;
use selvedge_program::semantics::{
    Answers, Event, GhostKey, Instance, Observer, Outcome, PendingAccess, Question, Semantics, Spot, State, Value,
};
use selvedge_program::{AccessKind, Action, EdgeId, GhostField, Span, ThreadIndex};
use selvedge_symbolic::access::ghost_word;
use selvedge_symbolic::{Builder, CellKey, GHOST_WIDTH, Tag, Trouble, Value as Symbolic, Word};
use std::rc::Rc;

/// How many addresses are gone through where a value out of nothing may be one.
const ADDRESSES: usize = 2048;

/// How many cells a step may write without being a large one.
const FEW_CELLS: usize = 16;

/// A step that changes so many cells costs as much as a question.
const CELLS: usize = 64;

/// How many values are looked at where there are too many to look at all.
const SOME: usize = 32;

/// What a step touches.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    pub accesses: Vec<PendingAccess>,
    pub events: Vec<Event>,
}

impl Observer for Heard {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn access(&mut self, access: PendingAccess) {
        self.accesses.push(access);
    }
}

/// One way to take an edge.
#[derive(Clone, Debug)]
pub struct Way {
    pub edge: EdgeId,
    pub outcome: Result<Family, Outcome>,
    pub heard: Heard,
    /// Whether others of the family cannot take it.
    pub may_wait: bool,
}

impl Way {
    /// Whether nobody of the family takes it.
    pub fn is_disabled(&self) -> bool {
        matches!(self.outcome, Err(Outcome::Disabled))
    }
}

/// What is known of an edge beside its ways, if that differs within the family.
#[derive(Clone, Debug)]
pub struct Open {
    pub edge: EdgeId,
    /// What it would access, each under a condition.
    pub accesses: Vec<(PendingAccess, Term)>,
    /// When it cannot be taken.
    pub blocked: Term,
}

/// The ways of a thread.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    pub ways: Vec<Way>,
    pub open: Vec<Open>,
    /// Whether an address is guessed: which there are depends on what others have made by then.
    pub guesses: bool,
}

/// Who takes steps.
#[derive(Debug)]
pub struct Steps<'p> {
    pub semantics: Semantics<'p>,
    pub live: Rc<[Live]>,
    pub builder: Builder,
    pub objects: Objects,
    pub solving: Solving,
    /// Choices with at most so many answers are gone through one by one, others are symbols.
    pub listed: u128,
    pub likely: Vec<u128>,
    /// Why something was left out, if it was: the first reason.
    pub stopped: Option<Stopped>,
    /// Whether a value out of nothing may have been an address.
    pub guesses: bool,
    /// Whether what was found beside violations is more than can happen: results of floating-point operations are taken
    /// for any numbers.
    pub is_rough: bool,
}

/// An edge to take.
#[derive(Clone, Copy)]
struct Taken<'a> {
    thread: ThreadIndex,
    edge: EdgeId,
    action: &'a Action,
    span: Span,
}

impl<'p> Steps<'p> {
    pub fn leave_out(&mut self, why: Stopped) {
        self.stopped.get_or_insert(why);
    }

    /// All ways for a thread to leave a family.
    pub fn ways(&mut self, family: &Family, thread: ThreadIndex) -> Ways {
        let mut ways = Ways::default();
        let Some(frame) = family.state.frame(thread) else { return ways };
        let function = self.semantics.program.function(frame.function);
        let has_guessed = std::mem::take(&mut self.guesses);
        for edge in &function.location(frame.location).outgoing {
            let definition = function.edge(*edge);
            let taken = Taken { thread, edge: *edge, action: &definition.action, span: definition.span };
            let yes = self.builder.yes;
            if let Err(stopped) = self.take(family, taken, &mut Vec::new(), yes, &mut ways) {
                self.leave_out(stopped);
            }
        }
        ways.guesses = self.guesses;
        self.guesses |= has_guessed;
        ways
    }

    /// Takes an edge with these answers to its first questions, from a part of the family for which a condition holds.
    fn take(
        &mut self,
        family: &Family,
        taken: Taken<'_>,
        answers: &mut Vec<Value>,
        under: Term,
        ways: &mut Ways,
    ) -> Result<(), Stopped> {
        if !family.numbers.registers.is_empty() {
            let decisive = family.used_slots(taken.thread, &decisive(taken.action));
            if !decisive.is_empty() {
                return self.one_by_one(family, taken, &decisive, under, ways);
            }
            if !family.used_slots(taken.thread, &used(taken.action)).is_empty() {
                return self.take_as_told(family, taken, false, under, ways);
            }
        }
        let Taken { thread, edge, .. } = taken;
        // What a thread that is held up would read is not heard of.
        let is_held_up = family.state.atomic_section().is_some_and(|section| section.owner != thread);
        if is_held_up && matches!(taken.action, Action::Atomic(_)) && !family.numbers.is_empty() {
            return self.take_as_told(family, taken, false, under, ways);
        }
        let (mut next, mut heard) = (family.state.clone(), Heard::default());
        let outcome = self.semantics.apply(&mut next, thread, edge, &mut Answers::new(answers), &mut heard);
        let touches = |access: &PendingAccess| !family.numbers.slots_in(access.spot).is_empty();
        let is_read = !matches!(taken.action, Action::Store { .. } | Action::Spawn { .. });
        // A string that is printed is told only where it ends.
        let is_told = outcome.is_ok() || !matches!(taken.action, Action::Output(_)) || family.numbers.bytes.is_empty();
        if is_read && heard.accesses.iter().any(touches) || !is_told {
            return self.take_as_told(family, taken, false, under, ways);
        }
        if let Err(Outcome::NeedsChoice(question)) = &outcome {
            match self.listed(family, taken, question) {
                Listed::All(all) => {
                    for answer in all {
                        answers.push(answer);
                        self.take(family, taken, answers, under, ways)?;
                        answers.pop();
                    }
                    return Ok(());
                }
                Listed::Numbers => return self.take_as_told(family, taken, false, under, ways),
                Listed::AddressesAndNumbers(addresses) if answers.is_empty() => {
                    for address in addresses {
                        self.take(family, taken, &mut vec![address], under, ways)?;
                    }
                    return self.take_as_told(family, taken, true, under, ways);
                }
                Listed::AddressesAndNumbers(_) => {
                    self.leave_out(Stopped::Choice(taken.span));
                    for answer in self.some_answers(&family.state, question) {
                        answers.push(answer);
                        self.take(family, taken, answers, under, ways)?;
                        answers.pop();
                    }
                    return Ok(());
                }
            }
        }
        if !self.builder.is(under, true) {
            let accesses = self.semantics.accesses(&family.state, thread).into_iter();
            let accesses = accesses.filter(|access| access.edge == edge).map(|access| (access, under)).collect();
            let is_blocked = outcome == Err(Outcome::Disabled);
            let blocked = if is_blocked { under } else { self.builder.no };
            ways.open.push(Open { edge, accesses, blocked });
        }
        let is_part = !self.builder.is(under, true);
        let outcome = outcome.map(|()| self.after(family, taken, (next, &heard), is_part));
        ways.ways.push(Way { edge, outcome, heard, may_wait: false });
        Ok(())
    }

    /// The answers to a question.
    fn listed(&mut self, family: &Family, taken: Taken<'_>, question: &Question) -> Listed {
        match (question.answers(self.listed), question) {
            (Ok(all), _) => Listed::All(all),
            (Err(_), Question::Address { .. }) => {
                self.guesses = true;
                let guesses = family.state.guesses(self.semantics.program, ADDRESSES);
                if !guesses.are_all {
                    self.leave_out(Stopped::Choice(taken.span));
                }
                Listed::AddressesAndNumbers(guesses.values)
            }
            (Err(_), Question::Number { .. } | Question::Thread(_)) => Listed::Numbers,
        }
    }

    /// Answers that a program is likely to look for.
    fn some_answers(&self, state: &State, question: &Question) -> Vec<Value> {
        match question {
            Question::Thread(_) => Vec::new(),
            Question::Number { known, free } => {
                let number = |some: &u128| Value::bits(known.width(), known.unsigned() | some & free.unsigned());
                self.likely.iter().map(number).collect()
            }
            Question::Address { width } => {
                let guesses = state.guesses(self.semantics.program, CHOICES as usize).values;
                self.likely.iter().map(|number| Value::bits(*width, *number)).chain(guesses).collect()
            }
        }
    }

    /// The family after a step that depends on none of its numbers; `is_part` if it is a part of another one.
    fn after(&mut self, family: &Family, taken: Taken<'_>, (next, heard): (State, &Heard), is_part: bool) -> Family {
        let mut after = Family { state: next, ..family.clone() };
        if after.numbers.is_empty() && after.path.is_empty() {
            return after;
        }
        let count = after.numbers.count();
        self.overwrite(family, taken, heard, &mut after);
        let is_new = is_part || after.numbers.count() != count;
        self.tidied(after, is_new)
    }

    /// What a step assigns is no term any more, unless somebody says that it is.
    fn overwrite(&mut self, before: &Family, taken: Taken<'_>, heard: &Heard, after: &mut Family) {
        let activation = activation(&before.state, taken.thread);
        let numbers = Rc::make_mut(&mut after.numbers);
        for register in taken.action.assigned() {
            numbers.registers.remove(&(taken.thread, activation, register));
        }
        if let (Action::Return { .. }, Some(frame)) = (taken.action, before.state.frame(taken.thread))
            && let Some(register) = frame.result
        {
            numbers.registers.remove(&(taken.thread, activation.wrapping_sub(1), register));
        }
        for access in heard.accesses.iter().filter(|access| access.kind == AccessKind::Write) {
            match access.spot {
                Spot::Bytes { object, offset, size } => {
                    numbers.cut(&mut self.builder.terms, object, offset, offset + size);
                }
                Spot::Ghost(key) => drop(numbers.ghosts.remove(&key)),
                Spot::Whole(_) => {}
            }
        }
        for event in &heard.events {
            if let Event::Forgotten(object) = event {
                numbers.bytes.retain(|(other, _), _| other != object);
                numbers.ghosts.retain(|key, _| key.object != Some(*object));
            }
        }
    }

    fn tidied(&mut self, mut family: Family, is_new: bool) -> Family {
        let live = Rc::clone(&self.live);
        let is_live = move |state: &State, owned: Owned| is_live(&live, state, owned);
        family.tidy(&mut self.builder.terms, &mut self.solving, &is_live, is_new);
        family
    }

    fn model(&mut self, family: &Family, conditions: &[Term]) -> Result<Option<Assignment>, Stopped> {
        self.solving.model(&self.builder.terms, &family.path, &family.sample, conditions)
    }

    /// Whether conditions can hold together in a family.
    pub fn can_hold(&mut self, family: &Family, conditions: &[Term]) -> bool {
        self.sample(family, conditions).is_some()
    }

    /// The family with a sample for which conditions hold, if there is one.
    pub fn sample(&mut self, family: &Family, conditions: &[Term]) -> Option<Family> {
        let found = self.model(family, conditions);
        let found = found.and_then(|sample| sample.map(|sample| self.narrowed(family, &[], sample)).transpose());
        found.unwrap_or_else(|stopped| {
            self.leave_out(stopped);
            None
        })
    }

    fn narrowed(&mut self, family: &Family, more: &[Term], sample: Assignment) -> Result<Family, Stopped> {
        let narrowed = family.narrowed(self.semantics.program, &self.builder.terms, more, sample);
        narrowed.ok_or_else(|| mismatch("numbers have no place in the state"))
    }

    /// The parts of a family in which some numbers have one value each, with a sample; at most so many, and whether
    /// these are all.
    fn parts(&mut self, family: &Family, slots: &[Slot]) -> Result<(Vec<(Term, Assignment)>, bool), Stopped> {
        let terms: Vec<Term> = slots.iter().flat_map(|slot| family.numbers.terms_of(*slot)).collect();
        let mut others = Vec::new();
        let mut parts = Vec::new();
        while let Some(sample) = self.model(family, &others)? {
            if parts.len() == CHOICES as usize {
                return Ok((parts, false));
            }
            let mut these = self.builder.yes;
            for term in &terms {
                let same = self.same_number(*term, &sample)?;
                these = self.builder.and(these, same);
            }
            parts.push((these, sample));
            others.push(self.builder.not(these));
        }
        Ok((parts, true))
    }

    /// Takes an edge for every value of some numbers by itself.
    fn one_by_one(
        &mut self,
        family: &Family,
        taken: Taken<'_>,
        slots: &[Slot],
        under: Term,
        ways: &mut Ways,
    ) -> Result<(), Stopped> {
        let (mut parts, are_all) = self.parts(family, slots)?;
        if !are_all {
            self.leave_out(Stopped::Choice(taken.span));
            parts.truncate(SOME);
        }
        for (these, sample) in parts {
            let part = self.narrowed(family, &[these], sample)?.without(slots);
            let under = self.builder.and(under, these);
            self.take(&part, taken, &mut Vec::new(), under, ways)?;
        }
        Ok(())
    }

    /// Takes an edge as the symbolic semantics says.
    fn take_as_told(
        &mut self,
        family: &Family,
        taken: Taken<'_>,
        are_numbers: bool,
        under: Term,
        ways: &mut Ways,
    ) -> Result<(), Stopped> {
        let Taken { thread, edge, action, .. } = taken;
        let program = self.semantics.program;
        let source = (&mut self.builder, &mut self.objects);
        let told = tell(source, program, family, thread, (action, are_numbers));
        let told = told.ok_or_else(|| mismatch("a thread that has finished moves"))?;
        self.solving.spend(told.effect.cells.len() / CELLS)?;
        let section = family.state.atomic_section();
        let in_section = section.is_some_and(|section| section.owner == thread);
        let accesses = told.accesses(&self.objects, (thread, edge), in_section);
        let (Some(accesses), false) = (accesses, self.is_beyond(family, &told)?) else {
            let inputs = told.inputs(family, &self.objects, thread, action);
            if inputs.is_empty() {
                self.leave_out(Stopped::Choice(taken.span));
                return Ok(());
            }
            return self.one_by_one(family, taken, &inputs, under, ways);
        };
        if self.gives_floats(&told) {
            // Exactly, if that can be; else they may be anything.
            let inputs = told.inputs(family, &self.objects, thread, action);
            if !inputs.is_empty() && self.parts(family, &inputs)?.1 {
                return self.one_by_one(family, taken, &inputs, under, ways);
            }
        }
        let mut open = Vec::new();
        for (access, when) in &accesses {
            open.push((*access, self.builder.and(under, *when)));
        }
        let blocked = self.builder.and(under, told.effect.blocked);
        ways.open.push(Open { edge, accesses: open, blocked });
        if section.is_some_and(|section| section.owner != thread) {
            let heard = Heard::default();
            ways.ways.push(Way { edge, outcome: Err(Outcome::Disabled), heard, may_wait: true });
            return Ok(());
        }
        self.fail(family, taken, &told, ways)?;
        let spots: Vec<PendingAccess> = accesses.into_iter().map(|(access, _)| access).collect();
        self.go_on(family, taken, &told, &spots, ways)
    }

    /// Whether the symbolic semantics cannot say what a step does for some of a family.
    fn is_beyond(&mut self, family: &Family, told: &Told) -> Result<bool, Stopped> {
        if told.is_odd || self.depends_on_floats(told) {
            return Ok(true);
        }
        for (when, trouble) in &told.effect.troubles {
            if matches!(trouble, Trouble::Unsupported(_)) && self.model(family, &[*when])?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether it depends on the result of a floating-point operation, which terms do not say, how a step ends.
    fn depends_on_floats(&mut self, told: &Told) -> bool {
        let loose = told.loose(&self.builder);
        let conditions = told.conditions().into_iter().chain(loose.into_iter().flat_map(|word| [word.tag, word.bits]));
        self.are_of_floats(conditions.collect())
    }

    /// Whether a step assigns the result of a floating-point operation.
    fn gives_floats(&mut self, told: &Told) -> bool {
        self.are_of_floats(told.words().into_iter().map(|word| word.bits).collect())
    }

    fn are_of_floats(&mut self, terms: Vec<Term>) -> bool {
        let store = &self.builder.terms;
        let opaque: FxHashSet<SymbolId> = self.builder.opaque.iter().flat_map(|opaque| opaque.symbols(store)).collect();
        let is_opaque = |symbol: &SymbolId| opaque.contains(symbol);
        !opaque.is_empty() && terms.into_iter().any(|term| self.solving.symbols(store, term).iter().any(is_opaque))
    }

    /// The ways that end in a violation, each shown by a sample.
    fn fail(&mut self, family: &Family, taken: Taken<'_>, told: &Told, ways: &mut Ways) -> Result<(), Stopped> {
        let violations = told.effect.violations.iter().map(|(when, _)| *when);
        let troubles = told.effect.troubles.iter().map(|(when, _)| *when);
        for when in violations.chain(troubles).collect::<Vec<_>>() {
            let Some(sample) = self.model(family, &[when])? else { continue };
            let mut failing = self.narrowed(family, &[], sample)?;
            let mut heard = Heard::default();
            let outcome = self.apply(&mut failing, taken, told, &mut heard)?;
            match outcome {
                Err(outcome @ (Outcome::AssertionFailed(_) | Outcome::Undefined(..))) => {
                    ways.ways.push(Way { edge: taken.edge, outcome: Err(outcome), heard, may_wait: true });
                }
                _ => return Err(mismatch("a step does not fail")),
            }
        }
        Ok(())
    }

    /// The sample takes the step, with the answers that it gives to the questions.
    fn apply(
        &mut self,
        family: &mut Family,
        taken: Taken<'_>,
        told: &Told,
        heard: &mut Heard,
    ) -> Result<Result<(), Outcome>, Stopped> {
        let answers = told.answers(&self.builder.terms, &self.objects, &family.sample);
        let answers = answers.ok_or_else(|| mismatch("a question has no answer"))?;
        let Taken { thread, edge, .. } = taken;
        Ok(self.semantics.apply(&mut family.state, thread, edge, &mut Answers::new(&answers), heard))
    }

    /// The ways that lead to states: one, or one for every pointer and every life that depends on numbers.
    fn go_on(
        &mut self,
        family: &Family,
        taken: Taken<'_>,
        told: &Told,
        spots: &[PendingAccess],
        ways: &mut Ways,
    ) -> Result<(), Stopped> {
        let enabled = told.effect.enabled;
        let may_wait = !self.builder.is(told.effect.blocked, false);
        let (loose, lives) = (told.loose(&self.builder), told.lives(&self.builder));
        let mut conditions = vec![enabled];
        let mut count = 0;
        while let Some(sample) = self.model(family, &conditions)? {
            count += 1;
            if count > CHOICES as usize {
                self.leave_out(Stopped::Choice(taken.span));
                return Ok(());
            }
            // Every cell of a large array is looked at, in terms as large as the array.
            self.solving.spend(told.effect.cells.len().saturating_sub(FEW_CELLS))?;
            let mut these = self.builder.yes;
            for word in &loose {
                let same = self.same_pointer(*word, &sample)?;
                these = self.builder.and(these, same);
            }
            for term in &lives {
                let same = self.same_number(*term, &sample)?;
                these = self.builder.and(these, same);
            }
            let mut next = self.narrowed(family, &[enabled, these], sample)?;
            let mut heard = Heard::default();
            let outcome = self.apply(&mut next, taken, told, &mut heard)?;
            if outcome != Ok(()) {
                return Err(mismatch("a step is not taken"));
            }
            self.know_floats(&mut next, told)?;
            self.overwrite(family, taken, &heard, &mut next);
            self.assign(family, taken, told, &mut next)?;
            let (live, after) = (Rc::clone(&self.live), next.state.clone());
            Rc::make_mut(&mut next.numbers).forget_dead(&after, &move |state, owned| is_live(&live, state, owned));
            let is_so = next.numbers.are_in(self.semantics.program, &next.state, &self.builder.terms, &next.sample);
            if !is_so {
                return Err(mismatch("a step leads elsewhere"));
            }
            let next = self.tidied(next, true);
            heard.accesses.extend_from_slice(spots);
            ways.ways.push(Way { edge: taken.edge, outcome: Ok(next), heard, may_wait });
            if loose.is_empty() && lives.is_empty() {
                return Ok(());
            }
            conditions.push(self.builder.not(these));
        }
        if count == 0 {
            let heard = Heard { accesses: spots.to_vec(), events: Vec::new() };
            ways.ways.push(Way { edge: taken.edge, outcome: Err(Outcome::Disabled), heard, may_wait });
        }
        Ok(())
    }

    /// That a term has the value that it has in a sample.
    fn same_number(&mut self, term: Term, sample: &Assignment) -> Result<Term, Stopped> {
        let terms = &mut self.builder.terms;
        let value = terms.evaluate(term, sample).map_err(failed)?.unsigned();
        let constant = terms.bits(terms.sort(term).width(), value);
        Ok(terms.equal(term, constant))
    }

    /// That a word is what it is in a sample, as far as it is no number.
    fn same_pointer(&mut self, word: Word, sample: &Assignment) -> Result<Term, Stopped> {
        let tag = self.builder.terms.evaluate(word.tag, sample).map_err(failed)?.unsigned();
        let same = self.same_number(word.tag, sample)?;
        if tag < u128::from(Tag::FIRST.0) {
            return Ok(same);
        }
        let at = self.same_number(word.bits, sample)?;
        Ok(self.builder.and(same, at))
    }

    /// The results of floating-point operations in the sample; to the family they may be anything.
    fn know_floats(&mut self, family: &mut Family, told: &Told) -> Result<(), Stopped> {
        if self.builder.opaque.is_empty() {
            return Ok(());
        }
        let terms = &self.builder.terms;
        let mut needed = FxHashSet::default();
        for word in told.words() {
            needed.extend(self.solving.symbols(terms, word.bits).iter().copied());
        }
        // Operands of operations come before them.
        for opaque in self.builder.opaque.iter().rev() {
            if opaque.symbols(terms).any(|symbol| needed.contains(&symbol)) {
                self.is_rough = true;
                for operand in [opaque.application.left, opaque.application.right] {
                    needed.extend(self.solving.symbols(terms, operand).iter().copied());
                }
            }
        }
        let sample = Rc::make_mut(&mut family.sample);
        for opaque in &self.builder.opaque {
            if !opaque.symbols(terms).any(|symbol| needed.contains(&symbol)) {
                continue;
            }
            let value = |term: Term| terms.evaluate(term, sample).map(|value| value.unsigned()).map_err(failed);
            let (result, undefined) =
                opaque.values(terms, value(opaque.application.left)?, value(opaque.application.right)?);
            for (symbol, value) in opaque.symbols(terms).zip([result, undefined]) {
                sample.set(symbol, value);
            }
        }
        Ok(())
    }

    /// What the family holds after a step that its sample has taken.
    fn assign(&mut self, before: &Family, taken: Taken<'_>, told: &Told, after: &mut Family) -> Result<(), Stopped> {
        let sample = Rc::clone(&after.sample);
        let terms = &self.builder.terms;
        let number = |word: Word| {
            let tag = terms.evaluate(word.tag, &sample).ok()?.unsigned();
            let is_open = tag == u128::from(Tag::NUMBER.0) && terms.constant_value(word.bits).is_none();
            is_open.then_some(word.bits)
        };
        let (thread, now) = (taken.thread, activation(&before.state, taken.thread));
        let numbers = Rc::make_mut(&mut after.numbers);
        for (register, value) in &told.effect.registers {
            hold(numbers, (thread, now, *register), value, &number);
        }
        let mut result = None;
        match &told.handed {
            Handed::Nothing => {}
            Handed::Into(function, values) => {
                let parameters = &self.semantics.program.function(*function).parameters;
                let (callee, activation) = match taken.action {
                    Action::Spawn { .. } => (ThreadIndex::new(before.state.thread_count()), 0),
                    _ => (thread, now + 1),
                };
                for (parameter, value) in parameters.iter().zip(values) {
                    hold(numbers, (callee, activation, *parameter), value, &number);
                }
            }
            Handed::Out(value) => {
                let frame = before.state.frame(thread);
                let is_return = matches!(taken.action, Action::Return { .. });
                match (now.checked_sub(1).filter(|_| is_return), frame.and_then(|frame| frame.result)) {
                    (Some(caller), Some(register)) => hold(numbers, (thread, caller, register), value, &number),
                    (Some(_), None) => {}
                    (None, _) => result = Some(value),
                }
            }
        }
        let mut cells = Vec::new();
        for (cell, word) in &told.effect.cells {
            match *cell {
                CellKey::Bytes { object, start, size } => {
                    let object = self.objects.instance(object).ok_or_else(|| mismatch("an object has no name"))?;
                    cells.push((object, start, size, number(*word)));
                }
                CellKey::Ghost { object, offset, field } => {
                    let key = GhostKey { object: self.objects.instance(object), offset, field };
                    match number(*word) {
                        Some(term) => drop(numbers.ghosts.insert(key, term)),
                        None => drop(numbers.ghosts.remove(&key)),
                    }
                }
                CellKey::Alive(_) => {}
                CellKey::Size(_)
                | CellKey::Array(_)
                | CellKey::Changer { .. }
                | CellKey::Tally { .. }
                | CellKey::Note(..)
                | CellKey::Unjoined => return Err(mismatch("a cell is no part of a state")),
            }
        }
        // The result of a thread is kept for who joins it; that of the first one ends the process.
        if let Some(value) = result.filter(|_| after.state.exit_status().is_none() || thread != ThreadIndex(0)) {
            let Symbolic::Word(word) = value else { return Err(mismatch("a result is no word")) };
            let object = Some(Instance::Thread(thread));
            let key = GhostKey { object, offset: 0, field: GhostField::ThreadResult };
            if let Some(term) = number(*word) {
                let word = Word { bits: term, ..*word };
                let term = ghost_word(&mut self.builder, word, GHOST_WIDTH).bits;
                numbers.ghosts.insert(key, term);
            }
        }
        for (object, start, size, number) in cells {
            numbers.cut(&mut self.builder.terms, object, start, start + u64::from(size));
            if let Some(term) = number {
                numbers.bytes.insert((object, start), (size, term));
            }
        }
        Ok(())
    }
}

/// The answers to a question.
enum Listed {
    /// These.
    All(Vec<Value>),
    /// Very many numbers.
    Numbers,
    /// These addresses, and any number.
    AddressesAndNumbers(Vec<Value>),
}

/// The number of the running activation.
fn activation(state: &State, thread: ThreadIndex) -> usize {
    state.thread(thread).map_or(0, |thread| thread.frames.len()).saturating_sub(1)
}

/// Whether somebody may look at a register.
fn is_live(live: &[Live], state: &State, (thread, activation, register): Owned) -> bool {
    let frames = state.thread(thread).map_or(&[][..], |thread| &thread.frames);
    let Some(frame) = frames.get(activation) else { return false };
    // The register that the call above returns to is written before it is read.
    let awaited = frames.get(activation + 1).and_then(|above| above.result);
    awaited != Some(register) && live[frame.function.index()].at(frame.location).contains(&register)
}

/// The two semantics differ, or a state has no terms: nothing is claimed then.
fn mismatch(what: &str) -> Stopped {
    Stopped::Unsupported(format!("the symbolic semantics says otherwise: {what}"))
}

fn failed(error: selvedge_logic::Error) -> Stopped {
    Stopped::Unsupported(error.to_string())
}
