//! Whether two threads can be there together, as far as what each knows of the shared cells tells.
//!
//! What a thread knows falls into parts that have no variable in common. Two threads contradict each other in a part of
//! one and a part of the other that speak of the same cell; that is asked once for each pair of parts, however many
//! states have them.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_symbolic::CellKey;
use selvedge_symbolic::threads::Who;
use selvedge_symbolic::threads::view::Named;

use crate::post::{Abstraction, Cube};
use crate::prover::Stop;

/// What a conjunction says of shared cells.
#[derive(Debug, Default)]
pub struct Said {
    /// Which part speaks of a cell, in the order of the numbers of cells.
    parts: Vec<(u32, u32)>,
    /// Whether every part speaks of one cell at most: then what contradicts itself does so between two parts.
    pub is_plain: bool,
    /// A part that speaks of the number of threads.
    counted: Option<u32>,
}

/// The parts of all conjunctions so far.
#[derive(Debug, Default)]
pub struct Meeting {
    cells: FxHashMap<CellKey, u32>,
    numbers: FxHashMap<Cube, u32>,
    parts: Vec<Cube>,
    said: FxHashMap<Rc<Cube>, Rc<Said>>,
    compatible: FxHashMap<(Option<u32>, Option<u32>), bool>,
}

impl Abstraction<'_, '_> {
    /// What a conjunction says of shared cells.
    pub fn said(&mut self, cube: &Rc<Cube>) -> Rc<Said> {
        if let Some(said) = self.meeting.said.get(cube) {
            return Rc::clone(said);
        }
        // Literals that have a variable in common get the same first literal.
        let mut first: Vec<usize> = (0..cube.len()).collect();
        let mut by_name: FxHashMap<Named, usize> = FxHashMap::default();
        let root = |first: &[usize], mut at: usize| {
            while first[at] != at {
                at = first[at];
            }
            at
        };
        for (place, (id, _)) in cube.iter().enumerate() {
            for name in self.of_predicate(*id, Who::Own) {
                match by_name.get(&name) {
                    Some(other) => {
                        let (a, b) = (root(&first, *other), root(&first, place));
                        first[a.max(b)] = a.min(b);
                    }
                    None => {
                        by_name.insert(name, place);
                    }
                }
            }
        }
        let mut parts: FxHashMap<usize, (Cube, Vec<CellKey>)> = FxHashMap::default();
        for (place, literal) in cube.iter().enumerate() {
            let (part, cells) = parts.entry(root(&first, place)).or_default();
            part.push(*literal);
            cells.extend(self.predicates.cells(literal.0));
        }
        let mut said = Said { is_plain: true, ..Said::default() };
        for (part, mut cells) in parts.into_values() {
            cells.sort_unstable();
            cells.dedup();
            said.is_plain &= cells.len() <= 1;
            if cells.is_empty() {
                continue;
            }
            let number = self.meeting.number(part);
            for cell in cells {
                if cell == CellKey::Unjoined {
                    said.counted = Some(number);
                }
                let next = self.meeting.cells.len() as u32;
                let cell = *self.meeting.cells.entry(cell).or_insert(next);
                said.parts.push((cell, number));
            }
        }
        said.parts.sort_unstable();
        let said = Rc::new(said);
        self.meeting.said.insert(Rc::clone(cube), Rc::clone(&said));
        said
    }

    /// Whether two threads can be there together, as far as each pair of parts tells.
    pub fn may_meet(&mut self, own: &Said, other: &Said) -> Result<bool, Stop> {
        for pair in [(own.counted, None), (None, other.counted)] {
            if pair != (None, None) && !self.are_compatible(pair)? {
                return Ok(false);
            }
        }
        let mut theirs = other.parts.iter().peekable();
        for (cell, mine) in &own.parts {
            while theirs.next_if(|(other, _)| other < cell).is_some() {}
            if let Some((_, their)) = theirs.next_if(|(other, _)| other == cell)
                && !self.are_compatible((Some(*mine), Some(*their)))?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn are_compatible(&mut self, pair: (Option<u32>, Option<u32>)) -> Result<bool, Stop> {
        if let Some(known) = self.meeting.compatible.get(&pair) {
            return Ok(*known);
        }
        let part =
            |number: Option<u32>| number.map_or(Cube::new(), |number| self.meeting.parts[number as usize].clone());
        let (mine, theirs) = (part(pair.0), part(pair.1));
        let mut conditions = self.literals(&mine, Who::Own);
        conditions.extend(self.literals(&theirs, Who::Other));
        let apart = self.view.two_threads_where(Who::Own, Who::Other, &conditions);
        conditions.push(apart);
        let can = self.prover.can_hold(&self.view.builder.terms, &conditions)?;
        self.meeting.compatible.insert(pair, can);
        Ok(can)
    }
}

impl Meeting {
    fn number(&mut self, part: Cube) -> u32 {
        let next = self.parts.len() as u32;
        let number = *self.numbers.entry(part.clone()).or_insert(next);
        if number == next {
            self.parts.push(part);
        }
        number
    }
}
