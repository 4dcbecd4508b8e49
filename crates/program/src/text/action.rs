//! Actions, one line each.

use crate::text::names::Names;
use crate::{
    Access, Action, AtomicStep, Atomicity, Callee, Expr, InitialContents, Interpretation, MemoryOrder, OutputPiece,
    RegisterId, Storage,
};

impl Names<'_> {
    /// The text of an action.
    pub fn action(&self, action: &Action) -> String {
        match action {
            Action::Assume(condition) if *condition == Expr::truth() => "skip".to_owned(),
            Action::Assume(condition) => format!("if {}", self.expr(condition)),
            Action::Assign { target, value } => self.assign(*target, &self.expr(value)),
            Action::Load { target, access, interpretation } => {
                let raw = match interpretation {
                    Interpretation::Value => "",
                    Interpretation::Determinate => "determinate ",
                    Interpretation::Raw => "raw ",
                };
                let place = self.place(&access.place);
                self.assign(*target, &format!("load {raw}{}{place}", atomic(access)))
            }
            Action::Store { access, value } => {
                format!("store {}{} := {}", atomic(access), self.place(&access.place), self.expr(value))
            }
            Action::Atomic(steps) => {
                let steps: Vec<String> = steps.iter().map(|step| self.atomic_step(step)).collect();
                format!("[ {} ]", steps.join("; "))
            }
            Action::Havoc { target } if self.function.register(*target).may_be_address => {
                self.assign(*target, "any, perhaps an address")
            }
            Action::Havoc { target } => self.assign(*target, "any"),
            Action::Forget { object } => format!("forget {}", self.frame(*object)),
            Action::EndLife { object } => format!("end life of {}", self.frame(*object)),
            Action::Spawn { target, entry, arguments, id } => {
                let id = id.as_ref().map(|id| format!(", id to {}{}", atomic(id), self.place(&id.place)));
                self.assign(*target, &format!("spawn {}{}", self.call(entry, arguments), id.unwrap_or_default()))
            }
            Action::ThreadExit { value } => format!("thread_exit {}", self.expr(value)),
            Action::Exit { status } => format!("exit {}", self.expr(status)),
            Action::Allocate { target, size, align, storage, contents, site } => {
                let storage = match storage {
                    Storage::Heap => "heap",
                    Storage::Stack => "stack",
                };
                let zeroed = if *contents == InitialContents::Zero { " zeroed" } else { "" };
                let size = self.expr(size);
                self.assign(*target, &format!("new {storage} object of {size} bytes{zeroed}, align {align}, {site}"))
            }
            Action::Free { address } => format!("free {}", self.expr(address)),
            Action::Assert { condition, check } => format!("assert {}  ({check})", self.expr(condition)),
            Action::Require { condition, otherwise } => {
                format!("require {} else {otherwise:?}", self.expr(condition))
            }
            Action::Call { target, callee, arguments } => {
                let call = format!("call {}", self.call(callee, arguments));
                target.map_or(call.clone(), |target| self.assign(target, &call))
            }
            Action::Return { value: Some(value) } => format!("return {}", self.expr(value)),
            Action::Return { value: None } => "return".to_owned(),
            Action::AtomicBegin => "atomic_begin".to_owned(),
            Action::AtomicEnd => "atomic_end".to_owned(),
            Action::Fence(order) => format!("fence {}", order.name()),
            Action::Output(pieces) => {
                let pieces: Vec<String> = pieces.iter().map(|piece| self.piece(piece)).collect();
                format!("print {}", pieces.join(" "))
            }
            Action::Unsupported(what) => format!("unsupported: {what}"),
            Action::Inexact(what) => format!("inexact: {what}"),
        }
    }

    fn assign(&self, target: RegisterId, value: &str) -> String {
        format!("{} := {value}", self.register(target))
    }

    fn call(&self, callee: &Callee, arguments: &[Expr]) -> String {
        let callee = match callee {
            Callee::Direct(function) => self.of_program.function(*function),
            Callee::Indirect(address) => format!("(*{})", self.expr(address)),
        };
        let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
        format!("{callee}({})", arguments.join(", "))
    }

    fn atomic_step(&self, step: &AtomicStep) -> String {
        let mode = |access: &Access| match access.atomicity {
            Atomicity::Plain => "plain ".to_owned(),
            Atomicity::Atomic(order) => weaker(order),
        };
        match step {
            AtomicStep::Read { target, access } => {
                self.assign(*target, &format!("{}{}", mode(access), self.place(&access.place)))
            }
            AtomicStep::Let { target, value } => self.assign(*target, &self.expr(value)),
            AtomicStep::Guard(condition) => format!("guard {}", self.expr(condition)),
            AtomicStep::Spurious => "spurious".to_owned(),
            AtomicStep::Require(condition, otherwise) => {
                format!("require {} else {otherwise:?}", self.expr(condition))
            }
            AtomicStep::Write { when, access, value } => {
                let condition =
                    if *when == Expr::truth() { String::new() } else { format!("if ({}) ", self.expr(when)) };
                format!("{condition}{}{} := {}", mode(access), self.place(&access.place), self.expr(value))
            }
            AtomicStep::PickThread { target, field, equals } => {
                self.assign(*target, &format!("any thread with {} == {}", field.name(), self.expr(equals)))
            }
            AtomicStep::WriteThreads { field, equals, value } => {
                let field = field.name();
                format!("all threads with {field} == {}: {field} := {}", self.expr(equals), self.expr(value))
            }
            AtomicStep::Mark { when, operation, object } => {
                let condition =
                    if *when == Expr::truth() { String::new() } else { format!(" if ({})", self.expr(when)) };
                format!("mark {} {}{condition}", operation.name(), self.expr(object))
            }
        }
    }

    fn piece(&self, piece: &OutputPiece) -> String {
        match piece {
            OutputPiece::Text(text) => format!("\"{}\"", text.escape_ascii()),
            OutputPiece::Value(conversion, value) => format!("{conversion}({})", self.expr(value)),
            OutputPiece::CString(conversion, address) => format!("{conversion}(*({}))", self.expr(address)),
        }
    }
}

fn atomic(access: &Access) -> String {
    match access.atomicity {
        Atomicity::Plain => String::new(),
        Atomicity::Atomic(order) => format!("atomic {}", weaker(order)),
    }
}

/// A memory order, if it is not the strongest.
fn weaker(order: MemoryOrder) -> String {
    match order {
        MemoryOrder::SequentiallyConsistent => String::new(),
        order => format!("{} ", order.name()),
    }
}
