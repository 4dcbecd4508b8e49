//! Sets of offsets as congruence classes: `start + k · stride` for any integer k.

/// A set of byte offsets. Stride 0 is the single offset `start`; otherwise `start < stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset {
    /// The representative.
    pub start: i64,
    /// The distance of neighbours; 0 for a single offset.
    pub stride: u64,
}

/// Elements larger than this are told apart only as far as powers of two do.
const LARGEST_STRIDE: u64 = 1 << 16;

impl Offset {
    /// The start of the object.
    pub const ZERO: Offset = Offset { start: 0, stride: 0 };
    /// Anywhere.
    pub const ANY: Offset = Offset { start: 0, stride: 1 };

    fn normalised(start: i64, stride: u64) -> Offset {
        // Offsets wrap around after few strides that are this large; what is kept then are powers of two.
        let stride = if stride > LARGEST_STRIDE { stride & stride.wrapping_neg() } else { stride };
        match i64::try_from(stride) {
            Ok(0) => Offset { start, stride },
            Ok(modulus) => Offset { start: start.rem_euclid(modulus), stride },
            Err(_) => Offset::ANY,
        }
    }

    /// All offsets moved by a constant.
    pub fn plus(self, distance: i64) -> Offset {
        Offset::normalised(self.start.wrapping_add(distance), self.stride)
    }

    /// All offsets moved by any multiple of a number (any number at all for 1).
    pub fn plus_multiples(self, factor: u64) -> Offset {
        Offset::normalised(self.start, gcd(self.stride, factor))
    }

    /// The smallest class that contains both.
    pub fn join(self, other: Offset) -> Offset {
        let distance = self.start.abs_diff(other.start);
        Offset::normalised(self.start, gcd(gcd(self.stride, other.stride), distance))
    }

    /// The stride of what has both strides.
    pub fn common_stride(a: u64, b: u64) -> u64 {
        gcd(a, b)
    }

    /// Whether all of another class are in this one.
    pub fn covers(self, other: Offset) -> bool {
        self.join(other) == self
    }

    /// Whether `size` bytes from here may overlap `other_size` bytes from there.
    pub fn may_overlap(self, size: u64, other: Offset, other_size: u64) -> bool {
        let stride = gcd(self.stride, other.stride);
        let distance = i128::from(other.start) - i128::from(self.start);
        if stride == 0 {
            return distance < i128::from(size) && -distance < i128::from(other_size);
        }
        let ahead = distance.rem_euclid(i128::from(stride));
        ahead < i128::from(size) || i128::from(stride) - ahead < i128::from(other_size)
    }
}

/// The greatest common divisor; 0 is neutral.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while let Some(rest) = a.checked_rem(b) {
        (a, b) = (b, rest);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The members of a class within a window, by definition.
    fn members(offset: Offset) -> Vec<i64> {
        (-100..100)
            .filter(|at| match offset.stride {
                0 => *at == offset.start,
                stride => (at - offset.start).rem_euclid(stride as i64) == 0,
            })
            .collect()
    }

    fn samples() -> Vec<Offset> {
        let mut all = vec![Offset::ANY];
        for stride in [0u64, 2, 3, 4, 8] {
            for start in 0..4 {
                all.push(Offset::normalised(start, stride));
            }
        }
        all
    }

    #[test]
    fn overlap_agrees_with_the_definition() {
        for a in samples() {
            for b in samples() {
                for (size, other) in [(1, 1), (1, 4), (4, 1), (4, 4), (2, 8)] {
                    let naive = members(a)
                        .iter()
                        .filter(|x| x.abs() < 50)
                        .any(|x| members(b).iter().any(|y| *x < y + other as i64 && *y < x + size as i64));
                    assert_eq!(a.may_overlap(size, b, other), naive, "{a:?}+{size} {b:?}+{other}");
                }
            }
        }
    }

    #[test]
    fn join_contains_both() {
        for a in samples() {
            for b in samples() {
                let join = members(a.join(b));
                assert!(members(a).iter().chain(&members(b)).all(|member| join.contains(member)), "{a:?} {b:?}");
            }
        }
    }
}
