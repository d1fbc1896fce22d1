//! The whole state of a training in one file.
//!
//! `TANDEMTR`, the length of a JSON header as a little-endian `u64`, the header, then as 32-bit
//! numbers: for each panel its weights, first and second moments, the same for the piece-square
//! table and for the layers, and the step in which each row was last updated; at the end a checksum
//! of all numbers.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::write_whole;
use crate::kernels::Row;
use crate::model::{Layers, Model};
use crate::report::Record;
use crate::stream::DataPosition;
use crate::{Config, TrainError};

const MAGIC: &[u8; 8] = b"TANDEMTR";
/// No header comes near this.
const MAX_HEADER: u64 = 1 << 28;

/// Everything that is not an array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub config: Config,
    /// Steps taken.
    pub step: u64,
    pub position: DataPosition,
    /// Sum of the losses and number of samples of the superbatch so far.
    pub running: (f64, u64),
    pub history: Vec<Record>,
}

/// Saves the state; the file is whole or as it was.
pub(crate) fn save(path: &Path, header: &Header, model: &Model) -> Result<(), TrainError> {
    write_whole(path, |out| {
        let text = serde_json::to_vec(header)?;
        out.write_all(MAGIC)?;
        out.write_all(&(text.len() as u64).to_le_bytes())?;
        out.write_all(&text)?;
        let mut sum = Checksum::default();
        let mut numbers = |values: &[f32]| sum.write(out, bytemuck::cast_slice(values));
        for panel in &model.panels {
            for rows in [&panel.table.weights, &panel.table.first, &panel.table.second] {
                rows.iter().try_for_each(|row| numbers(&row.0))?;
            }
        }
        for rows in [&model.psqt.weights, &model.psqt.first, &model.psqt.second] {
            rows.iter().try_for_each(|row| numbers(&row.0))?;
        }
        for layers in [&model.layers, &model.first, &model.second] {
            layers.parts().try_for_each(|(_, values)| numbers(values))?;
        }
        sum.write(out, bytemuck::cast_slice(&model.last))?;
        out.write_all(&sum.0.to_le_bytes())
    })
}

/// Opens a saved state: its header, and what fills a model that fits it.
pub(crate) fn open(path: &Path) -> Result<(Header, Arrays), TrainError> {
    let failure = |reason: String| TrainError::Checkpoint { path: path.to_owned(), reason };
    let unreadable = |error: std::io::Error| failure(format!("cannot be read ({error})"));
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).map_err(unreadable)?);
    let mut magic = [0; 8];
    file.read_exact(&mut magic).map_err(unreadable)?;
    if magic != *MAGIC {
        return Err(failure("is no saved training".into()));
    }
    let mut length = [0; 8];
    file.read_exact(&mut length).map_err(unreadable)?;
    let length = u64::from_le_bytes(length);
    if length > MAX_HEADER {
        return Err(failure("is damaged: its header has an absurd length".into()));
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).map_err(unreadable)?;
    let header = serde_json::from_slice(&text)
        .map_err(|error| failure(format!("has a header that cannot be understood ({error})")))?;
    Ok((header, Arrays { file, path: path.to_owned() }))
}

/// The numbers of a saved state.
pub(crate) struct Arrays {
    file: BufReader<File>,
    path: std::path::PathBuf,
}

impl Arrays {
    /// Fills the model, which has the shape that the header's settings say.
    pub fn fill(mut self, model: &mut Model) -> Result<(), TrainError> {
        self.read(model).map_err(|error| TrainError::Checkpoint {
            path: self.path.clone(),
            reason: format!("is damaged ({error})"),
        })
    }

    fn read(&mut self, model: &mut Model) -> std::io::Result<()> {
        let mut sum = Checksum::default();
        for panel in &mut model.panels {
            self.rows(&mut sum, &mut panel.table.weights)?;
            self.rows(&mut sum, &mut panel.table.first)?;
            self.rows(&mut sum, &mut panel.table.second)?;
        }
        self.rows(&mut sum, &mut model.psqt.weights)?;
        self.rows(&mut sum, &mut model.psqt.first)?;
        self.rows(&mut sum, &mut model.psqt.second)?;
        self.layers(&mut sum, &mut model.layers)?;
        self.layers(&mut sum, &mut model.first)?;
        self.layers(&mut sum, &mut model.second)?;
        sum.read(&mut self.file, bytemuck::cast_slice_mut(&mut model.last))?;
        let mut expected = [0; 8];
        self.file.read_exact(&mut expected)?;
        if sum.0 != u64::from_le_bytes(expected) {
            return Err(std::io::Error::other("its checksum is wrong"));
        }
        Ok(())
    }

    fn rows<const W: usize>(
        &mut self,
        sum: &mut Checksum,
        rows: &mut [Row<W>],
    ) -> std::io::Result<()> {
        rows.iter_mut()
            .try_for_each(|row| sum.read(&mut self.file, bytemuck::cast_slice_mut(&mut row.0)))
    }

    fn layers(&mut self, sum: &mut Checksum, layers: &mut Layers) -> std::io::Result<()> {
        layers
            .parts_mut()
            .try_for_each(|(_, values)| sum.read(&mut self.file, bytemuck::cast_slice_mut(values)))
    }
}

/// A checksum that sees every bit and the order.
#[derive(Default)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for word in bytes.as_chunks::<4>().0 {
            let word = u64::from(u32::from_le_bytes(*word));
            self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }

    fn write(&mut self, out: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
        self.add(bytes);
        out.write_all(bytes)
    }

    fn read(&mut self, from: &mut impl Read, bytes: &mut [u8]) -> std::io::Result<()> {
        from.read_exact(bytes)?;
        self.add(bytes);
        Ok(())
    }
}
