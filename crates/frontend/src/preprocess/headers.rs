//! The C headers Selvedge brings along, searched before the system's.
//!
//! They keep every thread, atomic and assertion operation a call by its own
//! name and every type opaque. They are part of the executable and are written
//! to a temporary folder while a [`Headers`] lives. Whatever the compiler says
//! about that folder is renamed to [`DISPLAY_DIR`], so that output does not
//! depend on where it lay.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::TempDir;

use super::target::{Probe, ProbeKey};

/// How our header folder is called in line markers and messages.
pub const DISPLAY_DIR: &str = "<selvedge>";

/// The generic functions of `<stdatomic.h>`: our header neither defines nor
/// declares them, the type checker knows them by name.
pub const ATOMIC_GENERICS: &[&str] = &[
    "atomic_init",
    "atomic_is_lock_free",
    "atomic_load",
    "atomic_load_explicit",
    "atomic_store",
    "atomic_store_explicit",
    "atomic_exchange",
    "atomic_exchange_explicit",
    "atomic_compare_exchange_strong",
    "atomic_compare_exchange_strong_explicit",
    "atomic_compare_exchange_weak",
    "atomic_compare_exchange_weak_explicit",
    "atomic_fetch_add",
    "atomic_fetch_add_explicit",
    "atomic_fetch_sub",
    "atomic_fetch_sub_explicit",
    "atomic_fetch_or",
    "atomic_fetch_or_explicit",
    "atomic_fetch_xor",
    "atomic_fetch_xor_explicit",
    "atomic_fetch_and",
    "atomic_fetch_and_explicit",
];

/// Every header: its path below the include folder, and its text.
const FILES: &[(&str, &str)] = &[
    ("assert.h", include_str!("../../include/assert.h")),
    ("pthread.h", include_str!("../../include/pthread.h")),
    ("semaphore.h", include_str!("../../include/semaphore.h")),
    ("stdatomic.h", include_str!("../../include/stdatomic.h")),
    ("threads.h", include_str!("../../include/threads.h")),
    ("bits/pthreadtypes.h", include_str!("../../include/bits/pthreadtypes.h")),
    ("bits/selvedge-locks.h", include_str!("../../include/bits/selvedge-locks.h")),
    ("bits/pthread_stack_min-dynamic.h", include_str!("../../include/bits/pthread_stack_min-dynamic.h")),
    ("fallback/gnu/stubs-32.h", include_str!("../../include/fallback/gnu/stubs-32.h")),
];

/// Our headers on disk; dropping this removes them.
#[derive(Debug)]
pub struct Headers {
    dir: TempDir,
    /// `dir` as it appears between the quotes of a line marker.
    quoted_dir: String,
    pub(super) probes: Mutex<BTreeMap<ProbeKey, Probe>>,
}

impl Headers {
    /// Writes the headers to a fresh temporary folder.
    pub fn install() -> io::Result<Headers> {
        let dir = tempfile::Builder::new().prefix("selvedge-include-").tempdir()?;
        for (name, text) in FILES {
            let path = dir.path().join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, text)?;
        }
        let quoted_dir = dir.path().to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        Ok(Headers { dir, quoted_dir, probes: Mutex::default() })
    }

    /// The folder to search before the system's.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The folder to search after the system's, for headers that an
    /// installation without 32-bit files lacks.
    pub(super) fn fallback_dir(&self) -> PathBuf {
        self.dir.path().join("fallback")
    }

    /// The text of one of our headers, by the path that line markers give it
    /// (`<selvedge>/pthread.h`), for showing source lines.
    pub fn source(display_path: &str) -> Option<&'static str> {
        let name = display_path.strip_prefix(DISPLAY_DIR)?.strip_prefix('/')?;
        let found = FILES.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| *text)
    }

    /// Renames our folder to [`DISPLAY_DIR`] in the line markers of `text`.
    pub(super) fn rename_in_markers(&self, text: &[u8]) -> Vec<u8> {
        let dir = self.quoted_dir.as_bytes();
        let mut renamed = Vec::with_capacity(text.len());
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            match marker_file(line) {
                Some(file) if line[file..].starts_with(dir) => {
                    renamed.extend_from_slice(&line[..file]);
                    renamed.extend_from_slice(DISPLAY_DIR.as_bytes());
                    renamed.extend_from_slice(&line[file + dir.len()..]);
                }
                _ => renamed.extend_from_slice(line),
            }
        }
        renamed
    }

    /// Renames our folder to [`DISPLAY_DIR`] in a compiler's message.
    pub(super) fn rename_in_message(&self, text: &str) -> String {
        text.replace(self.dir.path().to_string_lossy().as_ref(), DISPLAY_DIR)
    }
}

/// Where the file name starts in a line marker (`# 1 "file" 2`).
fn marker_file(line: &[u8]) -> Option<usize> {
    let rest = line.strip_prefix(b"# ")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let quoted = rest.get(digits..)?.starts_with(b" \"");
    (digits > 0 && quoted).then_some(2 + digits + 2)
}
