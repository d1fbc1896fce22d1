//! The arrays of a network in training, in the order in which they are saved: for each panel its
//! weights, first and second moments, the same for the piece-square table and for the layers, and the
//! step in which each row was last updated.

use std::io;

use super::Model;
use crate::checkpoint::{Fill, Saved, Show};

impl Saved for Model {
    const MAGIC: &'static [u8; 8] = b"TANDEMTR";

    fn show(&self, each: Show<'_>) -> io::Result<()> {
        for panel in &self.panels {
            for rows in [&panel.table.weights, &panel.table.first, &panel.table.second] {
                rows.iter().try_for_each(|row| each(bytemuck::cast_slice(&row.0)))?;
            }
        }
        for rows in [&self.psqt.weights, &self.psqt.first, &self.psqt.second] {
            rows.iter().try_for_each(|row| each(bytemuck::cast_slice(&row.0)))?;
        }
        for layers in [&self.layers, &self.first, &self.second] {
            layers.parts().try_for_each(|(_, values)| each(bytemuck::cast_slice(values)))?;
        }
        each(bytemuck::cast_slice(&self.last))
    }

    fn fill(&mut self, each: Fill<'_>) -> io::Result<()> {
        for panel in &mut self.panels {
            let table = &mut panel.table;
            for rows in [&mut table.weights, &mut table.first, &mut table.second] {
                rows.iter_mut().try_for_each(|row| each(bytemuck::cast_slice_mut(&mut row.0)))?;
            }
        }
        for rows in [&mut self.psqt.weights, &mut self.psqt.first, &mut self.psqt.second] {
            rows.iter_mut().try_for_each(|row| each(bytemuck::cast_slice_mut(&mut row.0)))?;
        }
        for layers in [&mut self.layers, &mut self.first, &mut self.second] {
            let mut parts = layers.parts_mut();
            parts.try_for_each(|(_, values)| each(bytemuck::cast_slice_mut(values)))?;
        }
        each(bytemuck::cast_slice_mut(&mut self.last))
    }
}
