//! What functions of a library are called with: any numbers, and pointers by what they point to.
//!
//! A struct of a type that a function of the set-up takes or returns is shared by all callers. Where the set-up says
//! nothing of types, or there is none, a struct is either that or a new one. Any other struct is a new one for each call,
//! all zeros; a number, a pointer or some characters are the calling thread's own, with any contents. A pointer to `void`
//! is one to new memory, a pointer to a function one to a function that does nothing. Null is given where the function
//! checks for it. All of this is said with the verdict.

use super::Uninitialised;
use super::builder::{FunctionBuilder, ProgramBuilder};
use super::callers::Routine;
use super::command_line::{TEXT, fill_text};
use super::models::externals::has_pointers;
use super::shape::shape;
use super::values::{display, width};
use super::whole::Whole;
use crate::types::{Qualified, Type, TypeId, Types};
use selvedge_program::{
    Action, Atomicity, Base, Diagnostic, Display, Expr, FrameObject, FrameObjectId, FunctionId, InitialContents,
    Object, ObjectId, ObjectKind, Shape, Span, Storage,
};
use std::collections::{BTreeMap, BTreeSet};

/// A parameter of a function that is called.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// The number that the user names.
    pub fixed: Option<i128>,
    /// Whether the function handles null there.
    pub may_be_null: bool,
}

/// Objects of a type that callers share.
#[derive(Clone, Debug)]
struct Shared {
    ty: TypeId,
    /// The objects, or what holds the pointers to them that the set-up has returned.
    objects: Vec<ObjectId>,
    is_returned: bool,
}

/// What callers give.
#[derive(Clone, Debug, Default)]
pub struct Given {
    shared: Vec<Shared>,
    /// Whether a struct that callers share may be a new one as well.
    or_new: bool,
    callbacks: BTreeMap<TypeId, FunctionId>,
    /// Where the last call may have left pointers for its caller, with the types of these.
    left: Vec<(TypeId, Expr)>,
    assumptions: BTreeSet<String>,
}

/// Which of the objects of each type come first in a call.
#[derive(Clone, Debug, Default)]
pub struct Turn(Vec<Option<Expr>>);

/// A call that arguments are found for.
#[derive(Clone, Copy, Debug)]
pub struct Calling<'c> {
    /// Whom.
    pub routine: &'c Routine,
    /// Which objects it is about.
    pub turn: &'c Turn,
    /// What earlier calls in a row have returned.
    pub results: &'c [(TypeId, Expr)],
    /// Whether it belongs to the set-up.
    pub is_setup: bool,
}

impl Given {
    /// What callers of some functions share.
    pub fn of(whole: &Whole<'_>, program: &mut ProgramBuilder, setup: &[Routine], calls: &[Vec<Routine>]) -> Given {
        let mut given = Given::default();
        for routine in setup {
            for pointer in results(whole.types(), routine) {
                given.share(whole, program, routine, pointer, true);
            }
        }
        given.share_parameters(whole, program, setup);
        if given.shared.is_empty() {
            given.or_new = true;
            calls.iter().for_each(|item| given.share_parameters(whole, program, item));
        }
        given.name_returned(whole.types(), program, calls);
        let most = |given: &Given, ty: TypeId| {
            let routines = setup.iter().chain(calls.iter().flatten());
            routines.map(|routine| given.count(whole.types(), routine, ty)).max().unwrap_or(1).max(1)
        };
        for index in 0..given.shared.len() {
            let Shared { ty, objects, .. } = given.shared[index].clone();
            for number in 1..most(&given, ty) {
                let first = program.objects[objects[0].index()].clone();
                let object = Object { name: format!("{}{}", first.name, number + 1), ..first };
                given.shared[index].objects.push(program.add_object(object));
            }
        }
        given
    }

    /// Calls what holds a pointer that the set-up has returned as the functions do that take it.
    fn name_returned(&self, types: &Types, program: &mut ProgramBuilder, calls: &[Vec<Routine>]) {
        for shared in self.shared.iter().filter(|shared| shared.is_returned) {
            let is_it = |parameter: &&Parameter| {
                record_target(types, parameter.ty).is_some_and(|ty| types.compatible_between_units(ty, shared.ty))
            };
            let mut parameters = calls.iter().flatten().flat_map(|routine| &routine.parameters);
            if let Some(parameter) = parameters.find(is_it) {
                program.objects[shared.objects[0].index()].name.clone_from(&parameter.name);
            }
        }
    }

    /// Shares what functions that are called in a row take, but for what one of them has returned.
    fn share_parameters(&mut self, whole: &Whole<'_>, program: &mut ProgramBuilder, routines: &[Routine]) {
        let types = whole.types();
        for (position, routine) in routines.iter().enumerate() {
            for parameter in &routine.parameters {
                let Some(ty) = record_target(types, parameter.ty) else { continue };
                let is_it = |earlier: &Routine| {
                    record_target(types, earlier.result())
                        .is_some_and(|result| types.compatible_between_units(result, ty))
                };
                if !routines[..position].iter().any(is_it) {
                    self.share(whole, program, routine, parameter.ty, false);
                }
            }
        }
    }

    /// Adds an object that pointers of a type point to, or what holds such a pointer, unless there is one.
    fn share(
        &mut self,
        whole: &Whole<'_>,
        program: &mut ProgramBuilder,
        by: &Routine,
        pointer: TypeId,
        is_returned: bool,
    ) {
        let (types, names) = (whole.types(), whole.names());
        let Some(ty) = record_target(types, pointer) else { return };
        let size = if is_returned { Some(u64::from(types.data_model.pointer_size())) } else { types.size(ty) };
        let (Some(size), None) = (size, self.shared_index(types, ty)) else { return };
        let is_of_type = |parameter: &&Parameter| record_target(types, parameter.ty) == Some(ty);
        let parameter = by.parameters.iter().find(is_of_type).map(|parameter| parameter.name.clone());
        let object = match is_returned {
            true => Object {
                name: format!("what {} returned", by.name),
                kind: ObjectKind::Global,
                size,
                align: types.data_model.pointer_size(),
                initial: Vec::new(),
                initial_ghosts: Vec::new(),
                shape: Shape::Scalar { size: types.data_model.pointer_size(), display: Display::Pointer },
                type_name: types.name(pointer, names),
                span: by.span,
            },
            false => Object {
                name: parameter.unwrap_or_else(|| "shared".to_owned()),
                kind: ObjectKind::Global,
                size,
                align: types.variable_align(ty),
                initial: Vec::new(),
                initial_ghosts: Vec::new(),
                shape: shape(types, names, ty),
                type_name: types.name(ty, names),
                span: by.span,
            },
        };
        let objects = vec![program.add_object(object)];
        self.shared.push(Shared { ty, objects, is_returned });
    }

    fn shared_index(&self, types: &Types, ty: TypeId) -> Option<usize> {
        self.shared.iter().position(|shared| types.compatible_between_units(shared.ty, ty))
    }

    /// How many parameters of a function point to a type.
    fn count(&self, types: &Types, routine: &Routine, ty: TypeId) -> usize {
        let is_it = |parameter: &&Parameter| {
            record_target(types, parameter.ty).is_some_and(|target| types.compatible_between_units(target, ty))
        };
        routine.parameters.iter().filter(is_it).count()
    }

    /// How often a function of the set-up is called: for each of the objects that it sets up.
    pub fn turns(&self, whole: &Whole<'_>, routine: &Routine) -> usize {
        let types = whole.types();
        let is_it = |shared: &Shared, pointer: TypeId| {
            record_target(types, pointer).is_some_and(|ty| types.compatible_between_units(ty, shared.ty))
        };
        let concerns = |shared: &&Shared| {
            results(types, routine).into_iter().any(|pointer| is_it(shared, pointer))
                || self.count(types, routine, shared.ty) > 0
        };
        self.shared.iter().filter(concerns).map(|shared| shared.objects.len()).max().unwrap_or(1)
    }

    /// Whether there is something to call all functions with; says what is missing.
    pub fn is_possible<'r>(&self, whole: &mut Whole<'_>, routines: impl Iterator<Item = &'r Routine>) -> bool {
        let types = whole.types();
        let mut is_possible = true;
        for routine in routines {
            for parameter in &routine.parameters {
                let target = types.pointee(parameter.ty);
                let why = if types.is_aggregate(parameter.ty) && has_pointers(types, parameter.ty) {
                    "a struct with pointers in it"
                } else if target.is_some_and(|target| self.is_opaque(types, target)) {
                    "a pointer to what these files do not define: name a function that returns one with `--setup`"
                } else {
                    continue;
                };
                let message = format!("`{}` takes `{}`, {why}", routine.name, parameter.name);
                whole.diagnostics.push(Diagnostic::error(routine.span, message));
                is_possible = false;
            }
        }
        is_possible
    }

    fn is_opaque(&self, types: &Types, target: Qualified) -> bool {
        let is_sized = types.size(target.ty).is_some() || target.ty == Types::VOID;
        !is_sized && types.function_type(target.ty).is_none() && self.shared_index(types, target.ty).is_none()
    }

    /// Any order of the objects of each type that the calls of an item take.
    pub fn any_turn(&self, whole: &Whole<'_>, builder: &mut FunctionBuilder<'_>, item: &[Routine]) -> Turn {
        let mut turn = Turn::default();
        for shared in &self.shared {
            let is_taken = item.iter().any(|routine| self.count(whole.types(), routine, shared.ty) > 0);
            let choice = (is_taken && shared.objects.len() > 1).then(|| {
                let bits = usize::BITS - (shared.objects.len() - 1).leading_zeros();
                builder.havoc(bits, Display::Unsigned)
            });
            turn.0.push(choice);
        }
        turn
    }

    /// The arguments of a call of the set-up, for the object of a number.
    pub fn setup_arguments(
        &mut self,
        whole: &Whole<'_>,
        builder: &mut FunctionBuilder<'_>,
        routine: &Routine,
        turn: usize,
    ) -> Vec<Expr> {
        let turn = Turn(self.shared.iter().map(|_| Some(Expr::constant(8, turn as u128))).collect());
        self.arguments(whole, builder, Calling { routine, turn: &turn, results: &[], is_setup: true })
    }

    /// The arguments of a call.
    pub fn arguments(
        &mut self,
        whole: &Whole<'_>,
        builder: &mut FunctionBuilder<'_>,
        calling: Calling<'_>,
    ) -> Vec<Expr> {
        self.left.clear();
        let mut taken = vec![0; self.shared.len()];
        let indices = 0..calling.routine.parameters.len();
        indices.map(|index| self.argument(whole, builder, calling, index, &mut taken)).collect()
    }

    fn argument(
        &mut self,
        whole: &Whole<'_>,
        builder: &mut FunctionBuilder<'_>,
        calling: Calling<'_>,
        index: usize,
        taken: &mut [usize],
    ) -> Expr {
        let types = whole.types();
        let Calling { routine, turn, results, is_setup } = calling;
        let parameter = &routine.parameters[index];
        let left =
            left_by(types, parameter).and_then(|pointer| self.shared_index(types, record_target(types, pointer)?));
        if let Some(shared) = left.filter(|shared| is_setup && self.shared[*shared].is_returned) {
            return self.shared_place(builder, shared, turn, 0);
        }
        if let Some(number) = parameter.fixed {
            return Expr::signed(width(types, parameter.ty), number);
        }
        let Some(target) = types.pointee(parameter.ty) else {
            return self.number(whole, builder, routine, index);
        };
        let same = |(ty, _): &&(TypeId, Expr)| {
            types.pointee(*ty).is_some_and(|returned| types.compatible_between_units(returned.ty, target.ty))
        };
        if let Some((_, result)) = results.iter().rev().find(same) {
            return result.clone();
        }
        let value = match self.shared_index(types, target.ty) {
            Some(shared) => {
                let first = taken[shared];
                taken[shared] += 1;
                let object = self.shared_object(builder, shared, turn, first);
                match self.or_new {
                    false => object,
                    true => {
                        let new = self.new_object(whole, builder, target.ty);
                        choose(builder, new, object)
                    }
                }
            }
            None => self.own(whole, builder, routine, index, target),
        };
        self.assumptions
            .insert("a pointer is null only where the function handles null, other than by an assertion".to_owned());
        if !parameter.may_be_null {
            return value;
        }
        let null = builder.null();
        choose(builder, null, value)
    }

    /// The object of a type that comes so many after the first in a call.
    fn shared_object(&mut self, builder: &mut FunctionBuilder<'_>, index: usize, turn: &Turn, after: usize) -> Expr {
        let place = self.shared_place(builder, index, turn, after);
        if !self.shared[index].is_returned {
            return place;
        }
        let size = builder.program.data_model.pointer_size();
        builder.load(place, size, size, Atomicity::Plain, Display::Pointer)
    }

    /// Where that is, or where the pointer to it is kept.
    fn shared_place(&self, builder: &mut FunctionBuilder<'_>, index: usize, turn: &Turn, after: usize) -> Expr {
        let objects = &self.shared[index].objects;
        let at = |builder: &FunctionBuilder<'_>, position: usize| {
            builder.address(Base::Object(objects[position % objects.len()]))
        };
        let mut place = at(builder, after);
        if let Some(choice) = turn.0.get(index).cloned().flatten().filter(|_| objects.len() > 1) {
            for position in 1..objects.len() {
                let is_it = Expr::equal(choice.clone(), Expr::constant(choice.width(), position as u128));
                let other = at(builder, after + position);
                place = Expr::if_then_else(is_it, other, place);
            }
        }
        builder.hold(place, Display::Pointer)
    }

    /// Any number; few where it may say how long something is.
    fn number(
        &mut self,
        whole: &Whole<'_>,
        builder: &mut FunctionBuilder<'_>,
        routine: &Routine,
        index: usize,
    ) -> Expr {
        let types = whole.types();
        let parameter = &routine.parameters[index];
        let bits = width(types, parameter.ty);
        if types.is_aggregate(parameter.ty) {
            let object = self.local(whole, builder, &parameter.name, parameter.ty);
            builder.emit(Action::Forget { object });
            return builder.address(Base::Frame(object));
        }
        if matches!(types.get(parameter.ty), Type::Bool) {
            return builder.havoc(1, Display::Bool).resize_unsigned(bits);
        }
        let before = index.checked_sub(1).and_then(|before| types.pointee(routine.parameters[before].ty));
        if types.is_integer(parameter.ty) && before.is_some_and(|target| is_buffer(types, target)) {
            let (name, buffer) = (&parameter.name, &routine.parameters[index - 1].name);
            self.assumptions.insert(format!(
                "`{name}` of `{}` is less than 16, as it may be the length of `{buffer}`, which has 16 bytes",
                routine.name
            ));
            return builder.havoc(4, Display::Unsigned).resize_unsigned(bits);
        }
        builder.havoc(bits, display(types, parameter.ty))
    }

    /// What belongs to the caller alone.
    fn own(
        &mut self,
        whole: &Whole<'_>,
        builder: &mut FunctionBuilder<'_>,
        routine: &Routine,
        index: usize,
        target: Qualified,
    ) -> Expr {
        let types = whole.types();
        let parameter = &routine.parameters[index];
        let next = routine.parameters.get(index + 1).is_some_and(|next| types.is_integer(next.ty));
        let type_name = types.name(parameter.ty, whole.names());
        match types.get(target.ty) {
            Type::Function(_) => self.callback(whole, builder, target.ty),
            Type::Void if !next => {
                self.assumptions.insert(format!("what is given as `{type_name}` points to new memory of 16 bytes"));
                allocate(builder, TEXT, InitialContents::Indeterminate, Shape::Opaque)
            }
            _ if is_buffer(types, target) => {
                let what = "what is given as";
                self.assumptions.insert(format!(
                    "{what} `{type_name}` points to 16 bytes of the calling thread with any contents and a 0 at the end"
                ));
                let object = self.bytes(builder, routine, parameter, TEXT, Shape::Opaque, 16);
                builder.emit(Action::Forget { object });
                fill_text(builder, object, whole.options.uninitialised);
                builder.address(Base::Frame(object))
            }
            Type::Pointer(_) => {
                let object = self.local(whole, builder, &parameter.name, target.ty);
                let (address, null) = (builder.address(Base::Frame(object)), builder.null());
                builder.store(address.clone(), builder.program.data_model.pointer_size(), null, Atomicity::Plain);
                self.assumptions
                    .insert(format!("what is given as `{type_name}` points to a null of the calling thread"));
                self.left.push((target.ty, address.clone()));
                address
            }
            Type::Record(_) => self.new_object(whole, builder, target.ty),
            _ => {
                self.assumptions.insert(format!("what is given as `{type_name}` belongs to the calling thread"));
                let object = self.local(whole, builder, &parameter.name, target.ty);
                let address = builder.address(Base::Frame(object));
                builder.emit(Action::Forget { object });
                if whole.options.uninitialised == Uninitialised::Undefined && types.is_scalar(target.ty) {
                    let value = builder.havoc(width(types, target.ty), display(types, target.ty));
                    builder.store(address.clone(), types.align(target.ty), value, Atomicity::Plain);
                }
                address
            }
        }
    }

    /// A new struct, all zeros.
    fn new_object(&mut self, whole: &Whole<'_>, builder: &mut FunctionBuilder<'_>, ty: TypeId) -> Expr {
        let (types, names) = (whole.types(), whole.names());
        let Some(size) = types.size(ty) else { return builder.null() };
        let name = types.name(ty, names);
        self.assumptions.insert(format!("a new `{name}` is all zeros, and given to one call"));
        allocate(builder, size, InitialContents::Zero, shape(types, names, ty))
    }

    fn local(&self, whole: &Whole<'_>, builder: &mut FunctionBuilder<'_>, name: &str, ty: TypeId) -> FrameObjectId {
        let types = whole.types();
        builder.frame_object(FrameObject {
            name: name.to_owned(),
            size: types.size(ty).unwrap_or(1),
            align: types.align(ty),
            shape: shape(types, whole.names(), ty),
            type_name: types.name(ty, whole.names()),
            span: builder.span,
        })
    }

    fn bytes(
        &self,
        builder: &mut FunctionBuilder<'_>,
        routine: &Routine,
        parameter: &Parameter,
        size: u64,
        shape: Shape,
        align: u32,
    ) -> FrameObjectId {
        let (name, span) = (parameter.name.clone(), routine.span);
        builder.frame_object(FrameObject { name, size, align, shape, type_name: "char []".to_owned(), span })
    }

    /// A function of a type that does nothing and returns anything.
    fn callback(&mut self, whole: &Whole<'_>, builder: &mut FunctionBuilder<'_>, ty: TypeId) -> Expr {
        let types = whole.types();
        self.assumptions.insert("functions that are given do nothing and return any number, or null".to_owned());
        let id = match self.callbacks.get(&ty) {
            Some(id) => *id,
            None => {
                let id = builder.program.reserve_function();
                let mut function = FunctionBuilder::new(builder.program, id, "callback", Span::NOWHERE);
                if let Some(ty) = types.function_type(ty) {
                    for parameter in &ty.parameters {
                        function.parameter(None, width(types, parameter.ty), display(types, parameter.ty));
                    }
                    let is_pointer = types.is_pointer(ty.result.ty);
                    let is_nothing = ty.result.ty == Types::VOID || types.is_aggregate(ty.result.ty);
                    let bits = (!is_nothing).then(|| width(types, ty.result.ty));
                    function.set_result_width(bits);
                    let value = bits.map(|bits| match is_pointer {
                        true => function.null(),
                        false => function.havoc(bits, display(types, ty.result.ty)),
                    });
                    function.emit_last(Action::Return { value });
                }
                function.finish();
                builder.program.address_taken.insert(id);
                self.callbacks.insert(ty, id);
                id
            }
        };
        builder.address(Base::Function(id))
    }

    /// The pointers of some type that the last call has left where it was told to, for those who take such pointers.
    pub fn left(
        &self,
        whole: &Whole<'_>,
        builder: &mut FunctionBuilder<'_>,
        takers: &[Routine],
    ) -> Vec<(TypeId, Expr)> {
        let (types, size) = (whole.types(), builder.program.data_model.pointer_size());
        let targets = takers.iter().flat_map(|routine| &routine.parameters).filter_map(|taken| types.pointee(taken.ty));
        let targets: Vec<TypeId> = targets.map(|target| target.ty).collect();
        let is_taken = |(ty, _): &&(TypeId, Expr)| {
            let mut targets = targets.iter();
            types.pointee(*ty).is_some_and(|own| targets.any(|taken| types.compatible_between_units(own.ty, *taken)))
        };
        let taken: Vec<(TypeId, Expr)> = self.left.iter().filter(is_taken).cloned().collect();
        let load = |(ty, place)| (ty, builder.load(place, size, size, Atomicity::Plain, Display::Pointer));
        taken.into_iter().map(load).collect()
    }

    /// Keeps what a function of the set-up has returned, if callers share that. What it has stored where it was told to is
    /// there already.
    pub fn keep(
        &self,
        whole: &Whole<'_>,
        builder: &mut FunctionBuilder<'_>,
        routine: &Routine,
        turn: usize,
        result: Option<Expr>,
    ) {
        let (types, size) = (whole.types(), builder.program.data_model.pointer_size());
        let place = |builder: &FunctionBuilder<'_>, pointer: TypeId| {
            let Shared { objects, is_returned, .. } =
                &self.shared[self.shared_index(types, record_target(types, pointer)?)?];
            is_returned.then(|| builder.address(Base::Object(objects[turn % objects.len()])))
        };
        if let (Some(place), Some(result)) = (place(builder, routine.result()), result) {
            builder.emit(Action::Assume(result.clone().is_true()));
            builder.store(place, size, result, Atomicity::Plain);
            builder.program.add_caveat(routine.span, format!("`{}` is assumed not to return null", routine.name));
        }
        for parameter in &routine.parameters {
            let Some(place) = left_by(types, parameter).and_then(|pointer| place(builder, pointer)) else { continue };
            let stored = builder.load(place, size, size, Atomicity::Plain, Display::Pointer);
            builder.emit(Action::Assume(stored.is_true()));
            let (name, parameter) = (&routine.name, &parameter.name);
            builder
                .program
                .add_caveat(routine.span, format!("`{name}` is assumed not to leave null in `*{parameter}`"));
        }
    }

    /// Says what is taken for granted of callers.
    pub fn name_assumptions(&self, program: &mut ProgramBuilder) {
        for shared in &self.shared {
            let object = &program.objects[shared.objects[0].index()];
            let (name, span) = (object.type_name.trim_end_matches([' ', '*']).to_owned(), object.span);
            let message = match (shared.objects.len(), self.or_new) {
                (1, false) => format!("all threads share one `{name}`"),
                (1, true) => format!("threads share one `{name}`, which is all zeros at first, or use new ones"),
                (more, false) => format!("threads share {more} `{name}`s, and give different ones in one call"),
                (more, true) => format!(
                    "threads share {more} `{name}`s, which are all zeros at first, and give different ones in one call, or \
                     new ones"
                ),
            };
            program.add_caveat(span, message);
        }
        for message in &self.assumptions {
            program.add_caveat(Span::NOWHERE, message.clone());
        }
    }
}

/// One of two pointers, any.
fn choose(builder: &mut FunctionBuilder<'_>, one: Expr, other: Expr) -> Expr {
    let is_one = builder.havoc(1, Display::Bool);
    builder.hold(Expr::if_then_else(is_one, one, other), Display::Pointer)
}

fn allocate(builder: &mut FunctionBuilder<'_>, size: u64, contents: InitialContents, shape: Shape) -> Expr {
    let (span, bits) = (builder.span, builder.pointer_width());
    let site = builder.program.add_site(span);
    builder.program.allocated.insert(site, (shape, size));
    let target = builder.temporary(bits, Display::Pointer);
    let size = Expr::constant(bits, u128::from(size));
    builder.emit(Action::Allocate { target, size, align: 16, storage: Storage::Heap, contents, site });
    builder.value(target)
}

/// The types of the pointers to structs that a function returns, or stores where a parameter points.
fn results(types: &Types, routine: &Routine) -> Vec<TypeId> {
    let left = routine.parameters.iter().filter_map(|parameter| left_by(types, parameter));
    let returned = Some(routine.result()).filter(|result| record_target(types, *result).is_some());
    returned.into_iter().chain(left).collect()
}

/// The type of the pointer to a struct that a function may store where a parameter points.
fn left_by(types: &Types, parameter: &Parameter) -> Option<TypeId> {
    let target = types.pointee(parameter.ty)?;
    record_target(types, target.ty).map(|_| target.ty)
}

/// The struct or union that a pointer points to.
fn record_target(types: &Types, ty: TypeId) -> Option<TypeId> {
    let target = types.pointee(ty)?;
    matches!(types.get(target.ty), Type::Record(_)).then_some(target.ty)
}

/// Whether a pointer to a type may be one to bytes.
fn is_buffer(types: &Types, target: Qualified) -> bool {
    target.ty == Types::VOID || (types.is_integer(target.ty) && types.size(target.ty) == Some(1))
}
