//! The functions of SMT-LIB's core and bit-vector theories, by name.

use crate::error::{Error, Result};
use crate::terms::{MAX_WIDTH, Op, Sort, Term, Terms};

type Unary = fn(&mut Terms, Term) -> Term;
type Binary = fn(&mut Terms, Term, Term) -> Term;

/// What sorts the operands of a function have. Functions of terms panic for others, and what is read is not to be
/// trusted.
#[derive(Clone, Copy)]
enum Operands {
    /// Truth values.
    Truths,
    /// Bit-vectors of one width.
    Words,
    /// Anything, of one sort.
    Same,
    /// Bit-vectors whose widths add up to one that there is.
    Parts,
}

impl Operands {
    fn of(name: &str) -> Operands {
        match name {
            "not" | "and" | "or" | "xor" | "=>" => Operands::Truths,
            "=" | "distinct" => Operands::Same,
            "concat" => Operands::Parts,
            _ => Operands::Words,
        }
    }

    /// Checks the operands of a function of that name by an operation that takes the same.
    fn check(self, terms: &Terms, name: &str, operands: &[Term]) -> Result<()> {
        let sorts: Vec<Sort> = operands.iter().map(|operand| terms.sort(*operand)).collect();
        let fits = match self {
            Operands::Truths => sorts.iter().all(|sort| *sort == Sort::Bool),
            Operands::Words => sorts.iter().all(|sort| *sort != Sort::Bool && *sort == sorts[0]),
            Operands::Same => sorts.iter().all(|sort| *sort == sorts[0]),
            Operands::Parts => {
                let total: u64 = sorts.iter().map(|sort| u64::from(sort.width())).sum();
                if total > u64::from(MAX_WIDTH) {
                    return Err(Error::Width(total));
                }
                sorts.iter().all(|sort| *sort != Sort::Bool)
            }
        };
        let expected = match self {
            Operands::Truths => "truth values are expected",
            Operands::Words => "bit-vectors of one width are expected",
            Operands::Same => "two operands of one sort are expected",
            Operands::Parts => "bit-vectors are expected",
        };
        if fits {
            return Ok(());
        }
        let operands = sorts.iter().map(Sort::to_string).collect::<Vec<_>>().join(", ");
        Err(Error::Operands { operation: name.to_string(), operands, expected })
    }
}

/// How a function takes its operands.
enum Function {
    Unary(Unary),
    Binary(Binary),
    /// Two or more, grouped from the left.
    Left(Binary),
    /// Two or more, grouped from the right.
    Right(Binary),
    /// Two or more, true of all neighbours.
    Chain(Binary),
    /// Two or more, true of all pairs.
    Pairs(Binary),
}

fn function(name: &str) -> Option<Function> {
    use Function::{Binary, Chain, Left, Pairs, Right, Unary};
    Some(match name {
        "not" => Unary(Terms::not),
        "and" => Left(Terms::and),
        "or" => Left(Terms::or),
        "xor" => Left(Terms::xor),
        "=>" => Right(Terms::implies),
        "=" => Chain(Terms::equal),
        "distinct" => Pairs(Terms::distinct),
        "concat" => Left(Terms::concat),
        "bvnot" => Unary(Terms::bit_not),
        "bvneg" => Unary(Terms::neg),
        "bvand" => Left(Terms::bit_and),
        "bvor" => Left(Terms::bit_or),
        "bvxor" => Left(Terms::bit_xor),
        "bvnand" => Binary(Terms::bit_nand),
        "bvnor" => Binary(Terms::bit_nor),
        "bvxnor" => Left(Terms::bit_xnor),
        "bvadd" => Left(Terms::add),
        "bvsub" => Left(Terms::sub),
        "bvmul" => Left(Terms::mul),
        "bvudiv" => Binary(Terms::udiv),
        "bvurem" => Binary(Terms::urem),
        "bvsdiv" => Binary(Terms::sdiv),
        "bvsrem" => Binary(Terms::srem),
        "bvsmod" => Binary(Terms::smod),
        "bvshl" => Binary(Terms::shl),
        "bvlshr" => Binary(Terms::lshr),
        "bvashr" => Binary(Terms::ashr),
        "bvcomp" => Binary(Terms::compare),
        "bvult" => Binary(Terms::ult),
        "bvule" => Binary(Terms::ule),
        "bvugt" => Binary(Terms::ugt),
        "bvuge" => Binary(Terms::uge),
        "bvslt" => Binary(Terms::slt),
        "bvsle" => Binary(Terms::sle),
        "bvsgt" => Binary(Terms::sgt),
        "bvsge" => Binary(Terms::sge),
        "bvnego" => Unary(Terms::neg_overflows),
        "bvuaddo" => Binary(Terms::uadd_overflows),
        "bvsaddo" => Binary(Terms::sadd_overflows),
        "bvusubo" => Binary(Terms::usub_overflows),
        "bvssubo" => Binary(Terms::ssub_overflows),
        "bvumulo" => Binary(Terms::umul_overflows),
        "bvsmulo" => Binary(Terms::smul_overflows),
        "bvsdivo" => Binary(Terms::sdiv_overflows),
        _ => return None,
    })
}

/// Applies the function of that name; `None` if there is none.
pub(super) fn apply(terms: &mut Terms, name: &str, operands: &[Term]) -> Option<Result<Term>> {
    if name == "ite" {
        return Some(match *operands {
            [_, _, _] => terms.apply(Op::Ite, operands),
            _ => Err(arity(name, 3, operands.len())),
        });
    }
    let function = function(name)?;
    if let Err(error) = Operands::of(name).check(terms, name, operands) {
        return Some(Err(error));
    }
    Some(match (function, operands) {
        (Function::Unary(make), &[a]) => Ok(make(terms, a)),
        (Function::Unary(_), _) => Err(arity(name, 1, operands.len())),
        (Function::Binary(make), &[a, b]) => Ok(make(terms, a, b)),
        (Function::Left(make), [first, rest @ ..]) if !rest.is_empty() => {
            Ok(rest.iter().fold(*first, |so_far, &operand| make(terms, so_far, operand)))
        }
        (Function::Right(make), [rest @ .., last]) if !rest.is_empty() => {
            Ok(rest.iter().rev().fold(*last, |so_far, &operand| make(terms, operand, so_far)))
        }
        (Function::Chain(make), [_, _, ..]) => {
            let pairs: Vec<(Term, Term)> = operands.windows(2).map(|pair| (pair[0], pair[1])).collect();
            Ok(conjunction(terms, make, &pairs))
        }
        (Function::Pairs(make), [_, _, ..]) => {
            let pairs: Vec<(Term, Term)> = (0..operands.len())
                .flat_map(|j| (0..j).map(move |i| (i, j)))
                .map(|(i, j)| (operands[i], operands[j]))
                .collect();
            Ok(conjunction(terms, make, &pairs))
        }
        _ => Err(arity(name, 2, operands.len())),
    })
}

fn conjunction(terms: &mut Terms, make: Binary, pairs: &[(Term, Term)]) -> Term {
    let start = terms.bool(true);
    pairs.iter().fold(start, |all, &(a, b)| {
        let one = make(terms, a, b);
        terms.and(all, one)
    })
}

/// Applies an indexed function such as `(_ extract 7 0)`; `None` if there is none of that name with so many indices.
pub(super) fn apply_indexed(terms: &mut Terms, name: &str, indices: &[u32], operands: &[Term]) -> Option<Result<Term>> {
    let &[a] = operands else {
        return Some(Err(arity(name, 1, operands.len())));
    };
    let wider = |terms: &Terms, by: u32| terms.sort(a).width().saturating_add(by);
    Some(match (name, indices) {
        ("extract", &[high, low]) => terms.apply(Op::Extract { high, low }, operands),
        ("zero_extend", &[by]) => {
            let width = wider(terms, by);
            terms.apply(Op::ZeroExtend(width), operands)
        }
        ("sign_extend", &[by]) => {
            let width = wider(terms, by);
            terms.apply(Op::SignExtend(width), operands)
        }
        ("rotate_left" | "rotate_right" | "repeat", &[count]) => {
            let width = terms.sort(a).width();
            let total = u64::from(count) * u64::from(width);
            let words = Operands::Words.check(terms, name, operands);
            match (words, name) {
                (Err(error), _) => Err(error),
                (_, "rotate_left") => Ok(terms.rotate_left(count, a)),
                (_, "rotate_right") => Ok(terms.rotate_right(count, a)),
                _ if (1..=u64::from(MAX_WIDTH)).contains(&total) => Ok(terms.repeat(count, a)),
                _ => Err(Error::Width(total)),
            }
        }
        _ => return None,
    })
}

fn arity(name: &str, expected: usize, given: usize) -> Error {
    Error::Arity { operation: name.to_string(), expected, given }
}
