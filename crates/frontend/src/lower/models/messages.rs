//! Messages in the user's language (`<libintl.h>`): they are taken not to be translated, which the verdict says.

use super::{ModelCall, Modelled};
use selvedge_program::{Display, Expr};

/// `gettext` and the like: the message itself, which is the first argument, or the second behind a domain.
pub(super) fn message(call: &mut ModelCall<'_, '_>) -> Modelled {
    let index = usize::from(call.plain_name() != "gettext");
    let message = read(call, index);
    Modelled::Value(message, Display::Pointer)
}

/// `ngettext` and the like: the message for one, or the one for other numbers.
pub(super) fn plural(call: &mut ModelCall<'_, '_>) -> Modelled {
    let index = usize::from(call.plain_name() != "ngettext");
    let (one, more) = (read(call, index), read(call, index + 1));
    let number = call.size(index + 2);
    let is_one = Expr::equal(number.clone(), Expr::constant(number.width(), 1));
    Modelled::Value(Expr::if_then_else(is_one, one, more), Display::Pointer)
}

/// A message, which is looked up unless it is null.
fn read(call: &mut ModelCall<'_, '_>, index: usize) -> Expr {
    let span = call.function.span;
    call.function.program.add_caveat(span, "messages are assumed not to be translated");
    let (message, width) = (call.pointer(index), call.function.pointer_width());
    call.when(message.clone().is_true(), |call| {
        let text = call.pointer(index);
        call.call_c("__selvedge_strlen", vec![text], width);
    });
    message
}
