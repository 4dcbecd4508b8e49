//! What the user can do about a verdict that is left open, from the reasons for it.

use selvedge_program::Exhausted;

/// Advice on a reason, where there is one that the reason does not give itself.
pub fn advice(reason: &str) -> Option<&'static str> {
    let is = |limit: Exhausted| reason.starts_with(&limit.to_string());
    if is(Exhausted::Time) {
        Some("give it more time with --timeout SECONDS (0 for no limit), or ask for less with --property or --race-on")
    } else if is(Exhausted::Memory) {
        Some("let the engines keep more with --memory MIB, or ask for less with --property or --race-on")
    } else if reason.contains("a choice among 2^") {
        Some(
            "leave out values that cannot occur, as in __VERIFIER_assume(0 <= n && n < 10), or look at what the other \
             engines say, which need not go through values one by one",
        )
    } else if reason.contains("threads running `") {
        Some("allow more threads at a time with --threads N, or ask for every number with --threads any")
    } else if ["iteration", "call", "object"].iter().any(|noun| counts(reason, noun)) {
        Some(
            "raise the bound with --unwind K, or give it more time with --timeout SECONDS: without --unwind, bounds are \
             raised until it is over",
        )
    } else {
        None
    }
}

/// Whether a reason is that more than so many of something were not explored.
fn counts(reason: &str, noun: &str) -> bool {
    reason.starts_with("more than ") && reason.contains(noun) && reason.ends_with(" were not explored")
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_evidence::Gap;
    use selvedge_program::{FunctionId, Program, Span};

    /// Whoever changes the words of a reason hears of it here.
    #[test]
    fn there_is_advice_on_every_reason_that_an_option_can_change() {
        let (span, program, function) = (Span::NOWHERE, Program::empty(), FunctionId::new(0));
        let gaps = [
            (Gap::Limit(Exhausted::Time), "--timeout"),
            (Gap::Limit(Exhausted::Memory), "--memory"),
            (Gap::Choice { span, bits: 32, sampled: true }, "__VERIFIER_assume"),
            (Gap::Choice { span, bits: 32, sampled: false }, "__VERIFIER_assume"),
            (Gap::Threads { span, entry: function, bound: 2 }, "--threads"),
            (Gap::Unwinding { span, bound: 8 }, "--unwind"),
            (Gap::Unwinding { span, bound: 1 }, "--unwind"),
            (Gap::Recursion { span, function, bound: 8 }, "--unwind"),
            (Gap::Allocation { span, bound: 8 }, "--unwind"),
        ];
        for (gap, option) in gaps {
            let reason = gap.message(&program);
            assert!(advice(&reason).is_some_and(|advice| advice.contains(option)), "{reason}");
        }
        assert_eq!(advice("no engine decides this"), None);
    }
}
