//! Memory in the constraint graph: the cells that stores go to, the views that loads see, and what is in between for
//! whole sets of pointers.

use super::sets::{Move, SetId};
use super::solver::{Node, Solver};
use super::{AbstractObject, Offset, Target};
use selvedge_program::{Expr, GhostField, InitialValue, ObjectKind, Program};

/// What is loaded or stored at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// So many bytes.
    Bytes(u32),
    /// A ghost field.
    Ghost(GhostField),
}

/// A part of an object that is stored to or loaded from.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub offset: Offset,
    pub size: u32,
    pub node: Node,
}

impl Piece {
    fn may_overlap(&self, offset: Offset, size: u32) -> bool {
        self.offset.may_overlap(u64::from(self.size), offset, u64::from(size))
    }
}

/// The parts of one object.
#[derive(Clone, Debug, Default)]
pub struct ObjectState {
    pub cells: Vec<Piece>,
    pub views: Vec<Piece>,
}

impl Solver {
    /// What loads of a part at any of a set see.
    pub(super) fn view_of(&mut self, program: &Program, set: SetId, part: Part) -> Node {
        let set = self.as_far_as_it_matters(set, part);
        if let Some(node) = self.views.get(&(set, part)) {
            return *node;
        }
        let node = self.new_node();
        self.views.insert((set, part), node);
        for target in self.sets.get(set).clone().iter() {
            let view = match part {
                Part::Bytes(size) if may_hold_pointers(program, *target, size) => self.view(*target, size),
                Part::Bytes(_) => continue,
                Part::Ghost(field) => self.ghost(target.object, field),
            };
            self.copy(view, Move::NONE, node);
        }
        node
    }

    /// What is put in here is stored in a part at any of a set.
    pub(super) fn door_to(&mut self, program: &Program, set: SetId, part: Part) -> Node {
        let set = self.as_far_as_it_matters(set, part);
        if let Some(node) = self.doors.get(&(set, part)) {
            return *node;
        }
        let node = self.new_node();
        self.doors.insert((set, part), node);
        for target in self.sets.get(set).clone().iter() {
            let cell = match part {
                Part::Bytes(size) if may_hold_pointers(program, *target, size) => self.cell(*target, size),
                Part::Bytes(_) => continue,
                Part::Ghost(field) => self.ghost(target.object, field),
            };
            self.copy(node, Move::NONE, cell);
        }
        node
    }

    /// Ghost fields of an object are one wherever in it they are: sets that differ in offsets alone are the same to
    /// them.
    fn as_far_as_it_matters(&mut self, set: SetId, part: Part) -> SetId {
        match part {
            Part::Bytes(_) => set,
            Part::Ghost(_) => self.sets.moved(set, Move::ANYWHERE),
        }
    }

    /// What loads of so many bytes at a target see: all cells that they may overlap.
    fn view(&mut self, target: Target, size: u32) -> Node {
        let object = target.object.outward();
        let state = self.objects.entry(object).or_default();
        let same = |piece: &&Piece| piece.offset == target.offset && piece.size == size;
        if let Some(view) = state.views.iter().find(same) {
            return view.node;
        }
        let overlapping = |piece: &&Piece| piece.may_overlap(target.offset, size);
        let cells: Vec<Node> = state.cells.iter().filter(overlapping).map(|cell| cell.node).collect();
        let node = self.new_node();
        let state = self.objects.entry(object).or_default();
        state.views.push(Piece { offset: target.offset, size, node });
        cells.into_iter().for_each(|cell| self.copy(cell, Move::NONE, node));
        node
    }

    /// The cell for stores to a target, made when first needed and then known to all views that may overlap.
    pub fn cell(&mut self, target: Target, size: u32) -> Node {
        let object = target.object.outward();
        let state = self.objects.entry(object).or_default();
        let same = |piece: &&Piece| piece.offset == target.offset && piece.size == size;
        if let Some(cell) = state.cells.iter().find(same) {
            return cell.node;
        }
        let overlapping = |piece: &&Piece| piece.may_overlap(target.offset, size);
        let views: Vec<Node> = state.views.iter().filter(overlapping).map(|view| view.node).collect();
        let node = self.new_node();
        let state = self.objects.entry(object).or_default();
        state.cells.push(Piece { offset: target.offset, size, node });
        views.into_iter().for_each(|view| self.copy(node, Move::NONE, view));
        node
    }
}

/// Whether so many bytes at a target can be accessed and may hold pointers.
fn may_hold_pointers(program: &Program, target: Target, size: u32) -> bool {
    let room = match target.object {
        AbstractObject::Function(_) => return false,
        AbstractObject::Static(id) => {
            let object = program.object(id);
            let is_number = |initial: &InitialValue| matches!(initial.value, Expr::Constant(_));
            if object.kind == ObjectKind::Constant && object.initial.iter().all(is_number) {
                return false;
            }
            object.size
        }
        AbstractObject::Frame(function, local) => program.function(function).frame_object(local).size,
        AbstractObject::Site(_) | AbstractObject::Thread | AbstractObject::Started(_) => return true,
    };
    let Offset { start, stride } = target.offset;
    let end = u64::try_from(start).ok().and_then(|start| start.checked_add(u64::from(size)));
    stride != 0 || end.is_some_and(|end| end <= room)
}
