//! What all functions being lowered share: which functions and objects of the program there are already, and which are
//! still to be built. A function or object comes into being when it is first referred to.

use super::builder::ProgramBuilder;
use super::link::{FunctionEntity, GlobalEntity, Links};
use super::lock_copy::{self, LockTypes};
use super::models::{self, Context, LibraryUse, Model};
use super::{Input, Options, global, reach};
use crate::hir;
use crate::syntax::symbol::{Interner, Symbol};
use crate::types::{TypeId, Types};
use rustc_hash::FxHashMap;
use selvedge_program::{Base, Diagnostic, Expr, FunctionId, ObjectId, Span};
use std::cell::OnceCell;
use std::collections::VecDeque;

/// Something still to be built.
#[derive(Clone, Copy, Debug)]
pub enum Job {
    /// A defined function.
    Function(FunctionEntity, FunctionId),
    /// A function that stands for a library function whose address is taken.
    Wrapper(FunctionEntity, FunctionId),
    /// An object's initial values.
    Object(GlobalEntity, ObjectId),
}

/// What a call by name comes to.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A function with a body: the program's, or a model in C.
    Defined(FunctionEntity),
    /// A model in Rust.
    Model(Model),
    /// The user says that it does nothing but return something.
    Pure,
    /// Nobody knows.
    Unknown,
    /// A function of the library of which not everything is modelled, for this reason.
    Rough(&'static str),
}

/// What all functions share.
#[derive(Debug)]
pub struct Whole<'h> {
    /// What is lowered.
    pub input: Input<'h>,
    /// What the user asks.
    pub options: &'h Options,
    /// Which name stands for what.
    pub links: Links,
    /// What is taken to be known of the program.
    pub facts: LibraryUse,
    /// What has been found out about it.
    pub noted: LibraryUse,
    /// What functions read and write.
    pub reach: reach::Found,
    lock_types: OnceCell<LockTypes>,
    /// The variables that nobody defines, with their types.
    pub external_objects: Vec<(ObjectId, TypeId)>,
    /// The function that gives them their first contents, if there are any.
    pub external_start: Option<FunctionId>,
    /// What is wrong with the program.
    pub diagnostics: Vec<Diagnostic>,
    functions: FxHashMap<FunctionEntity, FunctionId>,
    wrappers: FxHashMap<Symbol, FunctionId>,
    objects: FxHashMap<GlobalEntity, ObjectId>,
    jobs: VecDeque<Job>,
}

impl<'h> Whole<'h> {
    /// Nothing lowered yet.
    pub fn new(input: Input<'h>, options: &'h Options, links: Links, facts: LibraryUse) -> Self {
        Whole {
            input,
            options,
            links,
            facts,
            noted: LibraryUse::default(),
            reach: reach::Found::default(),
            lock_types: OnceCell::new(),
            external_objects: Vec::new(),
            external_start: None,
            diagnostics: Vec::new(),
            functions: FxHashMap::default(),
            wrappers: FxHashMap::default(),
            objects: FxHashMap::default(),
            jobs: VecDeque::new(),
        }
    }

    /// The types.
    pub fn types(&self) -> &'h Types {
        self.input.types
    }

    /// The names.
    pub fn names(&self) -> &'h Interner {
        self.input.names
    }

    /// The types of locks, by the library's functions that the program declares.
    pub fn lock_types(&self) -> &LockTypes {
        self.lock_types.get_or_init(|| lock_copy::types_that_matter(self))
    }

    /// What is to be built next.
    pub fn next_job(&mut self, program: &mut ProgramBuilder) -> Option<Job> {
        if self.jobs.is_empty() {
            self.claim_models(program);
        }
        self.jobs.pop_front()
    }

    /// A function of a unit.
    pub fn hir_function(&self, (unit, id): (usize, hir::FunctionId)) -> &'h hir::Function {
        &self.input.unit(unit).unit.functions[id.index()]
    }

    /// A variable of a unit.
    pub fn hir_global(&self, (unit, id): (usize, hir::GlobalId)) -> &'h hir::Global {
        &self.input.unit(unit).unit.globals[id.index()]
    }

    /// The name of a function.
    pub fn function_name(&self, entity: FunctionEntity) -> &'h str {
        self.input.names.name(self.links.function_link(entity).name)
    }

    /// What a call of a function comes to.
    pub fn target(&self, entity: FunctionEntity) -> Target {
        let link = self.links.function_link(entity);
        let name = self.input.names.name(link.name);
        if self.options.failures.is_call_of(name) {
            return Target::Model(models::ERROR);
        }
        if link.definition.is_some() {
            return Target::Defined(entity);
        }
        match (models::table::find(name), self.links.model(link.name)) {
            (Some(model), _) => Target::Model(model),
            (None, Some(model)) => Target::Defined(model),
            (None, None) if self.options.assume_pure.contains(name) => Target::Pure,
            (None, None) => models::table::roughness(name).map_or(Target::Unknown, Target::Rough),
        }
    }

    /// The program's function for a definition.
    pub fn function(&mut self, program: &mut ProgramBuilder, entity: FunctionEntity) -> FunctionId {
        if let Some(id) = self.functions.get(&entity) {
            return *id;
        }
        let link = self.links.function_link(entity);
        let is_model = link.definition.is_some_and(|(unit, _)| unit == self.input.units.len());
        let id = if is_model { program.c_model(self.input.names.name(link.name)) } else { program.reserve_function() };
        self.functions.insert(entity, id);
        self.jobs.push_back(Job::Function(entity, id));
        id
    }

    /// Takes up the models in C that other models have asked for.
    fn claim_models(&mut self, program: &mut ProgramBuilder) {
        let asked: Vec<FunctionEntity> = program
            .c_models
            .keys()
            .filter_map(|name| self.links.model(self.input.names.get(name)?))
            .filter(|entity| !self.functions.contains_key(entity))
            .collect();
        for entity in asked {
            self.function(program, entity);
        }
    }

    /// A function's address. What is not defined gets a function of its own that applies the model.
    pub fn function_address(&mut self, program: &mut ProgramBuilder, entity: FunctionEntity) -> Expr {
        self.noted.note_call(self.function_name(entity), &[], Context::Often);
        let id = match self.target(entity) {
            Target::Defined(defined) => self.function(program, defined),
            Target::Model(_) | Target::Pure | Target::Unknown | Target::Rough(_) => {
                let name = self.links.function_link(entity).name;
                *self.wrappers.entry(name).or_insert_with(|| {
                    let id = program.reserve_function();
                    self.jobs.push_back(Job::Wrapper(entity, id));
                    id
                })
            }
        };
        program.address_taken.insert(id);
        Expr::address(Base::Function(id), program.data_model.pointer_width())
    }

    /// A variable's object. `span` is where it is used. String literals have their text at once: models read it.
    pub fn object(&mut self, program: &mut ProgramBuilder, entity: GlobalEntity, span: Span) -> ObjectId {
        let global = self.hir_global(self.links.global_link(entity).declaration);
        let modelled = global.name.filter(|_| !global.is_defined).and_then(|name| self.links.model_global(name));
        let entity = modelled.unwrap_or(entity);
        if let Some(id) = self.objects.get(&entity) {
            return *id;
        }
        let id = global::declare_object(self, program, entity, span);
        self.objects.insert(entity, id);
        if self.hir_global(self.links.global_link(entity).declaration).is_string_literal {
            global::fill_object(self, program, entity, id);
        } else {
            self.jobs.push_back(Job::Object(entity, id));
        }
        id
    }
}
