//! What the tests share: programs, what the engine tells of them, and certificates as text.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use selvedge_analysis::Facts;
use selvedge_evidence::file::{Setting, Stated};
use selvedge_evidence::symmetric::{Refusal, certify};
use selvedge_evidence::{
    Answer, Certificate, CertificateFile, Claim, Findings, Notebook, Noted, Replicas, Scope, Subject, SymmetricProof,
    Violation, modular::Shown,
};
use selvedge_frontend::compile::{CompileOptions, Source, compile_sources, compile_text};
use selvedge_program::{Budget, DataModel, Program, Property, Quiet};
use selvedge_symmetric::{Options, check};

/// What is asked.
pub const ASKED: [Property; 2] = [Property::Assertion, Property::Race];

/// A program of `tests/programs/symmetric`.
pub fn compile(name: &str) -> Program {
    let file = format!("../../tests/programs/symmetric/{name}.c");
    let source = Source { path: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file), preprocess: Default::default() };
    compile_sources(&[source], &CompileOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}")).program
}

/// A program without headers.
pub fn program(text: &str) -> Program {
    compile_text("program.c", text, &CompileOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .program
}

/// What the engine tells of a program, and what it answers.
pub fn told_within(program: &Program, asked: &[Property], budget: &Budget) -> (Noted, Answer) {
    let notebook = Notebook::new();
    let facts = Facts::new(Arc::new(program.clone()), Budget::unlimited());
    let options = Options { properties: asked.to_vec(), ..Options::default() };
    let answer = check(&facts, &options, budget, &mut Quiet, &notebook).expect("the engine makes no mistake");
    (notebook.noted(), answer)
}

/// Notes down what is told, and calls the engine off when there is evidence, as whoever runs it does when nothing else
/// is asked.
pub struct Impatient {
    pub notebook: Notebook,
    cancel: Arc<AtomicBool>,
}

impl Impatient {
    /// For an engine with this budget.
    pub fn with(budget: &Budget) -> Impatient {
        Impatient { notebook: Notebook::new(), cancel: budget.cancel.clone() }
    }
}

impl Findings for Impatient {
    fn violation(&self, violation: Violation) {
        self.notebook.violation(violation);
        self.cancel.store(true, Ordering::Relaxed);
    }

    fn proved(&self, scope: &Scope, certificate: Certificate) {
        self.notebook.proved(scope, certificate);
        self.cancel.store(true, Ordering::Relaxed);
    }

    fn covered(&self, scope: &Scope, bound: &str) {
        self.notebook.covered(scope, bound);
    }

    fn is_open(&self, subject: Subject) -> bool {
        self.notebook.is_open(subject)
    }

    fn is_property_open(&self, property: Property) -> bool {
        self.notebook.is_property_open(property)
    }
}

/// What the engine tells of a program.
pub fn told(program: &Program) -> Noted {
    told_within(program, &ASKED, &Budget::unlimited()).0
}

/// The proof of all of a property.
pub fn proof_of(noted: &Noted, property: Property) -> Option<SymmetricProof> {
    noted.proofs.iter().find_map(|(scope, certificate)| match certificate {
        Certificate::Symmetric(proof) if scope.is_all_of(property) => Some((**proof).clone()),
        _ => None,
    })
}

/// Whether the checker accepts that a proof shows all of a property.
pub fn checked(program: &Program, proof: &SymmetricProof, property: Property) -> Result<(), Refusal> {
    let shown = Shown {
        assertions: &|_| property == Property::Assertion,
        races: &|_| property == Property::Race,
        undefined: &|undefined| undefined.property() == property,
    };
    certify(program, proof, &shown, &Budget::unlimited())
}

/// A proof as a file.
pub fn text(program: &Program, proof: &SymmetricProof, property: Property) -> String {
    let setting = Setting {
        data_model: DataModel::Lp64,
        properties: vec![property],
        threads: Replicas::AsStarted,
        race_on: None,
    };
    let stated = Stated {
        remark: String::new(),
        claims: vec![Claim::All(property)],
        certificate: Certificate::Symmetric(Arc::new(proof.clone())),
    };
    CertificateFile { setting, certificates: vec![stated] }.text(program, &Budget::unlimited())
}

/// The proof of a file; `None` if it speaks of something that the program does not have.
pub fn read(program: &Program, text: &str) -> Option<SymmetricProof> {
    let file = CertificateFile::parse(program, text).ok()?;
    match &file.certificates[0].certificate {
        Certificate::Symmetric(proof) => Some((**proof).clone()),
        _ => None,
    }
}
