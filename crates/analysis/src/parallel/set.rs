//! Sets of thread templates.

use crate::TemplateId;
use selvedge_program::bitset::BitSet;

/// A set of thread templates.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateSet(BitSet);

impl TemplateSet {
    /// Adds a template.
    pub fn insert(&mut self, template: TemplateId) {
        self.0.insert(template.index() as u32);
    }

    /// Takes a template out.
    pub fn remove(&mut self, template: TemplateId) {
        self.0.remove(&BitSet::of(template.index() as u32));
    }

    /// Adds all of another set; whether that changed anything.
    pub fn add(&mut self, other: &TemplateSet) -> bool {
        self.0.add(&other.0)
    }

    /// Keeps only what is in another set.
    pub fn keep(&mut self, other: &TemplateSet) {
        self.0.keep(&other.0);
    }

    /// Takes out what is in another set.
    pub fn without(&mut self, other: &TemplateSet) {
        self.0.remove(&other.0);
    }

    /// Whether a template is in it.
    pub fn contains(&self, template: TemplateId) -> bool {
        self.0.contains(template.index() as u32)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The templates in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = TemplateId> + '_ {
        self.0.iter().map(|template| TemplateId::new(template as usize))
    }
}

impl FromIterator<TemplateId> for TemplateSet {
    fn from_iter<T: IntoIterator<Item = TemplateId>>(templates: T) -> Self {
        TemplateSet(templates.into_iter().map(|template| template.index() as u32).collect())
    }
}
