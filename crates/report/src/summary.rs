//! What a program consists of, for people: its threads, what they share, what is checked.
