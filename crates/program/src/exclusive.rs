//! Mutual exclusion as a property of the model: threads in a region are made to be about to write to an object of their
//! own.
//!
//! Every location of the region gets an edge to itself that stores 0 to a ghost object. Two threads race on that object
//! in exactly those states in which both are in the region, so every engine and every report that knows races knows
//! mutual exclusion.

use crate::{
    Access, Action, Atomicity, Base, Display, Edge, EdgeId, Expr, FunctionId, LocationId, Object, ObjectId, ObjectKind,
    Place, Program, Shape,
};
use std::collections::BTreeSet;
use thiserror::Error;

/// A part of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Region {
    /// The place of a label.
    Label(String),
    /// From a label on, until another label is reached.
    Between(String, String),
}

/// Why a region cannot be made exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegionError {
    /// There is no such label.
    #[error("the program has no label `{0}`")]
    NoLabel(String),
    /// The region has calls in it, whose code would not be part of it.
    #[error("the region from `{0}` calls `{1}`; put the labels into the called function, or the call outside")]
    Call(String, String),
}

impl Region {
    /// `LABEL` or `FROM..TO`.
    pub fn parse(text: &str) -> Region {
        match text.split_once("..") {
            None => Region::Label(text.to_owned()),
            Some((from, to)) => Region::Between(from.to_owned(), to.to_owned()),
        }
    }

    fn locations(&self, program: &Program) -> Result<Vec<(FunctionId, LocationId)>, RegionError> {
        let (from, to) = match self {
            Region::Label(label) => return labelled(program, label),
            Region::Between(from, to) => (from, to),
        };
        labelled(program, to)?;
        let mut found = BTreeSet::new();
        let mut pending = labelled(program, from)?;
        while let Some((id, location)) = pending.pop() {
            let function = program.function(id);
            if function.location(location).label.as_ref() == Some(to) || !found.insert((id, location)) {
                continue;
            }
            for edge in &function.location(location).outgoing {
                let edge = function.edge(*edge);
                if let Action::Call { callee, .. } = &edge.action {
                    let name = match callee {
                        crate::Callee::Direct(callee) => program.function(*callee).name.clone(),
                        crate::Callee::Indirect(_) => "a function pointer".to_owned(),
                    };
                    return Err(RegionError::Call(from.clone(), name));
                }
                pending.push((id, edge.target));
            }
        }
        Ok(found.into_iter().collect())
    }
}

fn labelled(program: &Program, label: &str) -> Result<Vec<(FunctionId, LocationId)>, RegionError> {
    let mut found = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        for (location, definition) in function.locations.iter().enumerate() {
            if definition.label.as_deref() == Some(label) {
                found.push((FunctionId::new(index), LocationId::new(location)));
            }
        }
    }
    if found.is_empty() { Err(RegionError::NoLabel(label.to_owned())) } else { Ok(found) }
}

impl Program {
    /// Makes a race of it when two threads are in some of these regions at once; the race is on the object that is
    /// returned.
    ///
    /// # Errors
    /// When there is no such region.
    pub fn make_exclusive(&mut self, regions: &[Region], name: &str) -> Result<ObjectId, RegionError> {
        let mut locations = BTreeSet::new();
        for region in regions {
            locations.extend(region.locations(self)?);
        }
        let object = ObjectId::new(self.objects.len());
        let span = locations.first().and_then(|(function, location)| {
            let function = self.function(*function);
            function.location(*location).outgoing.first().map(|edge| function.edge(*edge).span)
        });
        let span = span.unwrap_or(crate::Span::NOWHERE);
        self.objects.push(Object {
            name: format!("exclusive({name})"),
            kind: ObjectKind::Global,
            size: 1,
            align: 1,
            initial: Vec::new(),
            initial_ghosts: Vec::new(),
            shape: Shape::Scalar { size: 1, display: Display::Unsigned },
            type_name: "mutual exclusion".to_owned(),
            span,
        });
        let address = Expr::address(Base::Object(object), self.pointer_width());
        for (function, location) in locations {
            let function = &mut self.functions[function.index()];
            let outgoing = &function.locations[location.index()].outgoing;
            let span = outgoing.first().map_or(span, |edge| function.edges[edge.index()].span);
            let place = Place::Memory { address: address.clone(), size: 1, align: 1 };
            let action =
                Action::Store { access: Access { place, atomicity: Atomicity::Plain }, value: Expr::constant(8, 0) };
            let edge = EdgeId::new(function.edges.len());
            function.edges.push(Edge { source: location, target: location, action, side: None, span, stub: None });
            function.locations[location.index()].outgoing.push(edge);
        }
        Ok(object)
    }
}
