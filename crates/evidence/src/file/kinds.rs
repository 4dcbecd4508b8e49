//! The kinds of certificates: their names in files, and who writes and reads each.

use super::lines::{Line, Unreadable};
use super::write_line;
use crate::{Again, CartesianProof, Certificate, ModularProof, ProtectionProof, SymmetricProof};
use selvedge_program::{Budget, Program};
use std::sync::Arc;

/// The name of a certificate's kind.
pub fn name(certificate: &Certificate) -> &'static str {
    match certificate {
        Certificate::Exhaustive { .. } => "exploration",
        Certificate::Refutation { .. } => "refutation",
        Certificate::Cartesian(_) => "cartesian",
        Certificate::Modular(_) => "modular",
        Certificate::Protection(_) => "protection",
        Certificate::Symmetric(_) => "symmetric",
        Certificate::NothingToCheck => "nothing to check",
    }
}

/// Writes what a certificate consists of.
pub fn write(certificate: &Certificate, program: &Program, budget: &Budget, text: &mut String) {
    match certificate {
        Certificate::Exhaustive { states, .. } => write_line(text, &format!("states {states}"), "stored by the engine"),
        Certificate::Refutation { bounds, instances, proof, .. } => {
            write_line(text, &format!("bounds {}", one_line(bounds)), "");
            write_line(text, &format!("instances {}", one_line(instances)), "");
            for line in proof.lines() {
                write_line(text, &format!("  {line}"), "");
            }
        }
        Certificate::Cartesian(proof) => proof.write(program, text),
        Certificate::Modular(proof) => text.push_str(&proof.body(program, budget)),
        Certificate::Protection(proof) => proof.write(program, text),
        Certificate::Symmetric(proof) => proof.write(program, text),
        Certificate::NothingToCheck => {}
    }
}

fn one_line(words: &str) -> String {
    words.replace(['\n', '\r'], " ").replace("//", "/ /")
}

/// Reads what a certificate of a kind consists of.
pub fn read(program: &Program, kind: Line<'_>, body: &[Line<'_>]) -> Result<Certificate, Unreadable> {
    match kind.text {
        "exploration" => {
            let [states] = body else { return Err(kind.wrong("one line `states` is expected in it")) };
            let number = states.after("states").ok_or_else(|| states.wrong("`states` is expected here"))?;
            Ok(Certificate::Exhaustive { states: number.number("a number of states")?, again: Again::NotYet })
        }
        "refutation" => {
            let [bounds, instances, proof @ ..] = body else {
                return Err(kind.wrong("`bounds` and `instances` are expected in it"));
            };
            let words = |line: Line<'_>, word: &str| {
                let words = line.after(word).map(|words| words.text.to_owned());
                words.ok_or_else(|| line.wrong(format!("`{word}` is expected here")))
            };
            let (bounds, instances) = (words(*bounds, "bounds")?, words(*instances, "instances")?);
            let proof: String = proof.iter().map(|line| format!("{}\n", line.text)).collect();
            Ok(Certificate::Refutation { bounds, instances, proof: proof.into(), again: Again::NotYet })
        }
        "cartesian" => Ok(Certificate::Cartesian(Arc::new(CartesianProof::read(program, body)?))),
        "modular" => Ok(Certificate::Modular(Arc::new(ModularProof::read_body(program, body)?))),
        "protection" => Ok(Certificate::Protection(Arc::new(ProtectionProof::read(program, body)?))),
        "symmetric" => Ok(Certificate::Symmetric(Arc::new(SymmetricProof::read(program, body)?))),
        "nothing to check" if body.is_empty() => Ok(Certificate::NothingToCheck),
        "nothing to check" => Err(body[0].wrong("`end` is expected here")),
        _ => {
            let kinds =
                "`exploration`, `refutation`, `cartesian`, `modular`, `protection`, `symmetric` or `nothing to check`";
            Err(kind.wrong(format!("{kinds} is expected here")))
        }
    }
}
