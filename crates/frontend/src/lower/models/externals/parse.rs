//! The lines of the table of effects.
//!
//! `name(role, role, …): result flag …`, one per line; `#` begins a comment, `<header.h>` says where the functions
//! that follow are declared. docs/models.md describes roles, results and flags.

/// What a function of the library does to its arguments, and what it returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What it does with each of its arguments.
    pub roles: Vec<Role>,
    /// Whether more arguments may follow, of which it uses the values alone.
    pub is_variadic: bool,
    /// What it returns.
    pub result: Answer,
    /// Whether a thread can be cancelled in it.
    pub point: Option<Point>,
    /// The state of the library's own that it changes without regard to other threads, by name.
    pub state: Option<String>,
    /// Whether what it writes and returns follows from its arguments and the calls before: another value is none that
    /// an execution of the program can have.
    pub is_determined: bool,
}

/// A function that acts on requests to cancel its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Always.
    Sure,
    /// As the library likes.
    Possible,
}

/// What a function does with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// What.
    pub role: RoleKind,
    /// Whether the argument may be null, and then nothing is done with it.
    pub is_optional: bool,
}

/// The kinds of roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoleKind {
    /// A number.
    Number,
    /// A pointer of which the value alone matters.
    Pointer,
    /// A pointer that must be null.
    Null,
    /// This number, known from the source: several lines may describe a function, each for another.
    Constant(u32),
    /// What it points to is read.
    Read(Extent),
    /// What it points to is written.
    Write(Extent),
    /// What it points to is read and written.
    Update(Extent),
    /// The numbers in what it points to are read and written, the pointers read.
    UpdateNumbers,
    /// A pointer to within the string that another argument is, or to its end, is stored where it points to.
    End(usize),
    /// It points to the 32-bit length of a buffer, which is read; then it says how much of that was filled.
    Length,
    /// It points to a string of characters of so many bytes, which is read.
    Text(u32),
    /// It points to a character of several bytes, of which at most so many are read.
    Character(Size),
    /// It points to a string, which is read, and every character of which is written.
    UpdateText,
    /// A string is written, of at most so many bytes.
    WriteText(Size),
    /// It points to an object of the library, which must be alive.
    Handle,
    /// The same, and two threads may not use it at once.
    OwnHandle,
    /// It points to an object of the library, which ends.
    Closed,
}

/// How much of what a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// One object of the type that it points to.
    Pointee,
    /// So many bytes.
    Bytes(Size),
}

/// A number of bytes, as a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size(pub Vec<Factor>);

impl Size {
    /// So many bytes.
    pub fn constant(bytes: u32) -> Self {
        Size(vec![Factor::Number(bytes)])
    }
}

/// A factor of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// A number.
    Number(u32),
    /// The value of an argument, counted from 0.
    Argument(usize),
    /// The 32-bit number that an argument points to.
    Pointed(usize),
}

/// What a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing.
    Void,
    /// It does not return: the process ends.
    NoReturn,
    /// Anything of its type.
    Any,
    /// 0, or -1 with `errno`.
    Status,
    /// 0, or an error number.
    Error,
    /// A number that is not negative, or -1 with `errno`.
    Natural,
    /// At most so many, or -1 with `errno`.
    Count(Size),
    /// A number within bounds.
    Range(i32, i32),
    /// An argument.
    Argument(usize),
    /// An argument, or null with `errno`.
    ArgumentOrNull(usize),
    /// What follows from its arguments, of which no more is known than the type: nothing may depend on it.
    Computed,
    /// A new object of the library, or null with `errno`.
    Handle,
    /// A new object of the type that the result points to, or null with `errno`.
    New,
    /// A new string, or null with `errno`.
    NewText,
    /// What the library keeps, by the type that the result points to; perhaps null.
    Static(Nullness),
}

/// Whether a pointer may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nullness {
    /// Never.
    Never,
    /// Perhaps.
    Perhaps,
}

/// A function of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its name.
    pub name: &'static str,
    /// The header that declares it.
    pub header: &'static str,
    /// What it does.
    pub effect: Effect,
}

/// Reads a table.
///
/// # Errors
/// The first line that is not understood.
pub fn parse(text: &'static str) -> Result<Vec<Line>, String> {
    let mut header = "";
    let mut lines = Vec::new();
    for text in text.lines() {
        let text = text.split(" # ").next().unwrap_or("").trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if let Some(name) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
            header = name;
            continue;
        }
        let parsed = line(text).ok_or_else(|| format!("the table of effects has a line that means nothing: {text}"))?;
        lines.push(Line { name: parsed.0, header, effect: parsed.1 });
    }
    Ok(lines)
}

fn line(text: &'static str) -> Option<(&'static str, Effect)> {
    let (name, rest) = text.split_once('(')?;
    let (arguments, rest) = rest.split_once("):")?;
    let mut roles = Vec::new();
    let mut is_variadic = false;
    for word in arguments.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        if is_variadic {
            return None;
        }
        match word {
            "..." => is_variadic = true,
            word => roles.push(role(word)?),
        }
    }
    let mut words = rest.split_whitespace();
    let result = answer(words.next()?)?;
    let is_determined = result == Answer::Computed;
    let mut effect = Effect { roles, is_variadic, result, point: None, state: None, is_determined };
    for word in words {
        match word {
            "point" => effect.point = Some(Point::Sure),
            "point?" => effect.point = Some(Point::Possible),
            "determined" => effect.is_determined = true,
            word => effect.state = Some(word.strip_prefix("state=")?.to_owned()),
        }
    }
    effect.is_consistent().then_some((name.trim(), effect))
}

impl Effect {
    /// What is done with some arguments, and no more.
    pub fn of(roles: Vec<Role>, result: Answer) -> Self {
        Effect { roles, is_variadic: false, result, point: None, state: None, is_determined: false }
    }

    /// Whether every argument that is referred to is there.
    fn is_consistent(&self) -> bool {
        let of_size = |size: &Size| -> Vec<usize> {
            let argument = |factor: &Factor| match factor {
                Factor::Number(_) => None,
                Factor::Argument(index) | Factor::Pointed(index) => Some(*index),
            };
            size.0.iter().filter_map(argument).collect()
        };
        let of_role = |role: &Role| match &role.role {
            RoleKind::Read(Extent::Bytes(size))
            | RoleKind::Write(Extent::Bytes(size))
            | RoleKind::Update(Extent::Bytes(size))
            | RoleKind::Character(size)
            | RoleKind::WriteText(size) => of_size(size),
            RoleKind::End(index) => vec![*index],
            _ => Vec::new(),
        };
        let of_result = match &self.result {
            Answer::Count(size) => of_size(size),
            Answer::Argument(index) | Answer::ArgumentOrNull(index) => vec![*index],
            _ => Vec::new(),
        };
        self.roles.iter().flat_map(of_role).chain(of_result).all(|index| index < self.roles.len())
    }
}

fn role(word: &str) -> Option<Role> {
    let (word, is_optional) = word.strip_suffix('?').map_or((word, false), |word| (word, true));
    let extent = |rest: &str| if rest.is_empty() { Some(Extent::Pointee) } else { size(rest).map(Extent::Bytes) };
    let role = match word {
        "-" => RoleKind::Number,
        "pointer" => RoleKind::Pointer,
        "null" => RoleKind::Null,
        "string" => RoleKind::Text(1),
        "wstring" => RoleKind::Text(4),
        "inoutstring" => RoleKind::UpdateText,
        "length" => RoleKind::Length,
        "handle" => RoleKind::Handle,
        "own" => RoleKind::OwnHandle,
        "closes" => RoleKind::Closed,
        word => {
            if let Some(rest) = word.strip_prefix("character") {
                RoleKind::Character(size(rest)?)
            } else if let Some(index) = word.strip_prefix("end") {
                RoleKind::End(position(index)?)
            } else if let Some(number) = word.strip_prefix('=') {
                RoleKind::Constant(number.parse().ok()?)
            } else if let Some(rest) = word.strip_prefix("inout") {
                RoleKind::Update(extent(rest)?)
            } else if let Some(rest) = word.strip_prefix("in") {
                RoleKind::Read(extent(rest)?)
            } else if let Some(rest) = word.strip_prefix("outstring") {
                RoleKind::WriteText(size(rest)?)
            } else if let Some(rest) = word.strip_prefix("out") {
                RoleKind::Write(extent(rest)?)
            } else {
                return None;
            }
        }
    };
    Some(Role { role, is_optional })
}

/// `[2*3]`: the product of the second and third arguments; `=8` is a number, `@3` what the third argument points to.
fn size(text: &str) -> Option<Size> {
    let text = text.strip_prefix('[')?.strip_suffix(']')?;
    let factor = |word: &str| {
        Some(match (word.strip_prefix('='), word.strip_prefix('@')) {
            (Some(number), _) => Factor::Number(number.parse().ok()?),
            (_, Some(index)) => Factor::Pointed(position(index)?),
            _ => Factor::Argument(position(word)?),
        })
    };
    text.split('*').map(factor).collect::<Option<Vec<_>>>().map(Size)
}

/// The position of an argument that the table counts from 1.
fn position(text: &str) -> Option<usize> {
    text.parse::<usize>().ok()?.checked_sub(1)
}

fn answer(word: &str) -> Option<Answer> {
    Some(match word {
        "void" => Answer::Void,
        "noreturn" => Answer::NoReturn,
        "any" => Answer::Any,
        "computed" => Answer::Computed,
        "status" => Answer::Status,
        "error" => Answer::Error,
        "natural" => Answer::Natural,
        "handle" => Answer::Handle,
        "new?" => Answer::New,
        "newstring?" => Answer::NewText,
        "static" => Answer::Static(Nullness::Never),
        "static?" => Answer::Static(Nullness::Perhaps),
        word => {
            if let Some(rest) = word.strip_prefix("count") {
                Answer::Count(size(rest)?)
            } else if let Some(rest) = word.strip_prefix("argument") {
                match rest.strip_suffix('?') {
                    Some(index) => Answer::ArgumentOrNull(position(index)?),
                    None => Answer::Argument(position(rest)?),
                }
            } else {
                let (low, high) = word.split_once("..")?;
                let high = if high.is_empty() { i32::MAX } else { high.parse().ok()? };
                Answer::Range(low.parse().ok()?, high)
            }
        }
    })
}
