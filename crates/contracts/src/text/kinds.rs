//! The types that shared variables are declared with: C's integers, pointers, and the library's locks.

use selvedge_program::{DataModel, Display, GhostField, Shape};

/// What a shared variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scalar of so many bytes.
    Scalar { size: u32, display: Display },
    /// What the library keeps the state of.
    Lock(LockKind),
}

/// What is acquired and released through the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockKind {
    Mutex,
    SpinLock,
    ReadWriteLock,
    Semaphore,
    Once,
}

impl LockKind {
    /// All of them.
    pub const ALL: [LockKind; 5] =
        [LockKind::Mutex, LockKind::SpinLock, LockKind::ReadWriteLock, LockKind::Semaphore, LockKind::Once];

    /// The word that declares one.
    pub fn word(self) -> &'static str {
        match self {
            LockKind::Mutex => "mutex",
            LockKind::SpinLock => "spinlock",
            LockKind::ReadWriteLock => "rwlock",
            LockKind::Semaphore => "semaphore",
            LockKind::Once => "once",
        }
    }

    /// The state that is spoken of.
    pub fn fields(self) -> &'static [GhostField] {
        match self {
            LockKind::Mutex => &[GhostField::MutexOwner],
            LockKind::SpinLock => &[GhostField::SpinOwner],
            LockKind::ReadWriteLock => &[GhostField::WriteOwner, GhostField::Readers],
            LockKind::Semaphore => &[GhostField::SemaphoreValue],
            LockKind::Once => &[GhostField::OnceState],
        }
    }

    /// What people call it.
    pub fn noun(self) -> &'static str {
        match self {
            LockKind::Mutex => "mutex",
            LockKind::SpinLock => "spin lock",
            LockKind::ReadWriteLock => "read-write lock",
            LockKind::Semaphore => "semaphore",
            LockKind::Once => "once control",
        }
    }

    /// The kind that a C type is, by its name.
    pub fn of_type(name: &str) -> Option<LockKind> {
        Some(match name {
            "mutex" | "pthread_mutex_t" | "mtx_t" => LockKind::Mutex,
            "spinlock" | "pthread_spinlock_t" => LockKind::SpinLock,
            "rwlock" | "pthread_rwlock_t" => LockKind::ReadWriteLock,
            "semaphore" | "sem_t" => LockKind::Semaphore,
            "once" | "pthread_once_t" | "once_flag" => LockKind::Once,
            _ => return None,
        })
    }
}

impl Kind {
    /// The kind that the words of a type stand for.
    pub fn of_words(words: &str, model: DataModel) -> Option<Kind> {
        let without = |word: &&str| !["const", "volatile", "_Atomic", "static", "extern"].contains(word);
        let words: Vec<&str> = words.split(' ').filter(without).collect();
        if words.last() == Some(&"*") {
            return Some(Kind::Scalar { size: model.pointer_size(), display: Display::Pointer });
        }
        if let [word] = words[..]
            && let Some(lock) = LockKind::of_type(word)
        {
            return Some(Kind::Lock(lock));
        }
        scalar(&words, model.pointer_size())
    }

    /// The shape of an object of this kind.
    pub fn shape(self) -> Shape {
        match self {
            Kind::Scalar { size, display } => Shape::Scalar { size, display },
            Kind::Lock(_) => Shape::Opaque,
        }
    }

    /// How many bytes it has where no C program says so.
    pub fn size(self) -> u64 {
        match self {
            Kind::Scalar { size, .. } => u64::from(size),
            Kind::Lock(_) => 8,
        }
    }
}

/// A scalar by the words of its type, `long` being as wide as a pointer.
fn scalar(words: &[&str], long: u32) -> Option<Kind> {
    let mut letters: Vec<&str> = words.to_vec();
    letters.sort_unstable();
    let signed = |size: u32| Some(Kind::Scalar { size, display: Display::Signed });
    let unsigned = |size: u32| Some(Kind::Scalar { size, display: Display::Unsigned });
    match letters[..] {
        ["_Bool" | "bool" | "atomic_bool"] => Some(Kind::Scalar { size: 1, display: Display::Bool }),
        ["char" | "int8_t" | "atomic_char" | "atomic_schar"] | ["char", "signed"] => signed(1),
        ["uint8_t" | "atomic_uchar"] | ["char", "unsigned"] => unsigned(1),
        ["short" | "int16_t" | "atomic_short"] | ["int" | "signed", "short"] | ["int", "short", "signed"] => signed(2),
        ["uint16_t" | "atomic_ushort"] | ["short", "unsigned"] | ["int", "short", "unsigned"] => unsigned(2),
        ["int" | "signed" | "int32_t" | "atomic_int"] | ["int", "signed"] => signed(4),
        ["unsigned" | "uint32_t" | "atomic_uint"] | ["int", "unsigned"] => unsigned(4),
        ["long" | "ssize_t" | "intptr_t" | "ptrdiff_t" | "atomic_long"] => signed(long),
        ["int" | "signed", "long"] | ["int", "long", "signed"] => signed(long),
        ["size_t" | "uintptr_t" | "atomic_ulong" | "atomic_size_t"] => unsigned(long),
        ["long", "unsigned"] | ["int", "long", "unsigned"] => unsigned(long),
        ["int64_t" | "atomic_llong"] | ["long", "long"] | ["int", "long", "long"] => signed(8),
        ["uint64_t" | "atomic_ullong"] | ["long", "long", "unsigned"] => unsigned(8),
        ["int", "long", "long", "unsigned"] => unsigned(8),
        _ => None,
    }
}

/// A scalar type in C's words.
pub fn scalar_name(size: u32, display: Display) -> String {
    let sign = if display == Display::Unsigned { "unsigned " } else { "" };
    match (display, size) {
        (Display::Bool, 1) => "bool".to_owned(),
        (Display::Pointer, _) => "a pointer".to_owned(),
        (Display::Float, _) => "a floating-point number".to_owned(),
        (_, 1) => format!("{sign}char"),
        (_, 2) => format!("{sign}short"),
        (_, 4) => format!("{sign}int"),
        (_, 8) => format!("{sign}long"),
        (_, size) => format!("{size} bytes"),
    }
}
