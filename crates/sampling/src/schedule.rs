//! Who moves next in an execution, and what is answered where a step leaves something open.

use crate::random::Random;
use selvedge_evidence::likely_numbers;
use selvedge_program::semantics::{Chooser, Question, Value};
use selvedge_program::{Action, Base, Bits, Callee, Expr, Object, ObjectKind, Program, ThreadIndex};

/// Of so many schedules two are plain.
const PLAIN_EVERY: u64 = 16;

/// At most at so many places the thread that moves becomes the last.
const MOST_CHANGES: usize = 4;

/// A thread that has moved so often in a row becomes the last: it may wait for another in a loop. That is twice as many
/// in some schedules, and twice as many again, so often.
const PATIENCE: usize = 500;
const DOUBLED: usize = 6;

/// So many phrases are the topics of an execution, beside a mark.
const TOPICS: usize = 2;

/// In how many of eight cases the answer is yes, by schedule.
const YES: [u64; 4] = [0, 4, 7, 8];

/// What a program speaks of, and is likely to be told: commands that it knows are among the texts that are compared with.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    numbers: Vec<u128>,
    /// Strings, without the zeros at their ends.
    phrases: Vec<Vec<u8>>,
}

impl Vocabulary {
    pub fn of(program: &Program) -> Vocabulary {
        let constants = || program.objects.iter().filter(|object| object.kind == ObjectKind::Constant);
        let mut phrases: Vec<Vec<u8>> = constants().filter_map(phrase).collect();
        phrases.sort_unstable();
        phrases.dedup();
        // What texts are compared with comes three times out of four.
        let mut compared: Vec<Vec<u8>> = compared(program).filter_map(phrase).collect();
        compared.sort_unstable();
        compared.dedup();
        if !compared.is_empty() {
            let times = (3 * phrases.len()).div_ceil(compared.len());
            phrases.extend(std::iter::repeat_n(compared, times).flatten());
        }
        Vocabulary { numbers: likely_numbers(program), phrases }
    }
}

/// What functions are called that compare a text with another, or look for one in it.
const COMPARING: [&str; 9] = ["cmp", "tok", "spn", "strsep", "strstr", "strcasestr", "strpbrk", "memmem", "fnmatch"];

/// The string literals that texts are compared with.
fn compared(program: &Program) -> impl Iterator<Item = &Object> {
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    let arguments = edges.filter_map(|edge| match &edge.action {
        Action::Call { callee: Callee::Direct(callee), arguments, .. } => {
            let name = &program.function(*callee).name;
            COMPARING.iter().any(|comparing| name.contains(comparing)).then_some(arguments)
        }
        _ => None,
    });
    arguments.flatten().filter_map(|argument| match argument {
        Expr::Address(Base::Object(object), _) => {
            Some(program.object(*object)).filter(|object| object.kind == ObjectKind::Constant)
        }
        _ => None,
    })
}

/// Longer strings are messages.
const LONGEST_PHRASE: usize = 16;

/// What a string literal says.
fn phrase(object: &Object) -> Option<Vec<u8>> {
    let size = usize::try_from(object.size).ok().filter(|size| (2..=LONGEST_PHRASE).contains(size))?;
    let mut text = vec![0; size];
    for initial in &object.initial {
        let Expr::Constant(bits) = &initial.value else { return None };
        let offset = usize::try_from(initial.offset).ok()?;
        let bytes = bits.unsigned().to_le_bytes();
        text.get_mut(offset..offset + initial.size as usize)?.copy_from_slice(bytes.get(..initial.size as usize)?);
    }
    let end = text.iter().position(|byte| *byte == 0)?;
    text.truncate(end);
    (end > 0).then_some(text)
}

/// A schedule that becomes known while it is followed.
#[derive(Clone, Debug)]
pub struct Schedule {
    random: Random,
    /// The threads by priority, the one to move last first.
    order: Vec<ThreadIndex>,
    /// When threads become the last: after so many accesses that others may notice.
    changes: Vec<u64>,
    accesses: u64,
    in_a_row: usize,
    patience: usize,
    newcomers: Newcomers,
    /// Whether anybody may become the first at any time.
    is_restless: bool,
    /// In so many of eight cases a question of yes or no is answered by yes: mostly that is the plain course of things,
    /// where a call of the library succeeds.
    yes: u64,
    /// What is being told byte by byte: which phrase, and what of it comes next.
    told: Option<(usize, usize)>,
    /// The phrases of this execution, if they are not all: so threads say the same, and to one another's point.
    topics: Option<Vec<usize>>,
}

/// Where a thread that is started comes in.
#[derive(Clone, Copy, Debug)]
enum Newcomers {
    First,
    Last,
    Anywhere,
}

impl Schedule {
    /// The schedule with a number, for an execution of about so many accesses. Now and then it is plain: the thread that
    /// moves goes on as long as it can, and a new one waits, or moves at once.
    pub fn new(number: u64, length: u64) -> Schedule {
        let mut random = Random::new(number);
        let (newcomers, changes) = match number % PLAIN_EVERY {
            0 => (Newcomers::Last, 0),
            1 => (Newcomers::First, 0),
            _ => (Newcomers::Anywhere, random.below(MOST_CHANGES + 1)),
        };
        let changes = (0..changes).map(|_| random.word() % length.max(1)).collect();
        let order = vec![ThreadIndex(0)];
        let is_restless = number % PLAIN_EVERY > 1 && random.is_in_eight(2);
        let patience = PATIENCE << random.below(DOUBLED);
        let yes = YES[random.below(YES.len())];
        Schedule {
            random,
            order,
            changes,
            accesses: 0,
            in_a_row: 0,
            patience,
            newcomers,
            is_restless,
            yes,
            told: None,
            topics: None,
        }
    }

    /// Some phrase: in every second execution one of a few, of which one is a mark that separates others.
    fn next_phrase(&mut self, phrases: &[Vec<u8>]) -> usize {
        if self.topics.is_none() {
            let mut topics = Vec::new();
            if self.random.is_in_eight(4) {
                let marks = (0..phrases.len()).filter(|phrase| phrases[*phrase].len() == 1);
                let marks: Vec<usize> = marks.collect();
                topics.extend((!marks.is_empty()).then(|| marks[self.random.below(marks.len())]));
                topics.extend((0..TOPICS).map(|_| self.random.below(phrases.len())));
            }
            self.topics = Some(topics);
        }
        match self.topics.as_deref() {
            Some(topics) if !topics.is_empty() => topics[self.random.below(topics.len())],
            _ => self.random.below(phrases.len()),
        }
    }

    /// The next byte of a text made of phrases; nothing where none is told.
    fn next_byte(&mut self, phrases: &[Vec<u8>], plain: u64) -> Option<u8> {
        let (phrase, at) = match self.told {
            Some(told) => told,
            None if phrases.is_empty() || self.random.is_in_eight(plain) || self.random.is_in_eight(2) => return None,
            None => (self.next_phrase(phrases), 0),
        };
        if let Some(byte) = phrases[phrase].get(at) {
            self.told = Some((phrase, at + 1));
            return Some(*byte);
        }
        if self.random.is_in_eight(3) {
            self.told = None;
            return Some(0);
        }
        let next = self.next_phrase(phrases);
        self.told = Some((next, 1));
        phrases[next].first().copied()
    }

    /// The threads in the order in which they are to be asked to move.
    pub fn by_priority(&self) -> impl Iterator<Item = ThreadIndex> {
        self.order.iter().rev().copied()
    }

    /// A thread was started.
    pub fn started(&mut self, thread: ThreadIndex) {
        let position = match self.newcomers {
            Newcomers::First => self.order.len(),
            Newcomers::Last => 0,
            Newcomers::Anywhere => self.random.below(self.order.len() + 1),
        };
        self.order.insert(position, thread);
    }

    /// A thread is over.
    pub fn ended(&mut self, thread: ThreadIndex) {
        self.order.retain(|other| *other != thread);
    }

    /// A thread has moved, with so many accesses that others may notice.
    pub fn moved(&mut self, thread: ThreadIndex, accesses: u64, is_same: bool) {
        self.in_a_row = if is_same { self.in_a_row + 1 } else { 0 };
        let before = self.accesses;
        self.accesses += accesses;
        let is_change = self.changes.iter().any(|change| (before..self.accesses).contains(change));
        let Some(position) = self.order.iter().position(|other| *other == thread) else { return };
        if self.is_restless && accesses > 0 && self.random.is_in_eight(2) {
            let first = self.order.remove(self.random.below(self.order.len()));
            self.order.push(first);
        } else if is_change || self.in_a_row > self.patience {
            self.in_a_row = 0;
            let last = self.order.remove(position);
            self.order.insert(0, last);
        }
    }

    /// How many accesses there were.
    pub fn accesses(&self) -> u64 {
        self.accesses
    }

    /// A position in a list of so many.
    pub fn pick(&mut self, among: usize) -> usize {
        self.random.below(among)
    }

    /// True in so many of eight cases.
    pub fn is_in_eight(&mut self, cases: u64) -> bool {
        self.random.is_in_eight(cases)
    }
}

/// Answers at random, and keeps them.
#[derive(Debug)]
pub struct Answering<'a> {
    pub schedule: &'a mut Schedule,
    /// What the program speaks of.
    pub likely: &'a Vocabulary,
    /// In so many of eight cases the answer is the plainest.
    pub plain: u64,
    pub given: Vec<Value>,
}

impl Chooser for Answering<'_> {
    fn choose(&mut self, question: &Question) -> Option<Value> {
        if let Question::Number { known, free } = question
            && *free == Bits::ones(8)
            && let Some(byte) = self.schedule.next_byte(&self.likely.phrases, self.plain)
        {
            let answer = Value::Bits(Bits::new(known.width(), u128::from(byte)));
            self.given.push(answer.clone());
            return Some(answer);
        }
        let yes = self.schedule.yes;
        let random = &mut self.schedule.random;
        let answer = match question {
            Question::Thread(threads) if !threads.is_empty() => {
                let thread = threads[random.below(threads.len())];
                Value::to_start_of(selvedge_program::semantics::Instance::Thread(thread))
            }
            Question::Number { free, .. } if *free == Bits::ones(1) => Value::Bits(Bits::bool(random.is_in_eight(yes))),
            Question::Number { known, free } if !random.is_in_eight(self.plain) => {
                let number = match self.likely.numbers.as_slice() {
                    likely if !likely.is_empty() && random.is_in_eight(4) => likely[random.below(likely.len())],
                    // Lengths and counts are small.
                    _ if random.is_in_eight(5) => u128::from(random.word() >> 58),
                    _ => u128::from(random.word()),
                };
                Value::Bits(Bits::new(known.width(), known.unsigned() | (number & free.unsigned())))
            }
            Question::Thread(_) | Question::Number { .. } | Question::Address { .. } => question.plainest(),
        };
        self.given.push(answer.clone());
        Some(answer)
    }
}
