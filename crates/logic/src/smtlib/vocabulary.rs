//! The functions of SMT-LIB's core and bit-vector theories, by name.

use crate::error::{Error, Result};
use crate::terms::{Term, Terms};

type Unary = fn(&mut Terms, Term) -> Result<Term>;
type Binary = fn(&mut Terms, Term, Term) -> Result<Term>;

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
            [c, a, b] => terms.ite(c, a, b),
            _ => Err(arity(name, 3, operands.len())),
        });
    }
    let function = function(name)?;
    Some(match (function, operands) {
        (Function::Unary(make), &[a]) => make(terms, a),
        (Function::Unary(_), _) => Err(arity(name, 1, operands.len())),
        (Function::Binary(make), &[a, b]) => make(terms, a, b),
        (Function::Left(make), [first, rest @ ..]) if !rest.is_empty() => {
            rest.iter().try_fold(*first, |so_far, &operand| make(terms, so_far, operand))
        }
        (Function::Right(make), [rest @ .., last]) if !rest.is_empty() => {
            rest.iter().rev().try_fold(*last, |so_far, &operand| make(terms, operand, so_far))
        }
        (Function::Chain(make), [_, _, ..]) => {
            let pairs: Vec<(Term, Term)> = operands.windows(2).map(|pair| (pair[0], pair[1])).collect();
            conjunction(terms, make, &pairs)
        }
        (Function::Pairs(make), [_, _, ..]) => {
            let pairs: Vec<(Term, Term)> = (0..operands.len())
                .flat_map(|j| (0..j).map(move |i| (i, j)))
                .map(|(i, j)| (operands[i], operands[j]))
                .collect();
            conjunction(terms, make, &pairs)
        }
        _ => Err(arity(name, 2, operands.len())),
    })
}

fn conjunction(terms: &mut Terms, make: Binary, pairs: &[(Term, Term)]) -> Result<Term> {
    let start = terms.bool(true);
    pairs.iter().try_fold(start, |all, &(a, b)| {
        let one = make(terms, a, b)?;
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
        ("extract", &[high, low]) => terms.extract(high, low, a),
        ("zero_extend", &[by]) => {
            let width = wider(terms, by);
            terms.zero_extend(width, a)
        }
        ("sign_extend", &[by]) => {
            let width = wider(terms, by);
            terms.sign_extend(width, a)
        }
        ("rotate_left", &[by]) => terms.rotate_left(by, a),
        ("rotate_right", &[by]) => terms.rotate_right(by, a),
        ("repeat", &[times]) => terms.repeat(times, a),
        _ => return None,
    })
}

fn arity(name: &str, expected: usize, given: usize) -> Error {
    Error::Arity { operation: name.to_string(), expected, given }
}
