//! The digest of a program: what binds a certificate in a file to what it was found for. It says which program is
//! meant, and nothing stands on it: whoever accepts a certificate checks it against the program itself.

use std::fmt::{self, Write};
use std::str::FromStr;

use selvedge_program::Program;
use xxhash_rust::xxh3::Xxh3;

/// XXH3 of a program model, 128 bits; as text, 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(u128);

impl Digest {
    /// Of all that the model says, but for what the files are called: a program is the same wherever it lies. The text
    /// of `dump` will not do, since it leaves out what people seldom look for.
    pub fn of(program: &Program) -> Digest {
        let Program {
            data_model,
            sources: _,
            objects,
            functions,
            address_taken,
            entries,
            checks,
            sites,
            allocated,
            caveats,
            restrictions,
            provisos,
            unknowns,
        } = program;
        let mut state = State(Xxh3::new());
        let data = (data_model, objects, functions, address_taken, entries);
        let _ = write!(state, "{data:?} {:?}", (checks, sites, allocated, caveats, restrictions, provisos, unknowns));
        Digest(state.0.digest128())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Digest {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let is_digest = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let digits = is_digest.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        digits.map(Digest).ok_or(())
    }
}

/// What has been written so far.
struct State(Xxh3);

impl Write for State {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
