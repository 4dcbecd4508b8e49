//! Declarations as text.

use super::Printer;
use crate::syntax::ast::{
    Alignment, ArraySize, BuiltinType, Declaration, Declarator, Derived, Designator, EnumSpecifier, FunctionDefinition,
    Initializer, InitializerItem, Integer, MemberDeclaration, Parameters, Qualifiers, RecordKind, RecordSpecifier,
    Specifiers, StorageClass, TypeName, TypeSpecifier,
};

impl Printer<'_> {
    pub(super) fn function(&mut self, function: &FunctionDefinition) {
        self.list("define", |printer| {
            printer.specifiers(&function.specifiers);
            printer.list("", |printer| printer.declarator(&function.declarator));
            for declaration in &function.old_style {
                printer.line(|printer| printer.declaration(declaration));
            }
            printer.line(|printer| printer.list("block", |printer| printer.block(&function.body)));
        });
    }

    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Variables { specifiers, declarators, .. } => self.list("declare", |printer| {
                printer.specifiers(specifiers);
                for declarator in declarators {
                    printer.list("", |printer| {
                        printer.declarator(&declarator.declarator);
                        if let Some(initializer) = &declarator.initializer {
                            printer.word("=");
                            printer.initializer(initializer);
                        }
                    });
                }
            }),
            Declaration::StaticAssert { condition, message, .. } => self.list("static-assert", |printer| {
                printer.expr(condition);
                if let Some(message) = message {
                    printer.quoted("", message.chars());
                }
            }),
        }
    }

    fn specifiers(&mut self, specifiers: &Specifiers) {
        if let Some(storage) = specifiers.storage {
            self.word(match storage {
                StorageClass::Typedef => "typedef",
                StorageClass::Extern => "extern",
                StorageClass::Static => "static",
                StorageClass::Auto => "auto",
                StorageClass::Register => "register",
            });
        }
        let flags = [
            (specifiers.is_thread_local, "_Thread_local"),
            (specifiers.is_inline, "inline"),
            (specifiers.is_noreturn, "_Noreturn"),
            (specifiers.is_constexpr, "constexpr"),
        ];
        for (_, word) in flags.into_iter().filter(|(is_set, _)| *is_set) {
            self.word(word);
        }
        self.qualifiers(specifiers.qualifiers);
        for alignment in &specifiers.alignments {
            self.word("alignas");
            match alignment {
                Alignment::Type(name) => self.type_name(name),
                Alignment::Expr(value) => self.expr(value),
            }
        }
        self.type_specifier(&specifiers.type_specifier);
        self.attributes(&specifiers.attributes);
    }

    fn qualifiers(&mut self, qualifiers: Qualifiers) {
        let words = [
            (qualifiers.is_const, "const"),
            (qualifiers.is_volatile, "volatile"),
            (qualifiers.is_restrict, "restrict"),
            (qualifiers.is_atomic, "_Atomic"),
        ];
        for (_, word) in words.into_iter().filter(|(is_set, _)| *is_set) {
            self.word(word);
        }
    }

    fn type_specifier(&mut self, specifier: &TypeSpecifier) {
        match specifier {
            TypeSpecifier::Builtin(builtin) => self.word(builtin_name(*builtin)),
            TypeSpecifier::Typedef(name) => self.name(name.name),
            TypeSpecifier::Record(record) => self.record(record),
            TypeSpecifier::Enum(specifier) => self.enumeration(specifier),
            TypeSpecifier::TypeofExpr(operand) => {
                self.word("typeof");
                self.expr(operand);
            }
            TypeSpecifier::TypeofType(name) => {
                self.word("typeof");
                self.type_name(name);
            }
            TypeSpecifier::Atomic(name) => {
                self.word("atomic");
                self.type_name(name);
            }
            TypeSpecifier::Auto => self.word("__auto_type"),
            TypeSpecifier::ImplicitInt => self.word("implicit-int"),
        }
    }

    fn record(&mut self, record: &RecordSpecifier) {
        let head = match record.kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        };
        self.list(head, |printer| {
            if let Some(tag) = record.tag {
                printer.name(tag.name);
            }
            printer.attributes(&record.attributes);
            for member in record.members.iter().flatten() {
                printer.line(|printer| printer.member(member));
            }
            if record.members.as_ref().is_some_and(Vec::is_empty) {
                printer.word("empty");
            }
        });
    }

    fn member(&mut self, member: &MemberDeclaration) {
        match member {
            MemberDeclaration::Members { specifiers, declarators, .. } => self.list("member", |printer| {
                printer.specifiers(specifiers);
                for member in declarators {
                    printer.list("", |printer| {
                        printer.declarator(&member.declarator);
                        if let Some(bits) = &member.bits {
                            printer.word(":");
                            printer.expr(bits);
                        }
                    });
                }
            }),
            MemberDeclaration::StaticAssert(declaration) => self.declaration(declaration),
        }
    }

    fn enumeration(&mut self, specifier: &EnumSpecifier) {
        self.list("enum", |printer| {
            if let Some(tag) = specifier.tag {
                printer.name(tag.name);
            }
            if let Some(underlying) = &specifier.underlying {
                printer.word(":");
                printer.type_name(underlying);
            }
            printer.attributes(&specifier.attributes);
            for enumerator in specifier.enumerators.iter().flatten() {
                match &enumerator.value {
                    None => printer.name(enumerator.name.name),
                    Some(value) => printer.list("", |printer| {
                        printer.name(enumerator.name.name);
                        printer.expr(value);
                    }),
                }
            }
        });
    }

    /// The name, the derivations from the inside out, and what follows.
    fn declarator(&mut self, declarator: &Declarator) {
        if let Some(name) = declarator.name {
            self.name(name.name);
        }
        for derived in &declarator.derived {
            match derived {
                Derived::Pointer(qualifiers, attributes) => {
                    self.qualifiers(*qualifiers);
                    self.word("pointer");
                    self.attributes(attributes);
                }
                Derived::Array { size, qualifiers } => self.list("array", |printer| {
                    printer.qualifiers(*qualifiers);
                    match size {
                        ArraySize::Unspecified => {}
                        ArraySize::Star => printer.word("*"),
                        ArraySize::Expr(size) => printer.expr(size),
                    }
                }),
                Derived::Function(parameters) => self.list("function", |printer| printer.parameters(parameters)),
            }
        }
        if let Some(label) = &declarator.asm_label {
            self.word("asm");
            self.quoted("", label.chars());
        }
        self.attributes(&declarator.attributes);
    }

    fn parameters(&mut self, parameters: &Parameters) {
        match parameters {
            Parameters::Unspecified => self.word("unspecified"),
            Parameters::Identifiers(names) => {
                for name in names {
                    self.name(name.name);
                }
            }
            Parameters::Prototype { parameters, is_variadic } => {
                for parameter in parameters {
                    self.list("", |printer| {
                        printer.specifiers(&parameter.specifiers);
                        printer.declarator(&parameter.declarator);
                    });
                }
                if *is_variadic {
                    self.word("...");
                }
            }
        }
    }

    pub(super) fn type_name(&mut self, name: &TypeName) {
        self.list("type", |printer| {
            printer.specifiers(&name.specifiers);
            printer.declarator(&name.declarator);
        });
    }

    fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(value) => self.expr(value),
            Initializer::List(items, _) => self.list("list", |printer| printer.initializer_items(items)),
        }
    }

    pub(super) fn initializer_items(&mut self, items: &[InitializerItem]) {
        for item in items {
            if item.designators.is_empty() {
                self.initializer(&item.value);
            } else {
                self.list("", |printer| {
                    printer.designators(&item.designators);
                    printer.initializer(&item.value);
                });
            }
        }
    }

    pub(super) fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Member(name) => {
                    self.word(".");
                    self.out.push_str(self.interner.name(name.name));
                }
                Designator::Index(index) => {
                    self.word("at");
                    self.expr(index);
                }
                Designator::Range(first, last) => {
                    self.word("from");
                    self.expr(first);
                    self.word("to");
                    self.expr(last);
                }
            }
        }
    }
}

fn builtin_name(builtin: BuiltinType) -> &'static str {
    match builtin {
        BuiltinType::Void => "void",
        BuiltinType::Bool => "_Bool",
        BuiltinType::Integer(Integer::Char) => "char",
        BuiltinType::Integer(Integer::SignedChar) => "signed-char",
        BuiltinType::Integer(Integer::UnsignedChar) => "unsigned-char",
        BuiltinType::Integer(Integer::Short) => "short",
        BuiltinType::Integer(Integer::UnsignedShort) => "unsigned-short",
        BuiltinType::Integer(Integer::Int) => "int",
        BuiltinType::Integer(Integer::UnsignedInt) => "unsigned",
        BuiltinType::Integer(Integer::Long) => "long",
        BuiltinType::Integer(Integer::UnsignedLong) => "unsigned-long",
        BuiltinType::Integer(Integer::LongLong) => "long-long",
        BuiltinType::Integer(Integer::UnsignedLongLong) => "unsigned-long-long",
        BuiltinType::Integer(Integer::Int128) => "__int128",
        BuiltinType::Integer(Integer::UnsignedInt128) => "unsigned-__int128",
        BuiltinType::Float => "float",
        BuiltinType::Double => "double",
        BuiltinType::LongDouble => "long-double",
        BuiltinType::Float128 => "_Float128",
        BuiltinType::OtherFloat => "other-arithmetic",
        BuiltinType::ComplexFloat => "complex-float",
        BuiltinType::ComplexDouble => "complex-double",
        BuiltinType::ComplexLongDouble => "complex-long-double",
        BuiltinType::VaList => "__builtin_va_list",
    }
}
