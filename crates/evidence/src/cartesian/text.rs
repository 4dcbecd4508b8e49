//! Sets of states as text.
//!
//! ```text
//! body    = ( "crowd" function )*, ( "bound" number )?, ( "shared" number, product* )*
//! product = "product" group "|" …
//! group   = set "," …  ( "rest" set )?
//! set     = "none" | ( number | number "-" number ) …
//! ```
//! The groups are those of the components: individuals, members of crowds that the shared state refers to, crowds. The
//! sets of a group are those of the threads that are told apart; that behind `rest` is that of all others.

use super::{CartesianProof, Product, ProductGroup};
use crate::file::lines::{Line, Unreadable};
use crate::file::sets::{read_set, set_text};
use crate::file::write_line;
use selvedge_program::Program;
use selvedge_symbolic::predicate::{function_name, read_function};

/// No set has more local states than this; a range in a file may not be larger.
const LARGEST: u32 = 1 << 20;

impl CartesianProof {
    /// Writes it.
    pub(crate) fn write(&self, program: &Program, text: &mut String) {
        for crowd in &self.crowds {
            write_line(text, &format!("crowd {}", function_name(program, *crowd)), "its threads are not told apart");
        }
        if let Some(bound) = self.bound {
            write_line(text, &format!("bound {bound}"), "");
        }
        for (number, products) in self.shared.iter().enumerate() {
            write_line(text, &format!("shared {number}"), "");
            for product in products {
                let groups: Vec<String> = product.iter().map(group_text).collect();
                write_line(text, &format!("  product {}", groups.join(" | ")), "");
            }
        }
    }

    /// Reads what [`CartesianProof::write`] writes.
    pub(crate) fn read(program: &Program, body: &[Line<'_>]) -> Result<CartesianProof, Unreadable> {
        let mut proof = CartesianProof { crowds: Vec::new(), bound: None, shared: Vec::new() };
        for line in body {
            if let Some(name) = line.after("crowd") {
                let crowd = read_function(program, name.text).map_err(|error| name.wrong_at(error))?;
                if proof.crowds.contains(&crowd) || !proof.shared.is_empty() {
                    return Err(line.wrong("crowds are named once, before all else"));
                }
                proof.crowds.push(crowd);
            } else if let Some(number) = line.after("bound") {
                proof.bound = Some(number.number("a number of threads")?);
            } else if let Some(number) = line.after("shared") {
                if number.number::<usize>("the number of a shared state")? != proof.shared.len() {
                    return Err(number.wrong(format!("shared state {} is expected here", proof.shared.len())));
                }
                proof.shared.push(Vec::new());
            } else if let Some(groups) = line.after("product") {
                let shared = proof.shared.last_mut();
                shared.ok_or_else(|| line.wrong("`shared` is expected before"))?.push(read_product(groups)?);
            } else {
                return Err(line.wrong("`crowd`, `bound`, `shared` or `product` is expected here"));
            }
        }
        Ok(proof)
    }
}

fn group_text(group: &ProductGroup) -> String {
    let slots: Vec<String> = group.slots.iter().map(set_text).collect();
    let rest = if group.rest.is_empty() { String::new() } else { format!("rest {}", set_text(&group.rest)) };
    [slots.join(", "), rest].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

fn read_product(line: Line<'_>) -> Result<Product, Unreadable> {
    let mut product = Product::new();
    let mut left = line;
    while let Some((group, more)) = left.around("|") {
        product.push(read_group(group)?);
        left = more;
    }
    product.push(read_group(left)?);
    Ok(product)
}

fn read_group(line: Line<'_>) -> Result<ProductGroup, Unreadable> {
    let mut group = ProductGroup::default();
    let (mut slots, rest) = match line.after("rest") {
        Some(rest) => (None, Some(rest)),
        None => match line.around(" rest ") {
            Some((slots, rest)) => (Some(slots), Some(rest)),
            None => (Some(line).filter(|line| !line.is_empty()), None),
        },
    };
    while let Some(line) = slots {
        let (slot, more) = match line.around(",") {
            Some((slot, more)) => (slot, Some(more)),
            None => (line, None),
        };
        group.slots.push(read_set(slot, LARGEST + 1)?);
        slots = more;
    }
    if let Some(rest) = rest {
        group.rest = read_set(rest, LARGEST + 1)?;
    }
    Ok(group)
}
