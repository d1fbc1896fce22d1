//! The sound games of a file that may be damaged.

use super::{Damage, DataError, Reader, Record};

/// Gives the games of a file. Damage ends it, or is told of and passed over.
pub struct SoundGames<'a> {
    reader: Box<dyn Reader>,
    on_damage: Option<&'a mut dyn FnMut(&Damage)>,
    damaged: u64,
}

impl<'a> SoundGames<'a> {
    /// Ends with the first damage.
    #[must_use]
    pub fn strict(reader: Box<dyn Reader>) -> Self {
        Self { reader, on_damage: None, damaged: 0 }
    }

    /// Tells of damage and goes on behind it, as far as the format allows.
    pub fn skipping(reader: Box<dyn Reader>, on_damage: &'a mut dyn FnMut(&Damage)) -> Self {
        Self { reader, on_damage: Some(on_damage), damaged: 0 }
    }

    /// The next sound game; none at the end.
    ///
    /// # Errors
    /// The file cannot be read, or it is damaged and nothing was said about passing over that.
    pub fn next_game(&mut self) -> Result<Option<Record>, DataError> {
        loop {
            match (self.reader.next_game(), &mut self.on_damage) {
                (Err(DataError::Damage(damage)), Some(on_damage)) => {
                    self.damaged += 1;
                    on_damage(&damage);
                }
                (answer, _) => return answer,
            }
        }
    }

    /// How many damaged stretches were passed over.
    #[must_use]
    pub const fn damaged(&self) -> u64 {
        self.damaged
    }

    /// How many bytes have been read.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// What the file says about itself, as far as it has been read.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        self.reader.notes()
    }
}
