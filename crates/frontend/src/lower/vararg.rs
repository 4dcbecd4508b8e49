//! Variable arguments. The caller stores them one after the other, each rounded up to a pointer's size, and passes
//! their address; a `va_list` is a cursor into them. The cursor lies where the ABI has it: on LP64 in the
//! `overflow_arg_area` of the list's record, on ILP32 the list is the pointer itself.

use super::function::FunctionLowering;
use super::place::advance;
use super::values::{display, width};
use crate::hir::Expr as Typed;
use crate::types::TypeId;
use selvedge_program::{
    Access, Action, Atomicity, Base, DataModel, Display, Expr, FrameObject, Interpretation, Place, Shape,
};

/// Where the cursor lies within a `va_list`.
fn cursor_offset(data_model: DataModel) -> u64 {
    match data_model {
        DataModel::Lp64 => 8,
        DataModel::Ilp32 => 0,
    }
}

impl<'h> FunctionLowering<'_, 'h> {
    fn slot_size(&self, ty: TypeId) -> u64 {
        let pointer = u64::from(self.types().data_model.pointer_size());
        self.types().size(ty).unwrap_or(0).next_multiple_of(pointer)
    }

    /// Stores the arguments of `...`; gives their address.
    pub fn store_extra(&mut self, arguments: Vec<(TypeId, Expr)>) -> Expr {
        let types = self.types();
        let size = arguments.iter().map(|(ty, _)| self.slot_size(*ty)).sum();
        if size == 0 {
            return self.builder.null();
        }
        let align = types.data_model.pointer_size();
        let object = self.builder.frame_object(FrameObject {
            name: "...".to_owned(),
            size,
            align,
            shape: Shape::Opaque,
            type_name: "...".to_owned(),
            span: self.builder.span,
        });
        let base = self.builder.address(Base::Frame(object));
        let mut offset = 0;
        for (ty, value) in arguments {
            let address = advance(base.clone(), offset);
            if types.is_aggregate(ty) {
                self.copy(address, value, ty, align);
            } else {
                self.builder.store(address, types.align(ty).min(align), value, Atomicity::Plain);
            }
            offset += self.slot_size(ty);
        }
        base
    }

    /// `va_start`, `va_copy` and `va_end`; `None` for any other name.
    pub fn variadic_builtin(&mut self, name: &str, arguments: &'h [Typed]) -> Option<Expr> {
        match (name.strip_prefix("__builtin_").unwrap_or(name), arguments) {
            ("va_start" | "c23_va_start", [list, ..]) => {
                let list = self.value(list);
                match self.rest.clone() {
                    Some(rest) => self.set_cursor(list, rest),
                    None => self.builder.unsupported("`va_start` in a function without variable arguments"),
                }
            }
            ("va_copy", [target, source]) => {
                let (target, source) = self.operands(target, source);
                let cursor = self.cursor(source);
                self.set_cursor(target, cursor);
            }
            ("va_end", [list]) => self.effect(list),
            _ => return None,
        }
        Some(Expr::constant(8, 0))
    }

    fn cursor_access(&self, list: Expr) -> Access {
        let size = self.types().data_model.pointer_size();
        let address = advance(list, cursor_offset(self.types().data_model));
        Access { place: Place::Memory { address, size, align: size }, atomicity: Atomicity::Plain }
    }

    fn cursor(&mut self, list: Expr) -> Expr {
        let target = self.pointer_register();
        let access = self.cursor_access(list);
        self.builder.emit(Action::Load { target, access, interpretation: Interpretation::Value });
        self.builder.value(target)
    }

    fn set_cursor(&mut self, list: Expr, value: Expr) {
        let access = self.cursor_access(list);
        self.builder.emit(Action::Store { access, value });
    }

    /// `va_arg`: the next argument, of a type.
    pub fn next_argument(&mut self, list: &'h Typed, ty: TypeId) -> Expr {
        let types = self.types();
        let list = self.value(list);
        let list = self.reusable(list, Display::Pointer);
        let cursor = self.cursor(list.clone());
        let next = advance(cursor.clone(), self.slot_size(ty));
        self.set_cursor(list, next);
        if types.is_aggregate(ty) {
            return cursor;
        }
        let target = self.builder.temporary(width(types, ty), display(types, ty));
        let align = types.align(ty).min(types.data_model.pointer_size());
        let place = Place::Memory { address: cursor, size: width(types, ty) / 8, align };
        let access = Access { place, atomicity: Atomicity::Plain };
        self.builder.emit(Action::Load { target, access, interpretation: Interpretation::Value });
        self.builder.value(target)
    }
}
