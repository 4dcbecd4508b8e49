//! The bytes of one object: numbers, parts of pointers, indeterminate bytes.
//!
//! Numbers stand in a plain vector; pointers are kept aside as runs of consecutive bytes, and indeterminate bytes as a
//! bit set that is there only while there are any. Equal contents have equal representations, so that states can be
//! compared and hashed: where a byte is no number the vector holds 0, and adjoining runs of one pointer are joined.

use std::collections::BTreeMap;

use crate::Bits;
use crate::semantics::value::{Byte, Pointer, Value};

/// Consecutive bytes of one pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Run {
    pointer: Pointer,
    /// Which byte of the pointer comes first.
    first: u8,
    /// How many.
    length: u8,
}

/// The bytes of an object. Ranges given to its methods must lie within it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Contents {
    data: Vec<u8>,
    /// One bit per byte; empty if no byte is indeterminate.
    indeterminate: Vec<u64>,
    indeterminate_count: usize,
    runs: BTreeMap<u64, Run>,
}

/// What a stretch of bytes amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// A number, a whole pointer, or bytes among which there are parts of pointers.
    Value(Value),
    /// A number of which some bytes are indeterminate: those set in `free`.
    Partly {
        /// The known bits; 0 elsewhere.
        known: Bits,
        /// The bits that can be anything.
        free: Bits,
    },
}

impl Loaded {
    /// Whether some bytes are indeterminate.
    pub fn is_open(&self) -> bool {
        match self {
            Loaded::Value(Value::Raw(bytes)) => bytes.contains(&Byte::Indeterminate),
            Loaded::Value(Value::Bits(_) | Value::Pointer(_)) => false,
            Loaded::Partly { .. } => true,
        }
    }
}

impl Contents {
    /// So many zeros.
    pub fn zero(size: usize) -> Self {
        Self { data: vec![0; size], indeterminate: Vec::new(), indeterminate_count: 0, runs: BTreeMap::new() }
    }

    /// So many indeterminate bytes.
    pub fn indeterminate(size: usize) -> Self {
        let mut contents = Self::zero(size);
        contents.forget();
        contents
    }

    /// Makes every byte indeterminate.
    pub fn forget(&mut self) {
        let size = self.data.len();
        self.data.fill(0);
        self.runs.clear();
        self.indeterminate = vec![u64::MAX; size.div_ceil(64)];
        if !size.is_multiple_of(64)
            && let Some(last) = self.indeterminate.last_mut()
        {
            *last = (1 << (size % 64)) - 1;
        }
        self.indeterminate_count = size;
    }

    /// The number of bytes.
    pub fn size(&self) -> u64 {
        self.data.len() as u64
    }

    /// The bytes, 0 where a byte is no number.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// One bit per byte that is indeterminate; empty if there is none.
    pub fn indeterminate_bits(&self) -> &[u64] {
        &self.indeterminate
    }

    /// The runs of bytes of one pointer, in order: where a run starts, the pointer, which of its bytes comes first, and
    /// how many there are.
    pub fn pointers(&self) -> impl Iterator<Item = (u64, Pointer, u8, u8)> {
        self.runs.iter().map(|(start, run)| (*start, run.pointer, run.first, run.length))
    }

    /// Replaces every pointer by another; different pointers must stay different.
    pub(super) fn map_pointers(&mut self, change: impl Fn(Pointer) -> Pointer) {
        for run in self.runs.values_mut() {
            run.pointer = change(run.pointer);
        }
    }

    /// Replaces every pointer; the bytes of one that is replaced by nothing become indeterminate.
    pub fn replace_pointers(&mut self, replacement: &dyn Fn(Pointer) -> Option<Pointer>) {
        for (start, run) in std::mem::take(&mut self.runs) {
            match replacement(run.pointer) {
                Some(pointer) => self.insert(start, Run { pointer, ..run }),
                None => (start..start + u64::from(run.length)).for_each(|at| self.mark_indeterminate(at)),
            }
        }
    }

    /// One byte.
    pub fn byte(&self, offset: u64) -> Byte {
        if self.is_indeterminate(offset) {
            return Byte::Indeterminate;
        }
        match self.run_before(offset + 1) {
            Some((start, run)) if start + u64::from(run.length) > offset => {
                Byte::Part(run.pointer, run.first + (offset - start) as u8)
            }
            _ => Byte::Known(self.data[offset as usize]),
        }
    }

    /// The bytes of a stretch of at most 16 bytes as a number, a pointer or raw bytes.
    pub fn load(&self, offset: u64, size: u32, pointer_size: u32) -> Loaded {
        let range = offset as usize..offset as usize + size as usize;
        let has_runs = self.overlaps_run(offset, u64::from(size));
        if !has_runs && self.indeterminate_count == 0 {
            return Loaded::Value(Value::Bits(Bits::from_bytes(&self.data[range])));
        }
        if has_runs {
            return Loaded::Value(self.whole_pointer(offset, size, pointer_size).map_or_else(
                || Value::Raw((offset..offset + u64::from(size)).map(|at| self.byte(at)).collect()),
                Value::Pointer,
            ));
        }
        let mut free = [0; 16];
        for (index, free) in free.iter_mut().enumerate().take(size as usize) {
            *free = if self.is_indeterminate(offset + index as u64) { 0xff } else { 0 };
        }
        let known = Bits::from_bytes(&self.data[range]);
        let free = Bits::from_bytes(&free[..size as usize]);
        if free.is_zero() { Loaded::Value(Value::Bits(known)) } else { Loaded::Partly { known, free } }
    }

    /// The same, leaving indeterminate bytes what they are.
    pub fn load_raw(&self, offset: u64, size: u32, pointer_size: u32) -> Value {
        match self.load(offset, size, pointer_size) {
            Loaded::Value(value) => value,
            Loaded::Partly { .. } => Value::Raw((offset..offset + u64::from(size)).map(|at| self.byte(at)).collect()),
        }
    }

    /// The pointer that lies whole at an offset, followed by zeros up to the size.
    fn whole_pointer(&self, offset: u64, size: u32, pointer_size: u32) -> Option<Pointer> {
        let run = self.runs.get(&offset).filter(|run| run.first == 0 && u32::from(run.length) == pointer_size)?;
        let rest = offset + u64::from(pointer_size)..offset + u64::from(size);
        (size >= pointer_size && rest.into_iter().all(|at| self.byte(at) == Byte::Known(0))).then_some(run.pointer)
    }

    /// Writes a value of so many bytes; `false` if the value does not have that size.
    #[must_use]
    pub fn store(&mut self, offset: u64, size: u32, value: &Value, pointer_size: u32) -> bool {
        match value {
            Value::Bits(bits) => {
                if bits.width() != size * 8 {
                    return false;
                }
                self.clear(offset, u64::from(size));
                for (index, byte) in bits.to_bytes().enumerate() {
                    self.data[offset as usize + index] = byte;
                }
            }
            Value::Pointer(pointer) => {
                if size < pointer_size {
                    return false;
                }
                self.clear(offset, u64::from(size));
                self.insert(offset, Run { pointer: *pointer, first: 0, length: pointer_size as u8 });
            }
            Value::Raw(bytes) => {
                if bytes.len() != size as usize {
                    return false;
                }
                self.clear(offset, u64::from(size));
                for (at, byte) in (offset..).zip(bytes.iter()) {
                    match byte {
                        Byte::Known(byte) => self.data[at as usize] = *byte,
                        Byte::Part(pointer, first) => {
                            self.insert(at, Run { pointer: *pointer, first: *first, length: 1 });
                        }
                        Byte::Indeterminate => self.mark_indeterminate(at),
                    }
                }
            }
        }
        true
    }

    /// Makes a stretch known zeros.
    fn clear(&mut self, offset: u64, size: u64) {
        self.clear_runs(offset, size);
        if self.indeterminate_count > 0 {
            for at in offset..offset + size {
                let (word, bit) = ((at / 64) as usize, 1 << (at % 64));
                if self.indeterminate[word] & bit != 0 {
                    self.indeterminate[word] &= !bit;
                    self.indeterminate_count -= 1;
                }
            }
            if self.indeterminate_count == 0 {
                self.indeterminate = Vec::new();
            }
        }
        self.data[offset as usize..(offset + size) as usize].fill(0);
    }

    fn mark_indeterminate(&mut self, at: u64) {
        if self.indeterminate.is_empty() {
            self.indeterminate = vec![0; self.data.len().div_ceil(64)];
        }
        self.indeterminate[(at / 64) as usize] |= 1 << (at % 64);
        self.indeterminate_count += 1;
    }

    fn is_indeterminate(&self, at: u64) -> bool {
        self.indeterminate_count > 0 && self.indeterminate[(at / 64) as usize] >> (at % 64) & 1 == 1
    }

    fn run_before(&self, end: u64) -> Option<(u64, Run)> {
        self.runs.range(..end).next_back().map(|(start, run)| (*start, *run))
    }

    fn overlaps_run(&self, offset: u64, size: u64) -> bool {
        !self.runs.is_empty()
            && self.run_before(offset + size).is_some_and(|(start, run)| start + u64::from(run.length) > offset)
    }

    /// Removes the parts of pointers in a stretch; what sticks out on either side stays.
    fn clear_runs(&mut self, offset: u64, size: u64) {
        let end = offset + size;
        while let Some((start, run)) = self.run_before(end) {
            let run_end = start + u64::from(run.length);
            if run_end <= offset {
                return;
            }
            self.runs.remove(&start);
            if run_end > end {
                let kept = (run_end - end) as u8;
                self.runs.insert(end, Run { first: run.first + run.length - kept, length: kept, ..run });
            }
            if start < offset {
                self.runs.insert(start, Run { length: (offset - start) as u8, ..run });
                return;
            }
        }
    }

    /// Adds a run where there is none, joining it with its neighbours.
    fn insert(&mut self, offset: u64, run: Run) {
        let (mut start, mut run) = (offset, run);
        if let Some((before_start, before)) = self.run_before(offset)
            && before.pointer == run.pointer
            && before_start + u64::from(before.length) == offset
            && before.first + before.length == run.first
        {
            self.runs.remove(&before_start);
            run = Run { first: before.first, length: before.length + run.length, ..run };
            start = before_start;
        }
        let end = start + u64::from(run.length);
        if let Some(after) = self.runs.get(&end).copied()
            && after.pointer == run.pointer
            && run.first + run.length == after.first
        {
            self.runs.remove(&end);
            run.length += after.length;
        }
        self.runs.insert(start, run);
    }
}
