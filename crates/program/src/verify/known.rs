//! What the verifier knows of a value before anything runs.

use std::collections::BTreeMap;

use crate::verify::schema::Schema;

/// What is known of an expression's value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known<'a> {
    /// Its properties and items.
    pub(crate) shape: Shape<'a>,
    /// How many items it has at the most, where that can be counted.
    pub(crate) items_max: Option<usize>,
}

/// The properties and items of a value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Shape<'a> {
    /// Nothing is known.
    #[default]
    Unknown,
    /// A result, or a part of one.
    Result(Schema<'a>),
    /// An array whose items are all alike.
    Items(Box<Shape<'a>>),
    /// An array literal.
    Tuple(Vec<Shape<'a>>),
    /// A map literal.
    Fields(BTreeMap<String, Shape<'a>>),
}

impl<'a> Known<'a> {
    pub(crate) fn of(shape: Shape<'a>) -> Self {
        Self { shape, items_max: None }
    }

    pub(crate) fn with_items_max(mut self, items_max: Option<usize>) -> Self {
        self.items_max = items_max;
        self
    }
}

impl Shape<'_> {
    /// The shape of any item.
    pub(crate) fn item(&self) -> Self {
        match self {
            Self::Result(schema) => schema.items().map_or(Self::Unknown, Self::Result),
            Self::Items(item) => (**item).clone(),
            Self::Tuple(items) if items.len() == 1 => items[0].clone(),
            Self::Unknown | Self::Tuple(_) | Self::Fields(_) => Self::Unknown,
        }
    }

    /// The shape of the item at `index`.
    pub(crate) fn item_at(&self, index: Option<usize>) -> Self {
        match (self, index) {
            (Self::Tuple(items), Some(index)) => items.get(index).cloned().unwrap_or_default(),
            _ => self.item(),
        }
    }

    /// The shape that `settle` gives.
    pub(crate) fn settled(self) -> Self {
        Self::Fields(BTreeMap::from([
            ("ok".to_owned(), Self::Unknown),
            ("value".to_owned(), self),
            ("fault".to_owned(), Self::Unknown),
        ]))
    }

    /// The shape that `settle_all` gives.
    pub(crate) fn settled_all(self) -> Self {
        match self {
            Self::Tuple(items) => Self::Tuple(items.into_iter().map(Self::settled).collect()),
            Self::Unknown | Self::Result(_) | Self::Items(_) | Self::Fields(_) => {
                Self::Items(Box::new(self.item().settled()))
            }
        }
    }
}
