//! A graph of gates: conjunction, exclusive or, choice and majority, with negation on the wires.
//!
//! An and-inverter graph with three more kinds of node, because each of them has a better encoding into clauses than
//! the conjunctions it stands for. Equal gates are one gate; gates that a look one level down can simplify are not
//! made.

use rustc_hash::FxHashMap;

/// A gate's output or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wire(u32);

impl Wire {
    pub const FALSE: Wire = Wire(0);
    pub const TRUE: Wire = Wire(1);

    pub fn constant(value: bool) -> Self {
        if value { Wire::TRUE } else { Wire::FALSE }
    }

    /// The number of the gate at the end of the wire.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The same wire, negated if `negate`.
    fn flipped(self, negate: bool) -> Self {
        Wire(self.0 ^ u32::from(negate))
    }

    fn positive(self) -> Self {
        Wire(self.0 & !1)
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        self.flipped(true)
    }
}

/// What a gate computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gate {
    False,
    Input(u32),
    And(Wire, Wire),
    Xor(Wire, Wire),
    /// The second wire if the first is true, else the third.
    Choice(Wire, Wire, Wire),
    Majority(Wire, Wire, Wire),
}

/// A growing set of gates; a gate's inputs come before it.
#[derive(Debug)]
pub struct Graph {
    gates: Vec<Gate>,
    ids: FxHashMap<Gate, u32>,
    /// How many gates use a gate, up to 2.
    uses: Vec<u8>,
    inputs: u32,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl Graph {
    pub fn new() -> Self {
        Graph { gates: vec![Gate::False], ids: FxHashMap::default(), uses: vec![0], inputs: 0 }
    }

    /// The number of gates, inputs included.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn is_empty(&self) -> bool {
        self.gates.len() <= 1
    }

    pub fn gate(&self, index: usize) -> Gate {
        self.gates.get(index).copied().unwrap_or(Gate::False)
    }

    /// At most one gate uses this one.
    pub(super) fn used_once(&self, index: usize) -> bool {
        self.uses.get(index).is_some_and(|&uses| uses <= 1)
    }

    /// A fresh input.
    pub fn input(&mut self) -> Wire {
        let gate = Gate::Input(self.inputs);
        self.inputs += 1;
        self.push(gate)
    }

    fn push(&mut self, gate: Gate) -> Wire {
        let index = self.gates.len() as u32;
        self.gates.push(gate);
        self.uses.push(0);
        let mut used = |wire: Wire| {
            let uses = &mut self.uses[wire.gate()];
            *uses = (*uses + 1).min(2);
        };
        match gate {
            Gate::False | Gate::Input(_) => {}
            Gate::And(a, b) | Gate::Xor(a, b) => [a, b].map(&mut used).iter().for_each(drop),
            Gate::Choice(a, b, c) | Gate::Majority(a, b, c) => [a, b, c].map(&mut used).iter().for_each(drop),
        }
        Wire(index << 1)
    }

    fn hashed(&mut self, gate: Gate) -> Wire {
        if let Some(&index) = self.ids.get(&gate) {
            return Wire(index << 1);
        }
        let wire = self.push(gate);
        self.ids.insert(gate, wire.0 >> 1);
        wire
    }

    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b || a == Wire::TRUE {
            return b;
        }
        if a == Wire::FALSE || a == !b {
            return Wire::FALSE;
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Gate::And(x, y) = self.gate(other.gate()) {
                match (other.is_negated(), one == x || one == y, one == !x || one == !y) {
                    (false, true, _) => return other,
                    (false, _, true) => return Wire::FALSE,
                    (true, true, _) => {
                        let rest = if one == x { y } else { x };
                        return self.and(one, !rest);
                    }
                    (true, _, true) => return one,
                    _ => {}
                }
            }
        }
        self.hashed(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.positive(), b.positive());
        if a == b {
            return Wire::constant(negated);
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Wire::FALSE {
            return b.flipped(negated);
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Gate::Xor(x, y) = self.gate(other.gate()) {
                if one == x {
                    return y.flipped(negated);
                }
                if one == y {
                    return x.flipped(negated);
                }
            }
        }
        self.hashed(Gate::Xor(a, b)).flipped(negated)
    }

    pub fn equal(&mut self, a: Wire, b: Wire) -> Wire {
        !self.xor(a, b)
    }

    /// `a` if `c`, else `b`.
    pub fn choice(&mut self, c: Wire, a: Wire, b: Wire) -> Wire {
        if c.is_negated() {
            return self.choice(!c, b, a);
        }
        if c == Wire::FALSE || a == b {
            return b;
        }
        if a == !b {
            return self.xor(c, b);
        }
        if a == Wire::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Wire::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Wire::FALSE || b == c {
            return self.and(c, a);
        }
        if b == Wire::TRUE || b == !c {
            return self.or(!c, a);
        }
        let negated = a.is_negated();
        self.hashed(Gate::Choice(c, a.flipped(negated), b.flipped(negated))).flipped(negated)
    }

    /// At least two of the three.
    pub fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let mut wires = [a, b, c];
        wires.sort_unstable();
        let [a, b, c] = wires;
        if a == b || b == !c {
            return a;
        }
        if b == c || a == !b {
            return if a == !b { c } else { b };
        }
        match a {
            Wire::FALSE => return self.and(b, c),
            Wire::TRUE => return self.or(b, c),
            _ => {}
        }
        // The majority of the negations is the negation of the majority.
        let negated = wires.iter().filter(|wire| wire.is_negated()).count() >= 2;
        let [a, b, c] = wires.map(|wire| wire.flipped(negated));
        self.hashed(Gate::Majority(a, b, c)).flipped(negated)
    }

    /// All of them, as a balanced tree.
    pub fn all(&mut self, wires: &[Wire]) -> Wire {
        match wires {
            [] => Wire::TRUE,
            [wire] => *wire,
            _ => {
                let (left, right) = wires.split_at(wires.len() / 2);
                let (left, right) = (self.all(left), self.all(right));
                self.and(left, right)
            }
        }
    }

    /// Any of them.
    pub fn any(&mut self, wires: &[Wire]) -> Wire {
        let negated: Vec<Wire> = wires.iter().map(|&wire| !wire).collect();
        !self.all(&negated)
    }
}
