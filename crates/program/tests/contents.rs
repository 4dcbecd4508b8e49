//! The bytes of an object against the plainest model: a vector of bytes.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use selvedge_generate::random::Random;
use selvedge_program::semantics::contents::{Contents, Loaded};
use selvedge_program::semantics::{Byte, Instance, Pointer, Value};
use selvedge_program::{Bits, ObjectId};

const SIZE: u64 = 24;

fn pointer(random: &mut Random) -> Pointer {
    Pointer { object: Instance::Static(ObjectId(random.below(2) as u32)), offset: random.below(2) * 8 }
}

fn bytes_of(value: &Value, size: u32, pointer_size: u32) -> Vec<Byte> {
    match value {
        Value::Bits(bits) => bits.to_bytes().map(Byte::Known).collect(),
        Value::Pointer(pointer) => (0..size)
            .map(|at| if at < pointer_size { Byte::Part(*pointer, at as u8) } else { Byte::Known(0) })
            .collect(),
        Value::Raw(bytes) => bytes.to_vec(),
    }
}

/// What loading these bytes must give.
fn loaded(bytes: &[Byte], pointer_size: u32) -> Loaded {
    let parts = bytes.iter().any(|byte| matches!(byte, Byte::Part(..)));
    if parts {
        if let Byte::Part(pointer, 0) = bytes[0]
            && bytes.len() >= pointer_size as usize
            && bytes_of(&Value::Pointer(pointer), bytes.len() as u32, pointer_size) == bytes
        {
            return Loaded::Value(Value::Pointer(pointer));
        }
        return Loaded::Value(Value::Raw(bytes.into()));
    }
    let known = bytes.iter().map(|byte| if let Byte::Known(byte) = byte { *byte } else { 0 }).collect::<Vec<_>>();
    let free = bytes.iter().map(|byte| if *byte == Byte::Indeterminate { 0xff } else { 0 }).collect::<Vec<_>>();
    let (known, free) = (Bits::from_bytes(&known), Bits::from_bytes(&free));
    if free.is_zero() { Loaded::Value(Value::Bits(known)) } else { Loaded::Partly { known, free } }
}

/// The same bytes, written one by one into fresh contents.
fn rebuilt(model: &[Byte]) -> Contents {
    let mut contents = Contents::indeterminate(model.len());
    for (at, byte) in model.iter().enumerate().rev() {
        assert!(contents.store(at as u64, 1, &Value::Raw([*byte].into()), 8));
    }
    contents
}

#[test]
fn contents_behave_like_a_vector_of_bytes() {
    let mut random = Random::new(6);
    for pointer_size in [4, 8] {
        let mut contents = Contents::zero(SIZE as usize);
        let mut model = vec![Byte::Known(0); SIZE as usize];
        for step in 0..30_000 {
            let size = *random.pick(&[1, 2, 4, 8, 16]);
            let offset = random.below(SIZE - u64::from(size) + 1);
            let range = offset as usize..offset as usize + size as usize;
            let value = match random.below(4) {
                0 => Value::Bits(Bits::new(size * 8, random.wide())),
                1 if size >= pointer_size => Value::Pointer(pointer(&mut random)),
                2 => {
                    let from = random.below(SIZE - u64::from(size) + 1) as usize;
                    Value::Raw(model[from..from + size as usize].into())
                }
                _ if random.below(400) == 0 => {
                    contents.forget();
                    model.fill(Byte::Indeterminate);
                    continue;
                }
                _ => Value::Raw((0..size).map(|_| raw_byte(&mut random, pointer_size)).collect()),
            };
            assert!(contents.store(offset, size, &value, pointer_size));
            model[range].copy_from_slice(&bytes_of(&value, size, pointer_size));
            for at in 0..SIZE {
                assert_eq!(contents.byte(at), model[at as usize], "step {step}, byte {at}");
            }
            let from = random.below(SIZE - u64::from(size) + 1);
            let expected = loaded(&model[from as usize..from as usize + size as usize], pointer_size);
            assert_eq!(contents.load(from, size, pointer_size), expected);
            if step % 16 == 0 {
                let other = rebuilt(&model);
                let hasher = BuildHasherDefault::<DefaultHasher>::default();
                assert_eq!(contents, other, "equal bytes, equal contents");
                assert_eq!(hasher.hash_one(&contents), hasher.hash_one(&other));
            }
        }
    }
}

fn raw_byte(random: &mut Random, pointer_size: u32) -> Byte {
    match random.below(3) {
        0 => Byte::Known(random.below(256) as u8),
        1 => Byte::Indeterminate,
        _ => Byte::Part(pointer(random), random.below(u64::from(pointer_size)) as u8),
    }
}

#[test]
fn values_of_another_size_are_refused() {
    let mut contents = Contents::zero(8);
    assert!(!contents.store(0, 4, &Value::bits(64, 0), 8));
    assert!(!contents.store(0, 4, &Value::Raw([Byte::Known(0)].into()), 8));
    let pointer = Pointer { object: Instance::Static(ObjectId(0)), offset: 0 };
    assert!(!contents.store(0, 4, &Value::Pointer(pointer), 8));
    assert_eq!(contents, Contents::zero(8));
}
