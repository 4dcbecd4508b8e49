//! The states that are still to be expanded, first in, first out: their rows one after the other in blocks of memory,
//! so that a row costs its own length and nothing has to be allocated or freed for it.

use std::collections::VecDeque;

use crate::visited::StateIndex;

/// A state that is still to be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The state.
    pub index: StateIndex,
    /// How many transitions lead there.
    pub depth: u32,
}

/// A queue of states.
#[derive(Debug, Default)]
pub struct Queue {
    /// For every state its index, its depth, the length of its row, and the row.
    blocks: VecDeque<Vec<u32>>,
    /// Where the first state begins in the first block.
    first: usize,
    length: usize,
}

/// How many numbers a block has room for.
const BLOCK: usize = 1 << 16;

impl Queue {
    /// How many states wait.
    pub fn len(&self) -> usize {
        self.length
    }

    /// The bytes used.
    pub fn memory(&self) -> u64 {
        self.blocks.iter().map(|block| 4 * block.capacity() as u64).sum()
    }

    /// Adds a state at the end.
    pub fn push(&mut self, waiting: Waiting, row: &[u32]) {
        let needed = 3 + row.len();
        if self.blocks.back().is_none_or(|block| block.capacity() - block.len() < needed) {
            self.blocks.push_back(Vec::with_capacity(BLOCK.max(needed)));
        }
        if let Some(block) = self.blocks.back_mut() {
            block.extend_from_slice(&[waiting.index.0, waiting.depth, row.len() as u32]);
            block.extend_from_slice(row);
        }
        self.length += 1;
    }

    /// Takes the first state, copying its row.
    pub fn pop(&mut self, row: &mut Vec<u32>) -> Option<Waiting> {
        loop {
            let block = self.blocks.front()?;
            if let Some([index, depth, length]) = block.get(self.first..self.first + 3) {
                let from = self.first + 3;
                let to = from + *length as usize;
                row.clear();
                row.extend_from_slice(&block[from..to]);
                let waiting = Waiting { index: StateIndex(*index), depth: *depth };
                self.first = to;
                self.length -= 1;
                return Some(waiting);
            }
            self.blocks.pop_front();
            self.first = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_as_they_went_in() {
        let mut queue = Queue::default();
        let row = |number: u32| (0..number % 50).map(|position| number * position).collect::<Vec<u32>>();
        for number in 0..10_000 {
            queue.push(Waiting { index: StateIndex(number), depth: number / 2 }, &row(number));
        }
        let mut out = vec![7];
        for number in 0..10_000 {
            assert_eq!(queue.len(), 10_000 - number as usize);
            let waiting = queue.pop(&mut out);
            assert_eq!(waiting, Some(Waiting { index: StateIndex(number), depth: number / 2 }));
            assert_eq!(out, row(number));
        }
        assert_eq!(queue.pop(&mut out), None);
    }
}
