//! Witnesses: a schedule in the forms that other verifiers read, the competition's YAML (2.x) and GraphML (1.0).
//!
//! Both are made from one [`Path`]: places that the execution passes, in the order of time, and what is so there. A
//! witness stands for all executions that pass them and end in the violation; that the schedule is one of them is what
//! makes it right. So a place is named only where it is certain which one is meant: a statement that has a line of its
//! own, a call that the line has one of.

pub mod graphml;
mod path;
mod statement;
pub mod yaml;

pub use path::path;

use selvedge_program::DataModel;

/// What an execution passes on its way to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The function that the program begins with, and where it stands.
    pub entry: (String, Place),
    /// What it passes, in the order of time.
    pub points: Vec<Point>,
    /// Where it ends: one place, or those of all threads that take part.
    pub targets: Vec<Target>,
}

/// Something that a thread passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The thread, by the order in which they are started; 0 is the first.
    pub thread: u32,
    /// Where.
    pub place: Place,
    /// What happens there.
    pub what: What,
}

/// What happens at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A statement begins.
    Statement {
        /// What holds before it, as expressions of C.
        before: Vec<String>,
        /// What holds after it, where no other thread moves before its end.
        after: Vec<String>,
    },
    /// The condition of an `if` holds, or does not.
    Branches(bool),
    /// A thread is started, with this number.
    Starts(u32),
    /// The thread enters a function.
    Enters(String),
    /// The thread leaves a function.
    Leaves(String),
    /// A function that may return anything returns this number.
    Returns {
        /// The function.
        function: String,
        /// The number.
        value: String,
    },
}

/// A place where a violation shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The thread.
    pub thread: u32,
    /// Where.
    pub place: Place,
    /// The function that must not be called, where that is the violation.
    pub calls: Option<String>,
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as the verifier was given it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1, where it is certain.
    pub column: Option<u32>,
    /// The function.
    pub function: String,
}

impl Path {
    /// Whether more than one thread takes part.
    pub fn is_concurrent(&self) -> bool {
        self.points.iter().any(|point| matches!(point.what, What::Starts(_)))
    }
}

/// Where a witness comes from, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The version of Selvedge.
    pub version: String,
    /// When it was made, in ISO 8601.
    pub created: String,
    /// What tells it from all others, as RFC 4122 has it.
    pub uuid: String,
    /// The command.
    pub command_line: String,
    /// The program's files as they were given, with their SHA-256.
    pub files: Vec<(String, String)>,
    /// The lines of the property file.
    pub specification: Vec<String>,
    /// The data model.
    pub data_model: DataModel,
}
