//! Thread-modular proofs as text: what files hold and people read. `docs/certificates.md` describes the form.
//!
//! The text names the version of the form, the program by its digest and what is claimed; then, for every place of every
//! thread, what may hold there, in the language of predicates. What stands behind `//` is for people.

mod read;

use std::collections::BTreeMap;
use std::fmt::Write;

use rustc_hash::FxHashMap;
use selvedge_analysis::AbstractObject;
use selvedge_program::{Budget, EdgeId, FunctionId, Program};
use selvedge_symbolic::predicate::{function_name, register_name, root_name};
use selvedge_symbolic::threads::{NodeId, Universe};
use selvedge_symbolic::{Predicate, Root};
use thiserror::Error;

use super::{Claim, Claims, ModularProof, Possible};
use crate::digest::Digest;

/// What the first line begins with; the version follows.
const TITLE: &str = "selvedge modular proof";

/// The version of the form. Another one is not read.
const VERSION: u32 = 1;

/// The object of a claim that stands for all threads.
const THREADS: &str = "@threads";

/// Comments stand from this column on.
const COMMENTS: usize = 40;

/// Why a text is not read as a proof.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    #[error("line {line}, column {column}: {message}")]
    Syntax { line: usize, column: usize, message: String },
    #[error("this is version {0} of the form of proofs, and only version {VERSION} is read")]
    Version(String),
    #[error("it is about another program: that of {stated}, and this is {found}")]
    OtherProgram { stated: Digest, found: Digest },
}

impl ModularProof {
    /// The text that [`ModularProof::parse`] reads as this proof of these claims. The places of the source that it
    /// names are left out if the budget does not last for finding them.
    pub fn text(&self, program: &Program, claims: &Claims, budget: &Budget) -> String {
        let universe = Universe::of(program, || budget.exhausted().is_none()).ok().flatten();
        let mut writer = Writer { program, universe, texts: FxHashMap::default(), text: String::new() };
        writer.head(claims);
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

    /// Reads a proof of a program, and what it is to show. It is not checked: [`Claims::certify`] does that.
    ///
    /// # Errors
    /// When the text is no proof, is about another program or names something that the program does not have.
    pub fn parse(program: &Program, text: &str) -> Result<(ModularProof, Claims), Unreadable> {
        read::read(program, text)
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
    /// A line with a comment to the right.
    fn line(&mut self, content: &str, comment: &str) {
        let _ = if comment.is_empty() {
            writeln!(self.text, "{content}")
        } else {
            writeln!(self.text, "{content:COMMENTS$}  // {}", comment.replace('\n', " "))
        };
    }

    fn head(&mut self, claims: &Claims) {
        self.line(&format!("{TITLE} {VERSION}"), "");
        self.line(&format!("program {}", Digest::of(self.program)), "");
        for claim in claims.iter() {
            let (words, comment) = self.claim(claim);
            self.line(&format!("shows {words}"), &comment);
        }
    }

    fn claim(&self, claim: Claim) -> (String, String) {
        let words = match claim {
            Claim::Assertions => "no assertion fails".to_owned(),
            Claim::Assertion(check) => {
                let words = format!("assertion {}", check.index());
                let known = self.program.checks.get(check.index());
                let comment = known.map(|check| format!("{}, {}", check.description, self.program.place(check.span)));
                return (words, comment.unwrap_or_default());
            }
            Claim::Races => "no data race".to_owned(),
            Claim::RacesOn(object) => format!("no data race on {}", object_text(self.program, object)),
            Claim::Memory => "nothing undefined".to_owned(),
            Claim::Overflow => "no signed overflow".to_owned(),
        };
        (words, String::new())
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

/// What an object is called in claims: as in predicates, where a site stands for all that is allocated there.
fn object_text(program: &Program, object: AbstractObject) -> String {
    match object {
        AbstractObject::Static(object) => root_name(program, Root::Static(object)),
        AbstractObject::Frame(function, slot) => root_name(program, Root::Local(function, slot)),
        AbstractObject::Site(site) => root_name(program, Root::One(site)),
        AbstractObject::Function(function) => format!("&{}", function_name(program, function)),
        AbstractObject::Thread | AbstractObject::Started(_) => THREADS.to_owned(),
    }
}
