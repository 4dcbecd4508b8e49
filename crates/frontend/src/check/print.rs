//! The typed tree as text, for tests and for looking at it.
//!
//! C-like, with everything explicit that C leaves implicit: conversions as `(type)`, constants with their type unless
//! it is `int`, members by offset, `decay(a)` for an array's first element's address. Reading a place is just the
//! place; `x!atomic` and `x!volatile` are places with these qualifiers.

mod expression;
mod statement;

use crate::hir::{Constant, Function, FunctionId, Global, GlobalId, Linkage, LocalId, StaticBase, StaticItem, Unit};
use crate::syntax::symbol::Interner;
use crate::types::{Qualified, Type, Types};
use std::fmt::Write;

/// A unit as text. Functions that are only declared are shown if something uses them.
pub fn print(unit: &Unit, types: &Types, names: &Interner) -> String {
    let mut printer = Printer { unit, types, names, function: None, out: String::new(), indent: 0 };
    for index in 0..unit.globals.len() {
        printer.global(GlobalId::new(index));
    }
    for index in 0..unit.functions.len() {
        printer.function(FunctionId::new(index));
    }
    for (_, what) in &unit.unsupported {
        printer.line(&format!("unsupported {what}"));
    }
    printer.out
}

struct Printer<'a> {
    unit: &'a Unit,
    types: &'a Types,
    names: &'a Interner,
    function: Option<&'a Function>,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn ty(&self, ty: impl Into<Qualified>) -> String {
        self.types.name(ty, self.names)
    }

    fn global_name(&self, id: GlobalId) -> String {
        let Some(global) = self.unit.globals.get(id.index()) else { return "@?".to_owned() };
        match global.name {
            _ if global.is_string_literal => match global.initial.first().map(|item| &item.value) {
                Some(Constant::Bytes(bytes)) => format!("{:?}", String::from_utf8_lossy(bytes).trim_end_matches('\0')),
                _ => format!("@{}", id.0),
            },
            Some(name) => format!("@{}", self.names.name(name)),
            None => format!("@{}", id.0),
        }
    }

    fn function_name(&self, id: FunctionId) -> String {
        self.unit.functions.get(id.index()).map_or("?".to_owned(), |function| self.names.name(function.name).to_owned())
    }

    fn local_name(&self, id: LocalId) -> String {
        let body = self.function.and_then(|function| function.body.as_ref());
        match body.and_then(|body| body.locals.get(id.index())).and_then(|local| local.name) {
            Some(name) => self.names.name(name).to_owned(),
            None => format!("%{}", id.0),
        }
    }

    fn global(&mut self, id: GlobalId) {
        let global: &Global = &self.unit.globals[id.index()];
        if global.is_string_literal
            && matches!(global.initial.first(), Some(StaticItem { value: Constant::Bytes(_), .. }))
        {
            return;
        }
        let mut words = String::new();
        for (holds, word) in [
            (global.linkage == Linkage::Internal && global.name.is_some(), "static "),
            (!global.is_defined, "extern "),
            (global.is_thread_local, "thread_local "),
        ] {
            words.push_str(if holds { word } else { "" });
        }
        let owner = global.owner.map_or(String::new(), |owner| format!(" of {}", self.function_name(owner)));
        let align = global.align.map_or(String::new(), |align| format!(" align {align}"));
        let initial: Vec<String> = global.initial.iter().map(|item| self.static_item(item)).collect();
        let initial = if global.is_initialized { format!(" = {{{}}}", initial.join(", ")) } else { String::new() };
        let text = format!("{words}{}{owner}: {}{align}{initial}", self.global_name(id), self.ty(global.ty));
        self.line(&text);
    }

    fn static_item(&self, item: &StaticItem) -> String {
        let bits = item.bits.map_or(String::new(), |bits| format!(" bits {}+{}", bits.offset, bits.width));
        format!("{}{bits}: {} {}", item.offset, self.ty(item.ty), self.constant(&item.value))
    }

    fn constant(&self, constant: &Constant) -> String {
        match constant {
            Constant::Integer(number) => number.to_string(),
            Constant::Float(number) => format!("{number:?}"),
            Constant::Bytes(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            Constant::Address(base, offset) => {
                let base = match base {
                    StaticBase::Global(id) => self.global_name(*id),
                    StaticBase::Function(id) => self.function_name(*id),
                };
                if *offset == 0 { format!("&{base}") } else { format!("&{base}{offset:+}") }
            }
        }
    }

    fn function(&mut self, id: FunctionId) {
        let function = &self.unit.functions[id.index()];
        let Some(body) = &function.body else { return };
        self.function = Some(function);
        let parameters: Vec<String> = body.parameters.iter().map(|id| self.declared_local(*id)).collect();
        let result = match self.types.get(function.ty) {
            Type::Function(ty) => self.ty(ty.result),
            _ => "?".to_owned(),
        };
        let linkage = if function.linkage == Linkage::Internal { "static " } else { "" };
        let noreturn = if function.is_noreturn { " noreturn" } else { "" };
        let name = self.names.name(function.name);
        self.line(&format!("{linkage}{name}({}) -> {result}{noreturn} {{", parameters.join(", ")));
        self.indent += 1;
        self.body_statement(&body.statement);
        self.indent -= 1;
        self.line("}");
        self.function = None;
    }

    fn declared_local(&self, id: LocalId) -> String {
        let body = self.function.and_then(|function| function.body.as_ref());
        let Some(local) = body.and_then(|body| body.locals.get(id.index())) else { return "?".to_owned() };
        let mut text = format!("{}: {}", self.local_name(id), self.ty(local.ty));
        if local.needs_memory && !self.types.is_aggregate(local.ty.ty) {
            text.push_str(" in memory");
        }
        if let Some(align) = local.align {
            let _ = write!(text, " align {align}");
        }
        text
    }
}
