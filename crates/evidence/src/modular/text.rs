//! Thread-modular proofs as text: one kind of certificate in files (`file.rs`). `docs/certificates.md` describes the
//! form: for every place of every thread, what may hold there, in the language of predicates. What stands behind `//` is
//! for people.

mod read;

use std::collections::BTreeMap;
use std::fmt::Write;

use rustc_hash::FxHashMap;
use selvedge_program::{Budget, EdgeId, FunctionId, Program};
use selvedge_symbolic::Predicate;
use selvedge_symbolic::predicate::{function_name, register_name};
use selvedge_symbolic::threads::{NodeId, Universe};
use std::sync::Arc;

use super::{Claims, ModularProof, Possible};
use crate::file::lines::{Line, Unreadable};
use crate::file::{CertificateFile, Setting, Stated, write_line};
use crate::{Certificate, Replicas};

impl ModularProof {
    /// A file with this proof of these claims alone, as [`ModularProof::parse`] reads it.
    pub fn text(&self, program: &Program, claims: &Claims, budget: &Budget) -> String {
        let claims: Vec<crate::Claim> = claims.iter().map(Into::into).collect();
        let setting = Setting {
            data_model: program.data_model,
            properties: claims.iter().map(|claim| claim.property()).collect(),
            threads: Replicas::AsStarted,
            race_on: None,
        };
        let certificate = Certificate::Modular(Arc::new(self.clone()));
        let certificates = vec![Stated { remark: String::new(), claims, certificate }];
        CertificateFile { setting, certificates }.text(program, budget)
    }

    /// Reads a proof of a program, and what it is to show, from a file that begins with one. It is not checked:
    /// [`Claims::certify`] does that.
    ///
    /// # Errors
    /// When the text is no proof, is about another program or names something that the program does not have.
    pub fn parse(program: &Program, text: &str) -> Result<(ModularProof, Claims), Unreadable> {
        let file = CertificateFile::parse(program, text)?;
        let first = file.certificates.into_iter().next();
        let read = first.and_then(|Stated { claims, certificate, .. }| match certificate {
            Certificate::Modular(proof) => Some((Arc::unwrap_or_clone(proof), Claims::among(&claims)?)),
            _ => None,
        });
        read.ok_or_else(|| Line { number: 1, column: 1, text: "" }.wrong("a thread-modular proof is expected"))
    }

    /// What stands between the claims and the end. The places of the source that it names are left out if the budget
    /// does not last for finding them.
    pub(crate) fn body(&self, program: &Program, budget: &Budget) -> String {
        let universe = Universe::with_recursion(program, || budget.exhausted().is_none()).ok().flatten();
        let mut writer = Writer { program, universe, texts: FxHashMap::default(), text: String::new() };
        writer.places(&self.places);
        if !self.witnesses.is_empty() {
            writer.text.push('\n');
        }
        for ((function, edge), register) in &self.witnesses {
            let name = function_name(program, *function);
            let register = register_name(program, *function, *register);
            let line = format!("witness {name} edge {}: {name}::{register}", edge.index());
            let comment = writer.place_of_edge(*function, *edge);
            writer.line(&line, &comment);
        }
        writer.text
    }

    /// Reads what [`ModularProof::body`] writes.
    pub(crate) fn read_body(program: &Program, body: &[Line<'_>]) -> Result<ModularProof, Unreadable> {
        read::read(program, body)
    }
}

struct Writer<'p> {
    program: &'p Program,
    /// If there was time to find it.
    universe: Option<Universe<'p>>,
    /// The texts of predicates, most of which occur often.
    texts: FxHashMap<Predicate, String>,
    text: String,
}

impl Writer<'_> {
    fn line(&mut self, content: &str, comment: &str) {
        write_line(&mut self.text, content, comment);
    }

    fn places(&mut self, places: &BTreeMap<(FunctionId, u32), Vec<Possible>>) {
        let mut thread = None;
        for ((entry, node), said) in places {
            if thread.replace(*entry) != Some(*entry) {
                let line = format!("thread {}", function_name(self.program, *entry));
                self.text.push('\n');
                self.line(&line, "");
            }
            let comment = self.place_of_node(*entry, *node);
            self.text.push('\n');
            self.line(&format!("place {node}"), &comment);
            for possible in said {
                let unstarted = possible.unstarted.iter().map(|function| function_name(self.program, *function));
                let unstarted: Vec<String> = unstarted.collect();
                let before = if unstarted.is_empty() { "" } else { " before " };
                self.line(&format!("possible{before}{}", unstarted.join(", ")), "");
                for (predicate, truth) in &possible.literals {
                    let word = if *truth { "holds" } else { "fails" };
                    let program = self.program;
                    let text = self.texts.entry(predicate.clone()).or_insert_with(|| predicate.text(program));
                    let _ = writeln!(self.text, "  {word} {text}");
                }
            }
        }
    }

    fn place_of_edge(&self, function: FunctionId, edge: EdgeId) -> String {
        let definition = self.program.functions.get(function.index());
        let edge = definition.and_then(|definition| definition.edges.get(edge.index()));
        edge.map(|edge| self.program.place(edge.span)).unwrap_or_default()
    }

    /// In which function a thread is, and at which line.
    fn place_of_node(&self, entry: FunctionId, node: u32) -> String {
        let found = self.universe.as_ref().and_then(|universe| {
            let unfolded = universe.unfolded(universe.template_of(entry)?);
            let at = unfolded.nodes.get(node as usize)?;
            let edge = unfolded.outgoing(NodeId(node)).first().map(|arc| unfolded.arc(*arc).edge);
            Some((at.function, edge))
        });
        match found {
            Some((function, Some(edge))) => {
                format!("{}, {}", self.program.function(function).name, self.place_of_edge(function, edge))
            }
            Some((function, None)) => self.program.function(function).name.clone(),
            None => String::new(),
        }
    }
}
