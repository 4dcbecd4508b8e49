//! Names in dumps: C names where they tell things apart, with the index added where they do not.

use std::collections::BTreeMap;

use crate::{Base, Display, FrameObjectId, Function, FunctionId, ObjectId, Program, RegisterId, Shape};

/// The names that hold throughout a program.
#[derive(Debug)]
pub struct ProgramNames<'a> {
    pub(super) program: &'a Program,
    objects: Vec<String>,
    functions: Vec<String>,
}

/// The names within one function.
#[derive(Debug)]
pub struct Names<'a> {
    pub(super) of_program: &'a ProgramNames<'a>,
    pub(super) function: &'a Function,
    registers: Vec<String>,
    frame: Vec<String>,
}

impl<'a> ProgramNames<'a> {
    /// The names of a program.
    pub fn new(program: &'a Program) -> Self {
        let objects = program.objects.iter().enumerate();
        let functions = program.functions.iter().enumerate();
        let objects = objects.map(|(at, object)| (Some(object.name.as_str()), ObjectId::new(at).to_string()));
        let functions = functions.map(|(at, function)| (Some(function.name.as_str()), FunctionId::new(at).to_string()));
        let count = program.objects.len();
        let mut names = unique(objects.chain(functions).collect());
        let functions = names.split_off(count);
        Self { program, objects: names, functions }
    }

    pub(super) fn object(&self, id: ObjectId) -> String {
        self.objects.get(id.index()).cloned().unwrap_or_else(|| id.to_string())
    }

    pub(super) fn function(&self, id: FunctionId) -> String {
        self.functions.get(id.index()).cloned().unwrap_or_else(|| id.to_string())
    }
}

impl<'a> Names<'a> {
    /// The names of a function.
    pub fn new(of_program: &'a ProgramNames<'a>, function: &'a Function) -> Self {
        let registers = function.registers.iter().enumerate();
        let frame = function.frame.iter().enumerate();
        let registers = registers.map(|(at, register)| (register.name.as_deref(), RegisterId::new(at).to_string()));
        let frame = frame.map(|(at, object)| (Some(object.name.as_str()), FrameObjectId::new(at).to_string()));
        let count = function.registers.len();
        let mut names = unique(registers.chain(frame).collect());
        let frame = names.split_off(count);
        Self { of_program, function, registers: names, frame }
    }

    pub(super) fn register(&self, id: RegisterId) -> String {
        self.registers.get(id.index()).cloned().unwrap_or_else(|| id.to_string())
    }

    pub(super) fn frame(&self, id: FrameObjectId) -> String {
        self.frame.get(id.index()).cloned().unwrap_or_else(|| id.to_string())
    }

    pub(super) fn base(&self, base: Base) -> String {
        match base {
            Base::Object(id) => self.of_program.object(id),
            Base::Frame(id) => self.frame(id),
            Base::Function(id) => self.of_program.function(id),
            Base::SelfThread => "self".to_owned(),
        }
    }

    pub(super) fn shape(&self, base: Base) -> Option<&'a Shape> {
        match base {
            Base::Object(id) => self.of_program.program.objects.get(id.index()).map(|object| &object.shape),
            Base::Frame(id) => self.function.frame.get(id.index()).map(|object| &object.shape),
            Base::Function(_) | Base::SelfThread => None,
        }
    }

    pub(super) fn is_pointer(&self, register: RegisterId) -> bool {
        self.function.registers.get(register.index()).is_some_and(|register| register.display == Display::Pointer)
    }
}

/// The wanted names, with the index where several things want the same, and the index alone where nothing is wanted.
fn unique(wanted: Vec<(Option<&str>, String)>) -> Vec<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, _) in &wanted {
        if let Some(name) = name {
            *count.entry(name).or_default() += 1;
        }
    }
    wanted
        .iter()
        .map(|(name, index)| match name {
            None | Some("") => index.clone(),
            Some(name) if count.get(name) == Some(&1) => (*name).to_owned(),
            Some(name) => format!("{name}.{index}"),
        })
        .collect()
}
