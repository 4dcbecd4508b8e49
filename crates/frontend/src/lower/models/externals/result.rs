//! What a function of the table returns.

use super::parse::{Answer, Effect, Nullness};
use crate::lower::models::arguments::int;
use crate::lower::models::errno::LAST_ERROR;
use crate::lower::models::{ModelCall, Modelled, nondet};
use crate::types::{ArrayLength, Type, TypeId, Types};
use selvedge_program::{Action, Atomicity, Base, BinaryOp, Display, Expr, ObjectId};

/// What the names of registers begin with that hold what follows from arguments in ways that are not modelled.
pub const COMPUTED_BY: &str = "computed by ";

/// The size of the strings that the library gives.
const STRING: u64 = 16;

/// What is said of these strings.
const SHORT_STRINGS: &str = "strings that the library gives are assumed to have at most 15 characters";

impl ModelCall<'_, '_> {
    /// The result, with `errno` where the function does not succeed.
    pub(super) fn answer(&mut self, effect: &Effect, succeeds: Option<Expr>) -> Modelled {
        let succeeds = succeeds.unwrap_or_else(Expr::truth);
        if effect.result != Answer::Error && self.facts.looks_at_errno {
            self.when(succeeds.clone().not(), |call| {
                let number = call.any_int_between(1, LAST_ERROR);
                let errno = call.errno();
                call.function.store(errno, 4, number, Atomicity::Plain);
            });
        }
        if effect.result == Answer::NoReturn {
            self.function.emit_last(Action::Exit { status: int(1) });
            return Modelled::NoReturn;
        }
        if self.result == Types::VOID {
            return Modelled::Void;
        }
        let signed = |value: Expr| Modelled::Value(value, Display::Signed);
        match &effect.result {
            Answer::Void | Answer::NoReturn => Modelled::Void,
            Answer::Any if self.types.is_pointer(self.result) => {
                Modelled::Unsupported(format!("call of `{}`, which is declared to return a pointer", self.plain_name()))
            }
            Answer::Computed => self.computed(),
            Answer::Any => nondet::any_of(self, self.result),
            Answer::Status => signed(Expr::if_then_else(succeeds, int(0), int(-1))),
            Answer::Error => {
                let number = self.any_int_between(1, LAST_ERROR);
                signed(Expr::if_then_else(succeeds, int(0), number))
            }
            Answer::Natural => {
                let number = self.any_int_between(0, i32::MAX);
                signed(Expr::if_then_else(succeeds, number, int(-1)))
            }
            Answer::Count(size) => {
                let (most, width) = (self.bytes(size), self.function.pointer_width());
                let most = self.function.hold(most, Display::Unsigned);
                let number = self.any_int_between(0, i32::MAX).resize_unsigned(width);
                let is_more = Expr::binary(BinaryOp::LessUnsigned, most.clone(), number.clone());
                let count = Expr::if_then_else(is_more, most, number);
                signed(Expr::if_then_else(succeeds, count, Expr::signed(width, -1)))
            }
            Answer::Range(low, high) => signed(self.any_int_between(*low, *high)),
            Answer::Argument(index) => Modelled::Value(self.pointer(*index), Display::Pointer),
            Answer::ArgumentOrNull(index) => {
                let (argument, null) = (self.pointer(*index), self.function.null());
                Modelled::Value(Expr::if_then_else(succeeds, argument, null), Display::Pointer)
            }
            Answer::Handle => Modelled::Value(self.new_object_if(succeeds, 1), Display::Pointer),
            Answer::New => {
                let pointee = self.types.pointee(self.result).map(|target| target.ty);
                let Some((ty, size)) = pointee.and_then(|ty| Some((ty, self.types.size(ty)?))) else {
                    return Modelled::Unsupported(format!("call of `{}`, whose result is opaque", self.plain_name()));
                };
                let (object, whose) = (self.new_object_if(succeeds, size), self.plain_name().to_owned());
                let mut is_known = true;
                self.when(object.clone().is_true(), |call| {
                    is_known = call.write_kept(&whose, &object, ty).is_some();
                });
                match is_known {
                    true => Modelled::Value(object, Display::Pointer),
                    false => Modelled::Unsupported(format!("call of `{whose}`, whose answer has pointers")),
                }
            }
            Answer::NewText => {
                let object = self.new_object_if(succeeds, STRING);
                self.when(object.clone().is_true(), |call| call.write_string(&object));
                Modelled::Value(object, Display::Pointer)
            }
            Answer::Static(nullness) => self.what_the_library_keeps(effect, *nullness),
        }
    }

    /// Any number that nothing may depend on.
    fn computed(&mut self) -> Modelled {
        let is_float = self.types.is_float(self.result);
        let whole = self.types.size(self.result).filter(|_| is_float).and_then(|size| u32::try_from(size).ok());
        let (size, display) = (self.types.scalar_size(self.result).or(whole), self.types.display(self.result));
        let Some(size) = size else {
            return Modelled::Unsupported(format!("call of `{}`, whose result is no number", self.plain_name()));
        };
        let name = format!("{COMPUTED_BY}{}", self.plain_name());
        let target = self.function.named_register(Some(name), 8 * size, display);
        self.function.emit(Action::Havoc { target });
        Modelled::Value(self.function.value(target), display)
    }

    /// A new object if a condition holds, else null.
    fn new_object_if(&mut self, condition: Expr, size: u64) -> Expr {
        let (width, null) = (self.function.pointer_width(), self.function.null());
        let object = self.function.temporary(width, Display::Pointer);
        self.function.assign(object, null);
        self.when(condition, |call| {
            let new = call.allocate_heap(Expr::constant(width, u128::from(size)));
            call.function.assign(object, new);
        });
        self.function.value(object)
    }

    /// A new object of any contents, or null.
    pub(in crate::lower) fn new_object_or_null(&mut self, size: u64) -> Expr {
        let is_there = self.function.havoc(1, Display::Bool);
        self.new_object_if(is_there, size)
    }

    /// Stores null or the address of a new object through an argument, unless that is null; or does not.
    pub(in crate::lower) fn store_new_object(&mut self, index: usize, size: u64) {
        let pointer = self.pointer(index);
        let is_stored = self.function.havoc(1, Display::Bool);
        self.when(pointer.clone().is_true().and(is_stored), |call| {
            let (value, align) = (call.new_object_or_null(size), call.pointer_size());
            call.function.store(pointer, align, value, Atomicity::Plain);
        });
    }

    /// Stores the address of another object in an object that the library has.
    pub(in crate::lower) fn store_object_of_its_own(&mut self, object: ObjectId, size: u64) {
        let name = format!("*{}", self.function.program.objects[object.index()].name);
        let pointee = self.library_object(&name, size);
        let bytes = Expr::constant(self.function.pointer_width(), u128::from(size));
        let (target, width) = (self.function.address(Base::Object(pointee)), self.function.pointer_width());
        self.call_c("__selvedge_any_bytes", vec![target.clone(), bytes], width);
        let (address, align) = (self.function.address(Base::Object(object)), self.pointer_size());
        self.function.store(address, align, target, Atomicity::Plain);
    }

    /// Any string, which stays the library's.
    pub(in crate::lower) fn string_of_the_library(&mut self) -> Expr {
        let object = self.library_object(&format!("what {} answers with, {STRING} bytes", self.plain_name()), STRING);
        let address = self.function.address(Base::Object(object));
        self.write_string(&address);
        address
    }

    /// A pointer to what the library keeps for its answers, with any contents from now on.
    fn what_the_library_keeps(&mut self, effect: &Effect, nullness: Nullness) -> Modelled {
        let whose = effect.state.as_deref().unwrap_or(self.plain_name()).to_owned();
        let pointee = self.types.pointee(self.result).map(|target| target.ty);
        let Some((pointee, size)) = pointee.and_then(|ty| Some((ty, self.types.size(ty)?))) else {
            return Modelled::Unsupported(format!("call of `{}`, which returns something opaque", self.plain_name()));
        };
        let kept = |size: u64| format!("what {whose} answers with, {size} bytes");
        let is_text = size == 1;
        let size = if is_text { STRING } else { size };
        let object = self.library_object(&kept(size), size);
        let address = self.function.address(Base::Object(object));
        if is_text {
            self.write_string(&address);
        } else if self.write_kept(&whose, &address, pointee).is_none() {
            return Modelled::Unsupported(format!("call of `{}`, whose answer has pointers", self.plain_name()));
        }
        let null = self.function.null();
        let value = match nullness {
            Nullness::Never => address,
            Nullness::Perhaps => Expr::if_then_else(self.function.havoc(1, Display::Bool), address, null),
        };
        Modelled::Value(value, Display::Pointer)
    }

    fn write_string(&mut self, address: &Expr) {
        let span = self.function.span;
        self.function.program.add_caveat(span, SHORT_STRINGS);
        let width = self.function.pointer_width();
        self.call_c("__selvedge_any_text", vec![address.clone(), Expr::constant(width, u128::from(STRING))], width);
    }

    /// Writes any value to an object of the library's; pointers in it are to strings, or lists of one. `None` for
    /// others.
    fn write_kept(&mut self, whose: &str, address: &Expr, ty: TypeId) -> Option<()> {
        match self.types.get(ty) {
            Type::Record(_) => {
                for field in self.types.fields(ty)?.to_vec() {
                    if field.bits.is_some() {
                        return None;
                    }
                    self.write_kept(whose, &address.clone().plus(field.offset), field.ty.ty)?;
                }
                Some(())
            }
            Type::Array { element, length: ArrayLength::Known(length) } if self.types.size(element.ty) == Some(1) => {
                let size = Expr::constant(self.function.pointer_width(), u128::from(*length));
                self.write_text(address.clone(), size);
                Some(())
            }
            Type::Pointer(target) => {
                let target = target.ty;
                let pointer_size = self.pointer_size();
                let is_character = |types: &Types, ty| types.is_integer(ty) && types.size(ty) == Some(1);
                let string = self.library_object(&format!("a string of {whose}"), STRING);
                let string = self.function.address(Base::Object(string));
                let value = match self.types.pointee(target) {
                    None if is_character(self.types, target) => string.clone(),
                    Some(inner) if is_character(self.types, inner.ty) => {
                        let list = self.library_object(&format!("a list of {whose}"), 2 * u64::from(pointer_size));
                        let list = self.function.address(Base::Object(list));
                        self.function.store(list.clone(), pointer_size, string.clone(), Atomicity::Plain);
                        list
                    }
                    _ => return None,
                };
                self.write_string(&string);
                self.function.store(address.clone(), pointer_size, value, Atomicity::Plain);
                Some(())
            }
            _ if self.types.is_scalar(ty) || matches!(self.types.get(ty), Type::Array { .. }) => {
                self.write_object(address, ty);
                Some(())
            }
            _ => None,
        }
    }
}
