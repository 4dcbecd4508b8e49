//! What an expression may read and write: variables in groups, and functions to call.
//!
//! Objects that may share storage (members of a union, an array and pointers into it) are in one
//! group. An [`Access`] is a set of groups to read and a set to write. Unsequenced operands get
//! accesses in which no group that one may write is touched by another, so that no evaluation
//! order can be observed.

use crate::integer::Integer;
use crate::random::Random;

/// How the value of a variable is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Scalar,
    /// A bit-field of at most 32 bits.
    BitField(u32),
    /// An array of `1 << n` elements, or a pointer to as many.
    Array(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub text: String,
    pub ty: Integer,
    pub form: Form,
    pub group: u32,
    pub writable: bool,
}

impl Variable {
    /// The type its value has in an expression: a narrow bit-field promotes to `int`.
    pub fn value_type(&self) -> Integer {
        match self.form {
            Form::BitField(bits) if bits < 32 => Integer::Int,
            Form::BitField(_) => self.ty.promoted(),
            _ => self.ty,
        }
    }
}

/// A function without side effects.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub result: Integer,
    pub parameters: Vec<Integer>,
    /// The first argument bounds the recursion and must be between 0 and 3.
    pub recursive: bool,
}

/// Sets of groups, as bit masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub read: u64,
    pub write: u64,
}

impl Access {
    pub const NONE: Access = Access { read: 0, write: 0 };

    pub fn pure(self) -> Access {
        Access { read: self.read, write: 0 }
    }

    /// Everything but writing `group`.
    pub fn without_write(self, group: u32) -> Access {
        Access { read: self.read, write: self.write & !(1 << group) }
    }

    /// Two accesses for operands that are not sequenced with each other.
    pub fn split(self, random: &mut Random) -> (Access, Access) {
        let left = if random.chance(60) { 0 } else { self.write & random.word() };
        let right = if random.chance(60) { 0 } else { self.write & !left };
        (Access { read: self.read & !right, write: left }, Access { read: self.read & !left, write: right })
    }
}

#[derive(Clone, Default, Debug)]
pub(crate) struct InScope {
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    groups: u32,
}

impl InScope {
    /// A new group, or the last one when all 64 are taken: sharing a group only restricts.
    pub fn group(&mut self) -> u32 {
        self.groups = (self.groups + 1).min(63);
        self.groups
    }

    pub fn add(&mut self, text: &str, ty: Integer, form: Form) {
        let group = self.group();
        self.variables.push(Variable { text: text.into(), ty, form, group, writable: true });
    }

    pub fn add_constant(&mut self, text: &str, ty: Integer) {
        self.add(text, ty, Form::Scalar);
        if let Some(last) = self.variables.last_mut() {
            last.writable = false;
        }
    }

    /// Everything that a full expression may do.
    pub fn access(&self) -> Access {
        let mut access = Access::NONE;
        for variable in &self.variables {
            access.read |= 1 << variable.group;
            if variable.writable {
                access.write |= 1 << variable.group;
            }
        }
        access
    }

    pub fn readable(&self, access: Access, random: &mut Random) -> Option<Variable> {
        self.one(random, |v| access.read & (1 << v.group) != 0)
    }

    pub fn writable(&self, access: Access, random: &mut Random) -> Option<Variable> {
        self.one(random, |v| v.writable && access.read & access.write & (1 << v.group) != 0)
    }

    fn one(&self, random: &mut Random, fits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let fitting: Vec<&Variable> = self.variables.iter().filter(|v| fits(v)).collect();
        if fitting.is_empty() { None } else { Some((*random.pick(&fitting)).clone()) }
    }
}
