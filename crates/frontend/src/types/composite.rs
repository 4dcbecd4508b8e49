//! Composite types (C11 6.2.7): what two compatible declarations of one thing say together.

use super::{ArrayLength, Qualified, Type, TypeId, Types};

impl Types {
    /// The composite of two compatible types. Where they are not compatible, the left one.
    pub fn composite(&mut self, left: TypeId, right: TypeId) -> TypeId {
        if left == right {
            return left;
        }
        match (self.get(left).clone(), self.get(right).clone()) {
            (Type::Error, _) => right,
            (Type::Pointer(a), Type::Pointer(b)) => {
                let target = self.composite_qualified(a, b);
                self.pointer_to(target)
            }
            (Type::Array { element: a, length: m }, Type::Array { element: b, length: n }) => {
                let element = self.composite_qualified(a, b);
                let length = match (m, n) {
                    (ArrayLength::Known(_), _) => m,
                    (_, ArrayLength::Known(_)) => n,
                    (ArrayLength::Unknown, _) => n,
                    _ => m,
                };
                self.intern(Type::Array { element, length })
            }
            (Type::Function(mut a), Type::Function(b)) => {
                match (a.has_prototype, b.has_prototype) {
                    (true, false) => return left,
                    (false, true) => return right,
                    (false, false) if a.parameters.is_empty() => return right,
                    (false, false) => return left,
                    (true, true) => {}
                }
                a.result = self.composite_qualified(a.result, b.result);
                for (parameter, other) in a.parameters.iter_mut().zip(&b.parameters) {
                    *parameter = self.composite_qualified(*parameter, *other);
                }
                self.intern(Type::Function(a))
            }
            _ => left,
        }
    }

    fn composite_qualified(&mut self, left: Qualified, right: Qualified) -> Qualified {
        Qualified { ty: self.composite(left.ty, right.ty), qualifiers: left.qualifiers }
    }
}
