//! Library functions that a compiler knows without a declaration: as `__builtin_NAME`, and where a program forgets to
//! declare.

use super::Checker;
use super::linkage::{FunctionNotes, Linked};
use crate::hir::{Function, FunctionId, Linkage};
use crate::syntax::ast::{Qualifiers, Span};
use crate::syntax::symbol::Symbol;
use crate::types::{FunctionType, Qualified, Type, TypeId, Types};

/// Names and signatures: the result, then the parameters, one letter each (see [`Checker::signature_type`]).
const LIBRARY: &[(&str, &str)] = &[
    // Memory and strings.
    ("memcpy", "ppPz"),
    ("memmove", "ppPz"),
    ("mempcpy", "ppPz"),
    ("memset", "ppiz"),
    ("memcmp", "iPPz"),
    ("memchr", "pPiz"),
    ("bcmp", "iPPz"),
    ("bcopy", "vPpz"),
    ("bzero", "vpz"),
    ("strlen", "zS"),
    ("strnlen", "zSz"),
    ("strcpy", "ssS"),
    ("stpcpy", "ssS"),
    ("strncpy", "ssSz"),
    ("stpncpy", "ssSz"),
    ("strcat", "ssS"),
    ("strncat", "ssSz"),
    ("strcmp", "iSS"),
    ("strncmp", "iSSz"),
    ("strcasecmp", "iSS"),
    ("strncasecmp", "iSSz"),
    ("strchr", "sSi"),
    ("strrchr", "sSi"),
    ("index", "sSi"),
    ("rindex", "sSi"),
    ("strstr", "sSS"),
    ("strpbrk", "sSS"),
    ("strspn", "zSS"),
    ("strcspn", "zSS"),
    ("strdup", "sS"),
    ("strndup", "sSz"),
    // Allocation.
    ("malloc", "pz"),
    ("calloc", "pzz"),
    ("realloc", "ppz"),
    ("free", "vp"),
    ("alloca", "pz"),
    ("aligned_alloc", "pzz"),
    // The process.
    ("abort", "v"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("_Exit", "vi"),
    // Input and output; streams are passed as `void *`.
    ("printf", "iS."),
    ("fprintf", "ipS."),
    ("sprintf", "isS."),
    ("snprintf", "iszS."),
    ("vprintf", "iSa"),
    ("vfprintf", "ipSa"),
    ("vsprintf", "isSa"),
    ("vsnprintf", "iszSa"),
    ("scanf", "iS."),
    ("fscanf", "ipS."),
    ("sscanf", "iSS."),
    ("vscanf", "iSa"),
    ("vfscanf", "ipSa"),
    ("vsscanf", "iSSa"),
    ("puts", "iS"),
    ("putchar", "ii"),
    ("fputs", "iSp"),
    ("fputc", "iip"),
    ("putc", "iip"),
    ("fwrite", "zPzzp"),
    ("printf_unlocked", "iS."),
    ("fputs_unlocked", "iSp"),
    ("putchar_unlocked", "ii"),
    ("puts_unlocked", "iS"),
    // Characters.
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isgraph", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    // Numbers.
    ("abs", "ii"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("fabs", "dd"),
    ("fabsf", "ff"),
    ("fabsl", "DD"),
    ("copysign", "ddd"),
    ("copysignf", "fff"),
    ("copysignl", "DDD"),
    ("sqrt", "dd"),
    ("sqrtf", "ff"),
    ("sqrtl", "DD"),
    ("floor", "dd"),
    ("floorf", "ff"),
    ("ceil", "dd"),
    ("ceilf", "ff"),
    ("round", "dd"),
    ("roundf", "ff"),
    ("trunc", "dd"),
    ("truncf", "ff"),
    ("rint", "dd"),
    ("rintf", "ff"),
    ("lrint", "ld"),
    ("lround", "ld"),
    ("fmod", "ddd"),
    ("fmodf", "fff"),
    ("fmin", "ddd"),
    ("fminf", "fff"),
    ("fmax", "ddd"),
    ("fmaxf", "fff"),
    ("fma", "dddd"),
    ("pow", "ddd"),
    ("powf", "fff"),
    ("exp", "dd"),
    ("expf", "ff"),
    ("exp2", "dd"),
    ("log", "dd"),
    ("logf", "ff"),
    ("log2", "dd"),
    ("log10", "dd"),
    ("sin", "dd"),
    ("sinf", "ff"),
    ("cos", "dd"),
    ("cosf", "ff"),
    ("tan", "dd"),
    ("atan", "dd"),
    ("atan2", "ddd"),
    ("ldexp", "ddi"),
    ("hypot", "ddd"),
    ("setjmp", "ip"),
    ("longjmp", "vpi"),
];

/// Checked variants: which arguments they have beside the plain function's.
const CHECKED: &[(&str, &[usize])] = &[
    ("memcpy", &[3]),
    ("memmove", &[3]),
    ("mempcpy", &[3]),
    ("memset", &[3]),
    ("strcpy", &[2]),
    ("stpcpy", &[2]),
    ("strcat", &[2]),
    ("strncpy", &[3]),
    ("stpncpy", &[3]),
    ("strncat", &[3]),
    ("sprintf", &[1, 2]),
    ("vsprintf", &[1, 2]),
    ("snprintf", &[2, 3]),
    ("vsnprintf", &[2, 3]),
    ("printf", &[0]),
    ("vprintf", &[0]),
    ("fprintf", &[1]),
    ("vfprintf", &[1]),
];

/// The library function behind a builtin's name, and which arguments to drop.
pub(super) fn library_name(name: &str) -> Option<(&str, &'static [usize])> {
    let word = name.strip_prefix("__builtin_")?;
    if let Some(checked) = word.strip_prefix("__").and_then(|word| word.strip_suffix("_chk")) {
        return CHECKED.iter().find(|(known, _)| *known == checked).map(|(_, drop)| (checked, *drop));
    }
    // The compiler's own have other buffers than the library's.
    if matches!(word, "setjmp" | "longjmp") {
        return None;
    }
    if word == "alloca_with_align" {
        return Some(("alloca", &[1]));
    }
    signature(word).map(|_| (word, [].as_slice()))
}

fn signature(name: &str) -> Option<&'static str> {
    LIBRARY.iter().find(|(known, _)| *known == name).map(|(_, signature)| *signature)
}

impl Checker<'_> {
    /// The library function that `__builtin_NAME` stands for.
    pub(super) fn library_builtin(&mut self, name: Symbol, span: Span) -> Option<FunctionId> {
        let (function, drop) = library_name(self.spell(name))?;
        if !drop.is_empty() {
            return None;
        }
        let function = function.to_owned();
        let function = self.names.intern(&function);
        Some(self.function_for_builtin(function, span).0)
    }

    /// The function with a name, declared or not, and whether it had to be made up: with the type the library gives it,
    /// or as `int name()`.
    pub(super) fn function_for_builtin(&mut self, name: Symbol, span: Span) -> (FunctionId, bool) {
        if let Some(Linked::Function(id)) = self.linked.get(&name) {
            return (*id, false);
        }
        let known = signature(self.spell(name));
        let ty = match known {
            Some(signature) => self.signature_function(signature),
            None => self.types.intern(Type::Function(FunctionType {
                result: Types::INT.into(),
                parameters: Vec::new(),
                is_variadic: false,
                has_prototype: false,
            })),
        };
        let id = FunctionId::new(self.unit.functions.len());
        let is_noreturn = matches!(self.spell(name), "abort" | "exit" | "_exit" | "_Exit" | "longjmp");
        self.unit.functions.push(Function {
            name,
            ty,
            linkage: Linkage::External,
            is_noreturn,
            is_weak: false,
            constructor: None,
            destructor: None,
            body: None,
            span,
        });
        self.function_notes.push(FunctionNotes {
            is_defined: false,
            is_implicit: true,
            is_builtin: known.is_some(),
            only_inline: true,
            is_weak: false,
        });
        self.linked.insert(name, Linked::Function(id));
        (id, true)
    }

    fn signature_function(&mut self, signature: &str) -> TypeId {
        let mut letters = signature.chars();
        let result = letters.next().map_or(Types::VOID, |letter| self.signature_type(letter)).into();
        let is_variadic = signature.ends_with('.');
        let parameters: Vec<Qualified> =
            letters.filter(|letter| *letter != '.').map(|letter| self.signature_type(letter).into()).collect();
        self.types.intern(Type::Function(FunctionType { result, parameters, is_variadic, has_prototype: true }))
    }

    /// The type that a letter of a signature stands for.
    pub(super) fn signature_type(&mut self, letter: char) -> TypeId {
        let constant = Qualifiers { is_const: true, ..Qualifiers::default() };
        match letter {
            'v' => Types::VOID,
            'b' => Types::BOOL,
            'h' => Types::UNSIGNED_SHORT,
            'i' => Types::INT,
            'u' => Types::UNSIGNED_INT,
            'l' => Types::LONG,
            'k' => Types::UNSIGNED_LONG,
            'L' => Types::LONG_LONG,
            'K' => Types::UNSIGNED_LONG_LONG,
            'q' => match self.types.data_model {
                selvedge_program::DataModel::Lp64 => Types::UNSIGNED_LONG,
                selvedge_program::DataModel::Ilp32 => Types::UNSIGNED_LONG_LONG,
            },
            'Q' => Types::UNSIGNED_INT128,
            'z' => self.types.size_type(),
            'f' => Types::FLOAT,
            'd' => Types::DOUBLE,
            'D' => Types::LONG_DOUBLE,
            'p' => Types::VOID_POINTER,
            'P' => self.types.pointer_to(Qualified { ty: Types::VOID, qualifiers: constant }),
            's' => Types::CHAR_POINTER,
            'S' => self.types.pointer_to(Qualified { ty: Types::CHAR, qualifiers: constant }),
            'a' => {
                let list = self.va_list_type();
                match self.types.element(list) {
                    Some(element) => self.types.pointer_to(element),
                    None => list,
                }
            }
            _ => Types::ERROR,
        }
    }
}
