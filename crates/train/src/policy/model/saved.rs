//! The arrays of a network in training, in the order in which they are saved: for each panel weights,
//! first and second moments of its inputs, its neurons' biases and its outputs, then the same of the
//! outputs' biases.

use std::io;

use super::Model;
use super::table::Table;
use crate::checkpoint::{Fill, Saved, Show};

impl Saved for Model {
    const MAGIC: &'static [u8; 8] = b"TANDEMPT";

    fn show(&self, each: Show<'_>) -> io::Result<()> {
        for panel in &self.panels {
            for table in [&panel.inputs, &panel.biases, &panel.outputs] {
                show(table, each)?;
            }
        }
        show(&self.biases, each)
    }

    fn fill(&mut self, each: Fill<'_>) -> io::Result<()> {
        for panel in &mut self.panels {
            for table in [&mut panel.inputs, &mut panel.biases, &mut panel.outputs] {
                fill(table, each)?;
            }
        }
        fill(&mut self.biases, each)
    }
}

fn show<const W: usize>(table: &Table<W>, each: Show<'_>) -> io::Result<()> {
    let mut rows = table.arrays().into_iter().flatten();
    rows.try_for_each(|row| each(bytemuck::cast_slice(&row.0)))
}

fn fill<const W: usize>(table: &mut Table<W>, each: Fill<'_>) -> io::Result<()> {
    let mut rows = table.arrays_mut().into_iter().flatten();
    rows.try_for_each(|row| each(bytemuck::cast_slice_mut(&mut row.0)))
}
