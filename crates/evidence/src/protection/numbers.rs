//! Registers that hold one number whenever they are used, also if that was kept in memory meanwhile: how many threads a
//! pool has is an argument of who makes it, and a member of the pool for who joins them.
//!
//! A parameter is the number that all calls and starts pass. A register that one edge assigns is what that assigns,
//! wherever no way leads to but by that edge. A load finds the number that all writes to the very place that it reads
//! leave there, whoever makes them and whenever, if something has been written there by then ([`Written`]) or was there
//! from the beginning.

use rustc_hash::FxHashMap;
use selvedge_analysis::{AbstractObject, Offset, Target};
use selvedge_program::{
    Access, AccessKind, Action, Bits, Budget, Edge, EdgeId, Expr, FunctionId, Interpretation, LocationId, Place,
    RegisterId, Touched, Transfer,
};

use super::names::Names;
use super::rounds::is_reached;
use super::written::{Written, Zeros};

/// What is known of numbers.
#[derive(Debug)]
pub struct Numbers<'a, 'p> {
    names: &'a Names<'p>,
    budget: &'a Budget,
    written: Option<Written<'a, 'p>>,
    /// By parameter, and by edge that assigns; none as long as it is being found out.
    given: FxHashMap<(FunctionId, RegisterId), Option<Bits>>,
    assigned: FxHashMap<(FunctionId, EdgeId), Option<Bits>>,
}

impl<'a, 'p> Numbers<'a, 'p> {
    pub fn new(names: &'a Names<'p>, budget: &'a Budget) -> Numbers<'a, 'p> {
        Numbers { names, budget, written: None, given: FxHashMap::default(), assigned: FxHashMap::default() }
    }

    /// What a register holds whenever a thread is at a location, if that is always one number.
    pub fn register(&mut self, id: FunctionId, at: LocationId, register: RegisterId) -> Option<Bits> {
        let function = self.names.program.function(id);
        let mut assigning =
            function.edges.iter().enumerate().filter(|(_, edge)| edge.action.assigned().contains(&register));
        let is_parameter = function.parameters.contains(&register);
        match (assigning.next(), assigning.next()) {
            (None, _) if is_parameter => self.parameter(id, register),
            (Some((index, _)), None) if !is_parameter => {
                let everywhere = vec![true; function.locations.len()];
                let edge = EdgeId::new(index);
                let is_assigned = at != function.entry && !is_reached(function, &everywhere, function.entry, at, edge);
                if is_assigned { self.by(id, edge) } else { None }
            }
            _ => None,
        }
    }

    /// What an expression is whenever a thread is at a location.
    fn value(&mut self, id: FunctionId, at: LocationId, value: &Expr) -> Option<Bits> {
        let with_numbers = value.substitute(&mut |register, width| match self.register(id, at, register) {
            Some(bits) if bits.width() == width => Expr::Constant(bits),
            _ => Expr::register(register, width),
        });
        match with_numbers {
            Expr::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    fn parameter(&mut self, id: FunctionId, register: RegisterId) -> Option<Bits> {
        if let Some(known) = self.given.get(&(id, register)) {
            return *known;
        }
        self.given.insert((id, register), None);
        let found = self.passed(id, register);
        self.given.insert((id, register), found);
        found
    }

    /// What all who enter a function pass for a parameter.
    fn passed(&mut self, id: FunctionId, register: RegisterId) -> Option<Bits> {
        let (program, life) = (self.names.program, self.names.life());
        // Nobody is known to pass what `main` is given.
        if program.main() == Some(id) {
            return None;
        }
        let position = program.function(id).parameters.iter().position(|parameter| *parameter == register)?;
        let mut common = None;
        let entering = life.entering.iter().flatten().filter(|entering| life.is_run[entering.at.0.index()]);
        for entering in entering.filter(|entering| entering.entered.contains(&id)) {
            let (by, edge) = entering.at;
            let arguments = match program.function(by).edge(edge).action.transfer() {
                Transfer::Call { arguments, .. } | Transfer::Spawn { arguments, .. } => arguments,
                _ => return None,
            };
            let passed = self.value(by, entering.source, arguments.get(position)?)?;
            if common.is_some_and(|common| common != passed) {
                return None;
            }
            common = Some(passed);
        }
        common
    }

    /// What an edge assigns to the one register that it assigns.
    fn by(&mut self, id: FunctionId, edge: EdgeId) -> Option<Bits> {
        if let Some(known) = self.assigned.get(&(id, edge)) {
            return *known;
        }
        self.assigned.insert((id, edge), None);
        let Edge { action, source, .. } = self.names.program.function(id).edge(edge);
        let found = match action {
            Action::Assign { value, .. } => self.value(id, *source, value),
            Action::Load { access, interpretation: Interpretation::Value, .. } => self.load(id, *source, access),
            _ => None,
        };
        self.assigned.insert((id, edge), found);
        found
    }

    /// What a load finds.
    pub fn load(&mut self, id: FunctionId, at: LocationId, access: &Access) -> Option<Bits> {
        let Place::Memory { address, size, .. } = &access.place else { return None };
        let [Target { object, offset: Offset { start, stride: 0 } }] = *self.names.targets(id, address) else {
            return None;
        };
        let kept = self.left(object, start, u64::from(*size))?;
        let is_there = match object {
            AbstractObject::Static(object) => {
                let initial = self.names.program.object(object).initial.iter();
                let mut there = initial.filter(|initial| {
                    let begins = i64::try_from(initial.offset).unwrap_or(i64::MAX);
                    exactly(begins).may_overlap(u64::from(initial.size), exactly(start), u64::from(*size))
                });
                match (there.next(), there.next()) {
                    (None, _) => kept.is_zero(),
                    (Some(initial), None) => {
                        i64::try_from(initial.offset) == Ok(start)
                            && initial.size == *size
                            && initial.value == Expr::Constant(kept)
                    }
                    _ => false,
                }
            }
            AbstractObject::Site(_) | AbstractObject::Frame(..) => {
                if self.written.is_none() {
                    self.written = Written::of(self.names, Zeros::AreNothing, self.budget).ok();
                }
                self.written.as_ref().is_some_and(|written| written.is_written(id, at, access))
            }
            AbstractObject::Function(_) | AbstractObject::Thread | AbstractObject::Started(_) => false,
        };
        is_there.then_some(kept)
    }

    /// The number that all writes leave at a place of an object, if all are to that very place.
    fn left(&mut self, object: AbstractObject, start: i64, size: u64) -> Option<Bits> {
        let names = self.names;
        let mut common = None;
        let functions = names.program.functions.iter().enumerate();
        for (index, function) in functions.filter(|(index, _)| names.life().is_run[*index]) {
            let id = FunctionId::new(index);
            for edge in &function.edges {
                for touch in edge.action.touches() {
                    let (bytes, is_exact) = match touch.what {
                        _ if touch.mode.kind == AccessKind::Read => continue,
                        Touched::Bytes(bytes) => (bytes, true),
                        Touched::CString => (1, false),
                        // Of what is freed nobody reads anything.
                        Touched::Ghost(_) | Touched::Whole => continue,
                    };
                    let targets = names.targets(id, touch.address);
                    let mut there = targets.iter().filter(|target| target.object == object);
                    if !there.any(|at| !is_exact || at.offset.may_overlap(bytes, exactly(start), size)) {
                        continue;
                    }
                    let Action::Store { access: Access { place: Place::Memory { address, .. }, .. }, value } =
                        &edge.action
                    else {
                        return None;
                    };
                    let is_there = address == touch.address
                        && bytes == size
                        && targets.iter().all(|at| at.object != object || at.offset == exactly(start));
                    let stored = if is_there { self.value(id, edge.source, value)? } else { return None };
                    if common.is_some_and(|common| common != stored) {
                        return None;
                    }
                    common = Some(stored);
                }
            }
        }
        common
    }
}

fn exactly(start: i64) -> Offset {
    Offset { start, stride: 0 }
}
