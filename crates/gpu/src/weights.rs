//! A network's numbers on the device.

use tandem_nnue::{
    Architecture, BUCKETS, HALFKA_ROWS, LayerParameters, Network, Parameters, ThreatNumbering,
    ThreatPair,
};
use wgpu::BufferUsages;
use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

use crate::kernels::{LayerPlaces, NUMBERING, Shape, THREAT_WEIGHTS, WEIGHTS};
use crate::{Device, GpuError};

/// The buffers of a network, each with its binding.
pub(crate) struct Weights {
    pub shape: Shape,
    pub buffers: Vec<(u32, wgpu::Buffer)>,
}

impl Weights {
    /// Copies a network to the device, spread over as many bindings as its limits demand.
    pub fn upload(device: &Device, network: &Network) -> Result<Self, GpuError> {
        let shape = shape(device, network.architecture())?;
        let numbers = network.parameters();
        let mut buffers = vec![
            (0, buffer(device, "layers", &layers(&numbers))),
            (1, buffer(device, "psqt", &[&numbers.psqt[..], &numbers.threat_psqt].concat())),
        ];
        let l1 = numbers.architecture.l1;
        for (slice, rows) in numbers.weights.chunks(shape.rows_a_slice * l1).enumerate() {
            buffers.push((WEIGHTS + slice as u32, buffer(device, "weights", rows)));
        }
        if !numbers.threat_weights.is_empty() {
            buffers.push((NUMBERING, buffer(device, "numbering", &numbering())));
        }
        for (slice, rows) in numbers.threat_weights.chunks(shape.threats_a_slice * l1).enumerate() {
            let rows = interleaved(rows);
            buffers.push((THREAT_WEIGHTS + slice as u32, buffer(device, "threats", &rows)));
        }
        device.check()?;
        Ok(Self { shape, buffers })
    }

    /// How many bytes they take on the device.
    pub fn memory(&self) -> u64 {
        self.buffers.iter().map(|(_, buffer)| buffer.size()).sum()
    }
}

/// How the rows of a network are spread over the device's bindings.
fn shape(device: &Device, architecture: Architecture) -> Result<Shape, GpuError> {
    let limits = &device.report().limits;
    let binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) as usize;
    let rows = |bytes: usize, all: usize| (binding / bytes).clamp(1, all.max(1));
    let shape = Shape {
        architecture,
        rows_a_slice: rows(2 * architecture.l1, HALFKA_ROWS),
        threats_a_slice: rows(architecture.l1, architecture.threat_rows()),
    };
    let (pieces, threats) = shape.slices();
    let numbering = usize::from(threats > 0);
    let needed = 2 + pieces + threats + numbering + 5;
    if needed > limits.max_storage_buffers_per_shader_stage as usize {
        return Err(GpuError::TooSmall {
            adapter: device.report().name(),
            reason: format!(
                "it takes {needed} buffers and the kernels may use {}",
                limits.max_storage_buffers_per_shader_stage
            ),
        });
    }
    Ok(shape)
}

fn buffer<T: bytemuck::Pod>(device: &Device, label: &str, contents: &[T]) -> wgpu::Buffer {
    device.handle.create_buffer_init(&BufferInitDescriptor {
        label: Some(label),
        contents: bytemuck::cast_slice(contents),
        usage: BufferUsages::STORAGE,
    })
}

/// The biases of the transformer and everything behind it, as the kernels find them.
fn layers(numbers: &Parameters) -> Vec<u8> {
    let places = LayerPlaces::new(numbers.architecture.l1);
    let mut bytes = bytemuck::cast_slice::<_, u8>(&numbers.biases).to_vec();
    let mut part = |begin: usize, of: &dyn Fn(&LayerParameters) -> Vec<u8>| {
        assert_eq!(bytes.len(), 16 * begin, "the parts lie one behind the other");
        for layer in &numbers.layers {
            bytes.extend(of(layer));
        }
    };
    part(places.first, &|layer| bytemuck::cast_slice(&layer.fc0_weights).to_vec());
    part(places.second, &|layer| bytemuck::cast_slice(&layer.fc1_weights).to_vec());
    part(places.third, &|layer| bytemuck::cast_slice(&layer.fc2_weights).to_vec());
    part(places.biases, &|layer| {
        let mut biases = [&layer.fc0_biases[..], &layer.fc1_biases, &[layer.fc2_bias]].concat();
        biases.resize(13 * 4, 0);
        bytemuck::cast_slice(&biases).to_vec()
    });
    assert_eq!(bytes.len(), 16 * places.end);
    assert_eq!(numbers.layers.len(), BUCKETS);
    bytes
}

/// Weights of threats with 128 added, in groups of sixteen so ordered that the even bytes of four words
/// are the first eight of them and the odd bytes the last eight.
fn interleaved(rows: &[i8]) -> Vec<u8> {
    let (groups, _) = rows.as_chunks::<16>();
    let place = |byte: usize| {
        let (word, within) = (byte / 4, byte % 4);
        8 * (within % 2) + 2 * word + within / 2
    };
    let group = |group: &[i8; 16]| -> [u8; 16] {
        std::array::from_fn(|byte| group[place(byte)].wrapping_add_unsigned(128) as u8)
    };
    groups.iter().flat_map(group).collect()
}

/// The numbering of threats: four words for each pair of pieces, then for each piece and square.
fn numbering() -> Vec<[u32; 4]> {
    let numbering = ThreatNumbering::get();
    let pair = |pair: &ThreatPair| match *pair {
        ThreatPair::Single(row) => [row, 0, 0, 0],
        ThreatPair::Unseen => [0, 1, 0, 0],
        ThreatPair::Mutual(row) => [row, 2, 0, 0],
    };
    let pairs = numbering.pairs.iter().flatten().map(pair);
    let places = numbering.places.iter().flatten();
    let places = places.map(|p| [p.offset, p.attacks as u32, (p.attacks >> 32) as u32, 0]);
    pairs.chain(places).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interleaving_keeps_every_weight_once() {
        let rows: Vec<i8> = (0..16).collect();
        let bytes = interleaved(&rows);
        // Word 0: bytes 0 and 2 are the first two weights, bytes 1 and 3 the ninth and tenth.
        assert_eq!(bytes[..4], [128, 136, 129, 137]);
        let mut sorted = bytes.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (128..144).collect::<Vec<u8>>());
    }
}
