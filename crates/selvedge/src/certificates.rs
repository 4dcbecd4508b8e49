//! What the verdicts of a run stand on, as a file holds it.

use crate::Contradicted;
use selvedge_evidence::file::{CertificateFile, Setting, Stated};
use selvedge_evidence::{Certificate, Claim, Judgement, Task, Verdict};
use selvedge_program::Program;

/// The certificates of everything that is safe, each with all that it shows; `None` if nothing is.
pub fn certificates(program: &Program, judgement: &Judgement, task: &Task) -> Option<CertificateFile> {
    let mut certificates: Vec<Stated> = Vec::new();
    for check in &judgement.checks {
        let Verdict::Safe(certificate) = &check.verdict else { continue };
        match certificates.iter_mut().find(|stated| stated.certificate == *certificate) {
            Some(stated) => stated.claims.push(check.claim()),
            None => certificates.push(stated(check.engine, vec![check.claim()], certificate)),
        }
    }
    (!certificates.is_empty()).then(|| CertificateFile { setting: setting(program, task), certificates })
}

/// The certificate of something that is violated all the same.
pub fn contradiction(program: &Program, contradicted: &Contradicted, task: &Task) -> CertificateFile {
    let claims = vec![Claim::Of(contradicted.subject)];
    let certificates = vec![stated(contradicted.prover, claims, &contradicted.certificate)];
    CertificateFile { setting: setting(program, task), certificates }
}

fn stated(engine: &str, claims: Vec<Claim>, certificate: &Certificate) -> Stated {
    let remark = match certificate {
        Certificate::NothingToCheck => String::new(),
        certificate => format!("found by {engine}; {}", certificate.standing()),
    };
    Stated { remark, claims, certificate: certificate.clone() }
}

fn setting(program: &Program, task: &Task) -> Setting {
    Setting {
        data_model: program.data_model,
        properties: task.properties.clone(),
        threads: task.threads,
        race_on: task.race_on.clone(),
    }
}
