//! Names of variables in the text of predicates.
//!
//! C's names where they tell things apart; `@3` for the fourth object, `@f3` for the fourth function, `worker::#5` for
//! the sixth register where they do not.

use selvedge_program::{Display, FrameObjectId, FunctionId, ObjectId, Program, RegisterId, Shape};

use super::{Root, Variable};
use crate::cell::{Note, Tally};

/// How to write a variable.
pub fn variable(program: &Program, variable: Variable) -> String {
    match variable {
        Variable::Register(function, register) => {
            format!("{}::{}", function_name(program, function), register_name(program, function, register))
        }
        Variable::Cell { object, offset, size } => cell(program, object, offset, size),
        Variable::Ghost { object, offset, field } => format!("{}({})", field.name(), part(program, object, offset)),
        Variable::Note(note, object) => format!("{}({})", note_name(note), root_name(program, object)),
        Variable::Address(object) => format!("address({})", root_name(program, object)),
        Variable::Unjoined => "unjoined()".to_owned(),
        Variable::OwnGhost(field) => format!("{}(self)", field.name()),
        Variable::Changer { object, offset } => format!("changer({})", part(program, object, offset)),
        Variable::Tally { object, offset, field, tally } => {
            let place = part(program, object, offset);
            let counter = field.map_or(place.clone(), |field| format!("{}({place})", field.name()));
            format!("{}({counter})", tally_name(tally))
        }
        Variable::Alive(object) => format!("alive({})", root_name(program, object)),
        Variable::Determinate { object, offset, size } => {
            format!("determinate({})", cell(program, object, offset, size))
        }
    }
}

/// How to write the part of an object that starts at an offset.
pub fn part(program: &Program, object: Root, offset: u64) -> String {
    let name = root_name(program, object);
    let shape = object.shape(program);
    match shape.path(offset, 0) {
        Some(path) if is_path(&path) && resolve(shape, &path).map(|(at, _)| at) == Some(offset) => {
            format!("{name}{path}")
        }
        _ => format!("bytes({name}, {offset}, 0)"),
    }
}

fn cell(program: &Program, object: Root, offset: u64, size: u32) -> String {
    let name = root_name(program, object);
    let shape = object.shape(program);
    let is_cell = |path: &str| match resolve(shape, path) {
        // The bits of a floating-point number are spoken of as such only.
        Some((at, scalar @ Shape::Scalar { size: found, .. })) => !is_float(scalar) && (at, *found) == (offset, size),
        _ => false,
    };
    match shape.path(offset, size).filter(|path| is_path(path) && is_cell(path)) {
        Some(path) => format!("{name}{path}"),
        None => format!("bytes({name}, {offset}, {size})"),
    }
}

/// The offset and shape of a path such as `.items[3].next` within a shape.
fn resolve<'s>(shape: &'s Shape, path: &str) -> Option<(u64, &'s Shape)> {
    let (mut at, mut shape, mut rest) = (0, shape, path);
    while !rest.is_empty() {
        let step;
        (step, rest) = match rest.strip_prefix('.') {
            Some(after) => {
                let end = after.find(['.', '[']).unwrap_or(after.len());
                (member(shape, &after[..end])?, &after[end..])
            }
            None => {
                let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
                (element(shape, index.parse().ok()?)?, after)
            }
        };
        at = step.0.checked_add(at)?;
        shape = step.1;
    }
    Some((at, shape))
}

/// A member of a struct or union, or of an anonymous one in it.
pub fn member<'s>(shape: &'s Shape, name: &str) -> Option<(u64, &'s Shape)> {
    let Shape::Record(members) = shape else { return None };
    members.iter().find_map(|member_| {
        if member_.name == name {
            return Some((member_.offset, &member_.shape));
        }
        let inner = member_.name.is_empty().then(|| member(&member_.shape, name))??;
        Some((member_.offset + inner.0, inner.1))
    })
}

/// An element of an array.
pub fn element(shape: &Shape, index: u64) -> Option<(u64, &Shape)> {
    match shape {
        Shape::Array { element, stride, length } if *length == 0 || index < *length => {
            Some((index.checked_mul(*stride)?, element))
        }
        _ => None,
    }
}

/// How to write the object that a variable is a part of.
pub fn root_name(program: &Program, root: Root) -> String {
    match root {
        Root::Static(object) => object_name(program, object),
        Root::One(site) => format!("@site{}", site.index()),
        Root::Local(function, slot) => {
            let name = &program.function(function).frame_object(slot).name;
            let own = match find_local(program, function, name) {
                Some(found) if found == slot => name.clone(),
                _ => format!("@{}", slot.index()),
            };
            format!("{}::{own}", function_name(program, function))
        }
    }
}

/// What a note is called.
pub fn note_name(note: Note) -> &'static str {
    match note {
        Note::Born => "born",
        Note::Escaped => "escaped",
        Note::Maker => "maker",
        Note::Taker => "taker",
    }
}

/// What a tally is called.
pub fn tally_name(tally: Tally) -> &'static str {
    match tally {
        Tally::Added => "added",
        Tally::Taken => "taken",
        Tally::AllAdded => "all_added",
        Tally::AllTaken => "all_taken",
    }
}

/// The only local of a name whose address is taken, if no register has that name.
pub fn find_local(program: &Program, function: FunctionId, name: &str) -> Option<FrameObjectId> {
    let function = program.functions.get(function.index())?;
    if !is_word(name) || function.registers.iter().any(|register| register.name.as_deref() == Some(name)) {
        return None;
    }
    let mut found = function.frame.iter().enumerate().filter(|(_, local)| local.name == name);
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Some(FrameObjectId::new(index)),
        _ => None,
    }
}

/// Words that mean something else where a name is expected, though a C program may have something of that name.
const RESERVED: [&str; 5] = ["true", "false", "null", "self", "bytes"];

/// Whether a name is read as one; `$`, which gcc allows in names, is not.
fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !RESERVED.contains(&word)
}

/// Whether a path such as `.items[3].next` is read as one.
fn is_path(path: &str) -> bool {
    path.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c))
}

/// How to write an object.
pub fn object_name(program: &Program, object: ObjectId) -> String {
    let name = &program.object(object).name;
    if find_object(program, name) == Some(object) { name.clone() } else { format!("@{}", object.index()) }
}

/// The only object of a name. The static `n` of `f` is `f.n`, unless `f` is an object itself.
pub fn find_object(program: &Program, name: &str) -> Option<ObjectId> {
    let is_plain = match name.split_once('.') {
        None => is_word(name),
        Some((function, own)) => {
            is_word(function) && is_word(own) && !program.objects.iter().any(|object| object.name == function)
        }
    };
    let mut found = program.objects.iter().enumerate().filter(|(_, object)| object.name == name);
    match (is_plain, found.next(), found.next()) {
        (true, Some((index, _)), None) => Some(ObjectId::new(index)),
        _ => None,
    }
}

/// How to write a function.
pub fn function_name(program: &Program, function: FunctionId) -> String {
    let name = &program.function(function).name;
    if find_function(program, name) == Some(function) { name.clone() } else { format!("@f{}", function.index()) }
}

/// The only function of a name.
pub fn find_function(program: &Program, name: &str) -> Option<FunctionId> {
    let mut found = program.functions.iter().enumerate().filter(|(_, function)| function.name == name);
    match (found.next(), found.next()) {
        (Some((index, _)), None) if is_word(name) => Some(FunctionId::new(index)),
        _ => None,
    }
}

/// How to write a register of a function.
pub fn register_name(program: &Program, function: FunctionId, register: RegisterId) -> String {
    let name = program.function(function).register(register).name.as_deref();
    match name.filter(|name| find_register(program, function, name) == Some(register)) {
        Some(name) => name.to_owned(),
        None => format!("#{}", register.index()),
    }
}

/// The only register of a function that holds the variable of a name.
pub fn find_register(program: &Program, function: FunctionId, name: &str) -> Option<RegisterId> {
    let registers = program.function(function).registers.iter().enumerate();
    let mut found = registers.filter(|(_, register)| register.name.as_deref() == Some(name));
    match (found.next(), found.next()) {
        (Some((index, _)), None) if is_word(name) => Some(RegisterId::new(index)),
        _ => None,
    }
}

/// The register that holds the variable of a name, if only one does and nothing else is called so.
pub fn find_variable(program: &Program, name: &str) -> Option<(FunctionId, RegisterId)> {
    let is_taken = program.objects.iter().any(|object| object.name.split('.').next() == Some(name))
        || program.functions.iter().flat_map(|function| &function.frame).any(|local| local.name == name);
    let functions = (0..program.functions.len()).map(FunctionId::new);
    let mut found = functions.filter(|function| {
        let registers = &program.function(*function).registers;
        registers.iter().any(|register| register.name.as_deref() == Some(name))
    });
    match (found.next(), found.next()) {
        (Some(function), None) if !is_taken => Some((function, find_register(program, function, name)?)),
        _ => None,
    }
}

/// Whether a scalar is a floating-point number, which predicates do not speak of.
pub fn is_float(shape: &Shape) -> bool {
    matches!(shape, Shape::Scalar { display: Display::Float, .. })
}
