//! Loops whose number of rounds is told by how a counter goes: where it begins, what a round makes of it, and when there
//! is another round. Two loops of one *course* that are left where that is decided have made the same number of rounds,
//! whatever number that is; one that is left elsewhere has made no more.
//!
//! The counter is a register that a round assigns once, at its end. What else decides is a number ([`super::numbers`]), or
//! keeps its value from before the first of these loops on: a register that is assigned once in an execution, or memory
//! that nobody writes any more.

use selvedge_analysis::AbstractObject;
use selvedge_program::{
    AccessKind, Action, Base, BinaryOp, Bits, Budget, Edge, EdgeId, Expr, Function, FunctionId, Interpretation,
    LocationId, ObjectId, Place, RegisterId,
};

use super::names::Names;
use super::numbers::Numbers;

/// A loop with a course.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Where every round begins.
    pub header: LocationId,
    /// Taken after the last round.
    pub leave: EdgeId,
    /// Taken after every other one.
    pub back: EdgeId,
    /// By location, whether it belongs to the loop.
    pub body: Vec<bool>,
    /// Its course, by number.
    pub course: usize,
    counter: RegisterId,
}

/// How a counter goes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Course {
    start: Bits,
    next: Expr,
    stay: Expr,
}

/// What keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Register(FunctionId, RegisterId),
    Memory(ObjectId, u32),
}

/// More rounds than this are not counted.
const MOST_ROUNDS: i64 = 10_000;

/// In the terms of all loops, the counter; what keeps its value counts down from there.
const COUNTER: RegisterId = RegisterId(u32::MAX);

/// The courses of all loops.
#[derive(Debug)]
pub struct Courses<'a, 'p> {
    names: &'a Names<'p>,
    numbers: Numbers<'a, 'p>,
    all: Vec<Course>,
    kept: Vec<Kept>,
}

impl<'a, 'p> Courses<'a, 'p> {
    pub fn new(names: &'a Names<'p>, budget: &'a Budget) -> Courses<'a, 'p> {
        Courses { names, numbers: Numbers::new(names, budget), all: Vec::new(), kept: Vec::new() }
    }

    /// How many rounds a course has, if that is a constant.
    pub fn rounds(&self, course: usize) -> Option<i64> {
        let Course { start, next, stay } = &self.all[course];
        let mut value = *start;
        for rounds in 0..=MOST_ROUNDS {
            let at = |expr: &Expr| match expr.substitute(&mut |register, width| match register {
                COUNTER => Expr::Constant(value),
                other => Expr::register(other, width),
            }) {
                Expr::Constant(bits) => Some(bits),
                _ => None,
            };
            if at(stay)?.is_zero() {
                return Some(rounds);
            }
            value = at(next)?;
        }
        None
    }

    /// Where the counter of a course begins and what it never exceeds, if it goes up by one and does not wrap around: then it
    /// takes no number twice.
    pub fn goes_up(&self, course: usize) -> Option<(i64, i64)> {
        let Course { start, next, stay } = &self.all[course];
        let is_counter = |value: &Expr| matches!(value, Expr::Register(COUNTER, _));
        let is_next = match next {
            Expr::Binary(BinaryOp::Add, counter, by) => {
                is_counter(counter) && matches!(**by, Expr::Constant(by) if by.unsigned() == 1)
            }
            _ => false,
        };
        let first = i64::try_from(start.as_signed()).ok().filter(|first| is_next && *first >= 0)?;
        let largest = |bits: u32| (bits < 63).then(|| (1i64 << bits) - 1);
        let signed = largest(start.width() - 1);
        match (self.rounds(course), stay) {
            (Some(rounds), _) => {
                let last = first.checked_add(rounds)?;
                signed.is_none_or(|signed| last <= signed).then_some((first, last))
            }
            // What is less than something can be one more.
            (None, Expr::Binary(BinaryOp::LessUnsigned, counter, _)) if is_counter(counter) => {
                Some((first, largest(start.width())?))
            }
            (None, Expr::Binary(BinaryOp::LessSigned, counter, _)) if is_counter(counter) => Some((first, signed?)),
            _ => None,
        }
    }

    /// The loops of a function that have a course, inner ones before outer ones.
    pub fn loops(&mut self, id: FunctionId) -> Vec<Counted> {
        let function = self.names.program.function(id);
        let mut incoming = vec![Vec::new(); function.locations.len()];
        for edge in function.edges.iter().filter(|edge| edge.action.falls_through()) {
            incoming[edge.target.index()].push(edge);
        }
        let edges = (0..function.edges.len()).map(EdgeId::new);
        let mut found: Vec<Counted> = edges.filter_map(|back| self.counted(id, function, &incoming, back)).collect();
        found.retain(|counted| {
            let backs = incoming[counted.header.index()].iter().filter(|edge| counted.is_inside(edge.source));
            backs.count() == 1
        });
        found.sort_by_key(|counted| counted.body.iter().filter(|is_inside| **is_inside).count());
        found
    }

    fn counted(
        &mut self,
        id: FunctionId,
        function: &Function,
        incoming: &[Vec<&Edge>],
        back: EdgeId,
    ) -> Option<Counted> {
        let header = function.edge(back).target;
        let body = natural_loop(function, incoming, back)?;
        let is_inside = |location: LocationId| body[location.index()];
        // What is decided at the end of a straight way from the header.
        let (mut branch, mut chain) = (header, Vec::new());
        while let [only] = function.location(branch).outgoing.as_slice() {
            let edge = function.edge(*only);
            if !matches!(edge.action, Action::Load { .. } | Action::Assign { .. }) || !is_inside(edge.target) {
                return None;
            }
            chain.push(edge);
            branch = edge.target;
            if branch == header {
                return None;
            }
        }
        let [one, other] = function.location(branch).outgoing.as_slice() else { return None };
        let (stay, leave) = match (is_inside(function.edge(*one).target), is_inside(function.edge(*other).target)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => return None,
        };
        let condition = |edge: EdgeId| match &function.edge(edge).action {
            Action::Assume(condition) => Some(condition),
            _ => None,
        };
        let (stay, leave, left) = (condition(*stay)?, *leave, condition(*leave)?);
        if stay.clone().not() != *left && left.clone().not() != *stay {
            return None;
        }
        // The counter: the register that a round assigns at its end, on the way back to the header.
        let (advance, counter, next) = self.advance(function, &body, back, stay, &chain)?;
        if is_reached(function, &body, header, header, advance) {
            return None;
        }
        let starts = incoming[header.index()].iter().filter(|edge| !is_inside(edge.source));
        let mut starts = starts.map(|edge| constant_after(function, incoming, edge, counter));
        let start = starts.next()??;
        if starts.any(|other| other != Some(start)) {
            return None;
        }
        let mut counted = Counted { header, leave, back, body, course: 0, counter };
        let stay = self.decided(id, function, &counted, stay, &chain)?;
        let course = Course { start, next: self.decided(id, function, &counted, next, &[])?, stay };
        counted.course = self.all.iter().position(|other| *other == course).unwrap_or(self.all.len());
        if counted.course == self.all.len() {
            self.all.push(course);
        }
        Some(counted)
    }

    /// The edge that advances the counter of a loop, the counter, and what it becomes.
    fn advance<'f>(
        &self,
        function: &'f Function,
        body: &[bool],
        back: EdgeId,
        stay: &Expr,
        chain: &[&Edge],
    ) -> Option<(EdgeId, RegisterId, &'f Expr)> {
        let inside = || function.edges.iter().enumerate().filter(|(_, edge)| body[edge.source.index()]);
        let mut looked_at = Vec::new();
        stay.for_each_register(&mut |register| looked_at.push(register));
        for edge in chain {
            if let Action::Assign { value, .. } = &edge.action {
                value.for_each_register(&mut |register| looked_at.push(register));
            }
        }
        let header = function.edge(back).target;
        let ends_round = |edge: &Edge| {
            let mut at = edge.target;
            while at != header {
                let [only] = function.location(at).outgoing.as_slice() else { return false };
                let next = function.edge(*only);
                if !matches!(next.action, Action::Assign { .. }) {
                    return false;
                }
                at = next.target;
            }
            true
        };
        inside().find_map(|(index, edge)| match &edge.action {
            Action::Assign { target, value } if looked_at.contains(target) && ends_round(edge) => {
                let assigning = inside().filter(|(_, edge)| edge.action.assigned().contains(target));
                (assigning.count() == 1).then_some((EdgeId::new(index), *target, value))
            }
            _ => None,
        })
    }

    /// An expression at the end of a straight way from a loop's header, in the terms of all loops.
    fn decided(
        &mut self,
        id: FunctionId,
        function: &Function,
        counted: &Counted,
        value: &Expr,
        chain: &[&Edge],
    ) -> Option<Expr> {
        let mut is_known = true;
        let value = value.substitute(&mut |register, width| {
            let found = match chain.iter().rposition(|edge| edge.action.assigned().contains(&register)) {
                Some(place) => match &chain[place].action {
                    Action::Assign { value, .. } => self.decided(id, function, counted, value, &chain[..place]),
                    Action::Load { access, interpretation, .. } => {
                        let is_number = *interpretation == Interpretation::Value;
                        let number = if is_number { self.numbers.load(id, chain[place].source, access) } else { None };
                        let number = number.filter(|number| number.width() == width).map(Expr::Constant);
                        let has_company = self.names.life().has_company(id, counted.header);
                        number.or_else(|| if has_company { self.memory(&access.place, width) } else { None })
                    }
                    _ => None,
                },
                None if register == counted.counter => Some(Expr::register(COUNTER, width)),
                None => {
                    let number = self.numbers.register(id, counted.header, register);
                    let number = number.filter(|number| number.width() == width).map(Expr::Constant);
                    number.or_else(|| self.register(id, function, counted.header, register, width))
                }
            };
            is_known &= found.is_some();
            found.unwrap_or_else(|| Expr::constant(width, 0))
        });
        is_known.then_some(value)
    }

    fn keep(&mut self, kept: Kept, width: u32) -> Expr {
        let place = self.kept.iter().position(|other| *other == kept).unwrap_or(self.kept.len());
        if place == self.kept.len() {
            self.kept.push(kept);
        }
        Expr::register(RegisterId(COUNTER.0 - 1 - u32::try_from(place).unwrap_or(0)), width)
    }

    /// A register that holds, wherever a location is reached from, what it was assigned once in an execution.
    fn register(
        &mut self,
        id: FunctionId,
        function: &Function,
        at: LocationId,
        register: RegisterId,
        width: u32,
    ) -> Option<Expr> {
        let life = self.names.life();
        if !life.is_once(id, function.entry) {
            return None;
        }
        let mut assigning =
            function.edges.iter().enumerate().filter(|(_, edge)| edge.action.assigned().contains(&register));
        let is_kept = match (assigning.next(), assigning.next()) {
            (None, _) => function.parameters.contains(&register),
            (Some((index, edge)), None) => {
                let everywhere = vec![true; function.locations.len()];
                !function.parameters.contains(&register)
                    && life.is_once(id, edge.source)
                    && !is_reached(function, &everywhere, function.entry, at, EdgeId::new(index))
                    && at != function.entry
            }
            _ => false,
        };
        is_kept.then(|| self.keep(Kept::Register(id, register), width))
    }

    /// Static memory that is written before threads are started, if at all: from wherever a thread may have been started
    /// by then, no way leads to a write, so that the same is found there each time.
    fn memory(&mut self, place: &Place, width: u32) -> Option<Expr> {
        let Place::Memory { address: Expr::Address(Base::Object(object), _), .. } = place else { return None };
        let written = AbstractObject::Static(*object);
        let program = self.names.program;
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            for edge in function.edges.iter().filter(|edge| self.names.life().has_company(id, edge.source)) {
                let mut writes = edge.action.touches().into_iter().filter(|touch| touch.mode.kind == AccessKind::Write);
                if writes.any(|touch| self.names.targets(id, touch.address).iter().any(|to| to.object == written)) {
                    return None;
                }
            }
        }
        Some(self.keep(Kept::Memory(*object, width), width))
    }

    /// An expression at an edge of a loop, in the terms of all loops: what it is in a round depends on the counter
    /// alone.
    pub fn in_round(&mut self, id: FunctionId, counted: &Counted, edge: EdgeId, value: &Expr) -> Option<Expr> {
        let function = self.names.program.function(id);
        let source = function.edge(edge).source;
        let mut is_known = true;
        let value = value.substitute(&mut |register, width| {
            let mut assigning =
                function.edges.iter().enumerate().filter(|(_, edge)| edge.action.assigned().contains(&register));
            let found = if register == counted.counter {
                Some(Expr::register(COUNTER, width))
            } else if let (Some((index, by)), None) = (assigning.next(), assigning.next())
                && counted.is_inside(by.source)
            {
                let is_passed = !is_reached(function, &counted.body, counted.header, source, EdgeId::new(index))
                    && source != counted.header;
                match &by.action {
                    Action::Assign { value, .. } if is_passed => self.in_round(id, counted, EdgeId::new(index), value),
                    _ => None,
                }
            } else {
                self.register(id, function, counted.header, register, width)
            };
            is_known &= found.is_some();
            found.unwrap_or_else(|| Expr::constant(width, 0))
        });
        is_known.then_some(value)
    }
}

impl Counted {
    pub fn counter(&self) -> RegisterId {
        self.counter
    }

    pub fn is_inside(&self, location: LocationId) -> bool {
        self.body[location.index()]
    }

    /// Whether every round passes an edge.
    pub fn passes(&self, function: &Function, edge: EdgeId) -> bool {
        self.is_inside(function.edge(edge).source) && !is_reached(function, &self.body, self.header, self.header, edge)
    }
}

/// Whether a location is reached from another by one edge or more, within some locations and without one edge.
pub fn is_reached(function: &Function, within: &[bool], from: LocationId, to: LocationId, without: EdgeId) -> bool {
    let mut is_seen = vec![false; function.locations.len()];
    let mut pending = vec![from];
    while let Some(location) = pending.pop() {
        for edge_id in function.location(location).outgoing.iter().filter(|edge| **edge != without) {
            let edge = function.edge(*edge_id);
            if !edge.action.falls_through() || !within[edge.target.index()] {
                continue;
            }
            if edge.target == to {
                return true;
            }
            if !std::mem::replace(&mut is_seen[edge.target.index()], true) {
                pending.push(edge.target);
            }
        }
    }
    false
}

/// The locations from which an edge is reached without passing its target; `None` if others than that are entered from
/// elsewhere.
fn natural_loop(function: &Function, incoming: &[Vec<&Edge>], back: EdgeId) -> Option<Vec<bool>> {
    let edge = function.edge(back);
    if !edge.action.falls_through() {
        return None;
    }
    let mut body = vec![false; function.locations.len()];
    body[edge.target.index()] = true;
    let mut pending = vec![edge.source];
    while let Some(location) = pending.pop() {
        if std::mem::replace(&mut body[location.index()], true) {
            continue;
        }
        if location == function.entry {
            return None;
        }
        pending.extend(incoming[location.index()].iter().map(|edge| edge.source));
    }
    Some(body)
}

/// The constant that a register holds after an edge, if it was assigned on the one way there.
fn constant_after(function: &Function, incoming: &[Vec<&Edge>], edge: &Edge, register: RegisterId) -> Option<Bits> {
    let mut edge = edge;
    for _ in 0..function.edges.len() {
        if edge.action.assigned().contains(&register) {
            return match &edge.action {
                Action::Assign { value: Expr::Constant(bits), .. } => Some(*bits),
                _ => None,
            };
        }
        if edge.source == function.entry {
            return None;
        }
        let [before] = incoming[edge.source.index()].as_slice() else { return None };
        edge = before;
    }
    None
}
