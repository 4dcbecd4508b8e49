//! Error numbers as Linux has them on x86, and `errno`.

use super::arguments::int;
use super::{ModelCall, Modelled};
use selvedge_program::{Atomicity, Base, Display, Expr, Object, ObjectId, ObjectKind, Shape, Span};

/// Operation not permitted.
pub const EPERM: i32 = 1;
/// Try again.
pub const EAGAIN: i32 = 11;
/// Busy.
pub const EBUSY: i32 = 16;
/// Invalid argument.
pub const EINVAL: i32 = 22;
/// It would deadlock.
pub const EDEADLK: i32 = 35;
/// Too large.
pub const EOVERFLOW: i32 = 75;
/// The owner of a robust mutex has ended.
pub const EOWNERDEAD: i32 = 130;
/// A robust mutex that was not mended.
pub const ENOTRECOVERABLE: i32 = 131;
/// Timed out.
pub const ETIMEDOUT: i32 = 110;

const NAME: &str = "errno";

impl ModelCall<'_, '_> {
    /// The address of the executing thread's `errno`.
    pub(super) fn errno(&mut self) -> Expr {
        let objects = &self.function.program.objects;
        let is_ours = |object: &Object| {
            object.name == NAME && object.kind == ObjectKind::ThreadLocal && !object.span.is_somewhere()
        };
        let known = objects.iter().position(is_ours);
        let object = match known {
            Some(position) => ObjectId::new(position),
            None => self.function.program.add_object(Object {
                name: NAME.to_owned(),
                kind: ObjectKind::ThreadLocal,
                size: 4,
                align: 4,
                initial: Vec::new(),
                initial_ghosts: Vec::new(),
                shape: Shape::Scalar { size: 4, display: Display::Signed },
                type_name: "int".to_owned(),
                span: Span::NOWHERE,
            }),
        };
        self.function.address(Base::Object(object))
    }

    /// `errno = number`
    pub(super) fn set_errno(&mut self, number: i32) {
        let errno = self.errno();
        self.function.store(errno, 4, int(number), Atomicity::Plain);
    }
}

/// `__errno_location()`, which `errno` is a macro for.
pub(super) fn location(call: &mut ModelCall<'_, '_>) -> Modelled {
    Modelled::Value(call.errno(), Display::Pointer)
}
