//! Certificates as files: one readable text for all kinds, which names the version of the form, the program by its
//! digest, what was asked, and per certificate what it shows. `docs/certificates.md` describes it.
//!
//! ```text
//! file        = "selvedge certificates" number, "program" digest, "data model" name, "properties" name "," …,
//!               "threads" ( "as started" | "at most" number | "any" ), ( "race on" name )?, certificate+
//! certificate = "certificate" kind, ( "shows" claim )+, body, "end"
//! ```
//! Each of these begins a line; empty lines and what stands behind `//` do not count. The body is a matter of the kind:
//! to add one is to write a module that writes and reads it, and a line in each of the two tables below.

mod claims;
mod kinds;
pub mod lines;
pub mod sets;

use crate::{Certificate, Claim, Digest, Replicas};
use lines::{Line, Unreadable};
use selvedge_program::{Budget, DataModel, Program, Property};
use std::fmt::Write;

/// What the first line begins with; the version follows.
const TITLE: &str = "selvedge certificates";

/// The version of the form. Another one is not read.
pub const VERSION: u32 = 1;

/// Comments stand from this column on.
const COMMENTS: usize = 40;

/// What was asked when the certificates were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The sizes of types.
    pub data_model: DataModel,
    /// The properties.
    pub properties: Vec<Property>,
    /// How many threads of one function there are.
    pub threads: Replicas,
    /// If given, only races on the object with this name were asked about.
    pub race_on: Option<String>,
}

/// A certificate with what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Something about it for people.
    pub remark: String,
    /// What it shows.
    pub claims: Vec<Claim>,
    /// On what ground.
    pub certificate: Certificate,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFile {
    /// What was asked.
    pub setting: Setting,
    /// The certificates.
    pub certificates: Vec<Stated>,
}

/// The properties by their names on the command line.
const PROPERTIES: [(Property, &str); 7] = [
    (Property::Assertion, "assertion"),
    (Property::Race, "race"),
    (Property::Deadlock, "deadlock"),
    (Property::Livelock, "livelock"),
    (Property::Memory, "memory"),
    (Property::Atomicity, "atomicity"),
    (Property::Overflow, "overflow"),
];

/// What a claim says, in words.
pub fn claim_text(program: &Program, claim: Claim) -> String {
    claims::text(program, claim).0
}

/// A line with a comment to the right.
pub(crate) fn write_line(text: &mut String, content: &str, comment: &str) {
    let _ = if comment.is_empty() {
        writeln!(text, "{content}")
    } else {
        writeln!(text, "{content:COMMENTS$}  // {}", comment.replace(['\n', '\r'], " "))
    };
}

impl CertificateFile {
    /// The text that [`CertificateFile::parse`] reads as this. What is for people is left out where the budget does not
    /// last for finding it.
    pub fn text(&self, program: &Program, budget: &Budget) -> String {
        let mut text = String::new();
        let Setting { data_model, properties, threads, race_on } = &self.setting;
        write_line(&mut text, &format!("{TITLE} {VERSION}"), "");
        write_line(&mut text, &format!("program {}", Digest::of(program)), "");
        let data_model = match data_model {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        };
        write_line(&mut text, &format!("data model {data_model}"), "");
        let named = PROPERTIES.iter().filter(|(property, _)| properties.contains(property));
        let names: Vec<&str> = named.map(|(_, name)| *name).collect();
        write_line(&mut text, &format!("properties {}", names.join(", ")), "");
        let threads = match threads {
            Replicas::AsStarted => "as started".to_owned(),
            Replicas::AtMost(most) => format!("at most {most}"),
            Replicas::Any => "any".to_owned(),
        };
        write_line(&mut text, &format!("threads {threads}"), "");
        if let Some(name) = race_on {
            write_line(&mut text, &format!("race on {name}"), "");
        }
        for caveat in program.caveats.iter().chain(&program.restrictions) {
            write_line(&mut text, "", &format!("assumed: {}", caveat.message));
        }
        for Stated { remark, claims, certificate } in &self.certificates {
            text.push('\n');
            write_line(&mut text, &format!("certificate {}", kinds::name(certificate)), remark);
            for claim in claims {
                let (words, comment) = claims::text(program, *claim);
                write_line(&mut text, &format!("shows {words}"), &comment);
            }
            kinds::write(certificate, program, budget, &mut text);
            write_line(&mut text, "end", "");
        }
        text
    }

    /// Reads the certificates of a program. They are not checked: [`crate::certify`](mod@crate::certify) does that.
    ///
    /// # Errors
    /// When the text is none, is about another program or names something that the program does not have.
    pub fn parse(program: &Program, text: &str) -> Result<CertificateFile, Unreadable> {
        let mut lines = Lines::of(text);
        let (stated, setting) = lines.setting()?;
        let found = Digest::of(program);
        if stated != found {
            return Err(Unreadable::OtherProgram { stated, found });
        }
        let mut certificates = Vec::new();
        while let Some(line) = lines.next() {
            let kind = line.after("certificate").ok_or_else(|| line.wrong("`certificate` is expected here"))?;
            certificates.push(lines.certificate(program, kind)?);
        }
        if certificates.is_empty() {
            return Err(lines.end.wrong("a certificate is expected here"));
        }
        Ok(CertificateFile { setting, certificates })
    }

    /// Reads for which program the certificates are and what was asked, which says how to compile it.
    ///
    /// # Errors
    /// When the text does not begin like certificates.
    pub fn setting_of(text: &str) -> Result<(Digest, Setting), Unreadable> {
        Lines::of(text).setting()
    }
}

/// The lines that have not been read.
struct Lines<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    ahead: Option<Line<'t>>,
    end: Line<'t>,
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        self.ahead.take().or_else(|| {
            let lines = self.lines.by_ref().map(|(at, line)| Line::new(at + 1, line));
            lines.into_iter().find(|line| !line.is_empty())
        })
    }
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let end = Line { number: text.lines().count() + 1, column: 1, text: "" };
        Lines { lines: text.lines().enumerate(), ahead: None, end }
    }

    /// What stands behind some words, with which the next line begins.
    fn expect(&mut self, words: &str, what: &str) -> Result<Line<'t>, Unreadable> {
        let line = self.next().unwrap_or(self.end);
        line.after(words).ok_or_else(|| line.wrong(format!("{what} is expected here")))
    }

    fn setting(&mut self) -> Result<(Digest, Setting), Unreadable> {
        let version = self.expect(TITLE, &format!("`{TITLE} {VERSION}`"))?;
        if version.text != VERSION.to_string() {
            return Err(Unreadable::Version(version.text.chars().take(40).collect()));
        }
        let digest = self.expect("program", "`program` and its digest")?;
        let stated: Digest =
            digest.text.parse().map_err(|()| digest.wrong("a digest of 32 hexadecimal digits is expected here"))?;
        let model = self.expect("data model", "`data model LP64` or `data model ILP32`")?;
        let data_model = match model.text {
            "LP64" => DataModel::Lp64,
            "ILP32" => DataModel::Ilp32,
            _ => return Err(model.wrong("`LP64` or `ILP32` is expected here")),
        };
        let names = self.expect("properties", "`properties` with their names")?;
        let properties = names.text.split(',').map(str::trim).map(|name| {
            let known = PROPERTIES.iter().find(|(_, known)| *known == name);
            known.map(|(property, _)| *property).ok_or_else(|| names.wrong("names of properties are expected here"))
        });
        let properties = properties.collect::<Result<_, _>>()?;
        let number = self.expect("threads", "`threads as started`, `threads at most 3` or `threads any`")?;
        let threads = match (number.text, number.after("at most")) {
            ("as started", _) => Replicas::AsStarted,
            ("any", _) => Replicas::Any,
            (_, Some(most)) => Replicas::AtMost(most.number("a number of threads")?),
            _ => return Err(number.wrong("`as started`, `at most 3` or `any` is expected here")),
        };
        let mut race_on = None;
        if let Some(line) = self.next() {
            match line.after("race on") {
                Some(name) => race_on = Some(name.text.to_owned()),
                None => self.ahead = Some(line),
            }
        }
        Ok((stated, Setting { data_model, properties, threads, race_on }))
    }

    /// What comes after the line that begins a certificate, with its end.
    fn certificate(&mut self, program: &Program, kind: Line<'t>) -> Result<Stated, Unreadable> {
        let mut claims: Vec<Claim> = Vec::new();
        let mut body = Vec::new();
        loop {
            let line = self.next().ok_or_else(|| self.end.wrong("`end` of a certificate is expected here"))?;
            if line.text == "end" {
                break;
            }
            match line.after("shows") {
                Some(claim) if body.is_empty() => claims.push(claims::read(program, claim)?),
                Some(_) => return Err(line.wrong("what is shown is said before everything else")),
                None => body.push(line),
            }
        }
        if claims.is_empty() {
            return Err(kind.wrong("a certificate that shows nothing"));
        }
        claims.sort();
        claims.dedup();
        let certificate = kinds::read(program, kind, &body)?;
        Ok(Stated { remark: String::new(), claims, certificate })
    }
}
