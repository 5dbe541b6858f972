//! The tiles that a kind of document has of its own.

use crate::model::Tile;

/// They stand before the tiles of figures.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnTiles {
    pub tiles: Vec<Tile>,
    /// Whether tiles of figures would add nothing.
    pub are_all: bool,
}
