//! A network's numbers on the device.

use tandem_nnue::{
    Architecture, BUCKETS, HALFKA_ROWS, LayerParameters, Network, Parameters, ThreatNumbering,
    ThreatPair,
};
use wgpu::BufferUsages;

use crate::kernels::{
    IMAGE_WIDTH, LayerPlaces, NUMBERING, Reading, Shape, THREAT_WEIGHTS, WEIGHTS,
};
use crate::{Device, GpuError};

/// The tables of a network, each with its binding.
pub(crate) struct Weights {
    pub shape: Shape,
    pub tables: Vec<(u32, Table)>,
}

/// Numbers on the device.
pub(crate) enum Table {
    Buffer(wgpu::Buffer),
    Image(wgpu::TextureView),
}

impl Table {
    /// A table of weights, where kernels that read that way find it.
    pub fn upload(
        device: &Device,
        reading: Reading,
        label: &str,
        bytes: &[u8],
    ) -> Result<Self, GpuError> {
        match reading {
            Reading::Buffers => Self::buffer(device, label, bytes),
            Reading::Images => Self::image(device, label, bytes),
        }
    }

    /// A buffer with that in it.
    pub fn buffer<T: bytemuck::Pod>(
        device: &Device,
        label: &str,
        contents: &[T],
    ) -> Result<Self, GpuError> {
        let bytes: &[u8] = bytemuck::cast_slice(contents);
        let buffer = device.buffer(label, bytes.len() as u64, BufferUsages::STORAGE, true)?;
        let mut view =
            buffer.get_mapped_range_mut(..).map_err(|error| GpuError::Lost(error.to_string()))?;
        view.copy_from_slice(bytes);
        drop(view);
        buffer.unmap();
        Ok(Self::Buffer(buffer))
    }

    /// An image with that in it, row by row.
    fn image(device: &Device, label: &str, contents: &[u8]) -> Result<Self, GpuError> {
        let row = 16 * IMAGE_WIDTH;
        let size = wgpu::Extent3d {
            width: IMAGE_WIDTH as u32,
            height: contents.len().div_ceil(row) as u32,
            depth_or_array_layers: 1,
        };
        let image = device.image(&wgpu::TextureDescriptor {
            label: Some(label),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: IMAGE_FORMAT,
            usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        })?;
        let mut whole = std::borrow::Cow::Borrowed(contents);
        if !contents.len().is_multiple_of(row) {
            whole.to_mut().resize(contents.len().next_multiple_of(row), 0);
        }
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row as u32),
            rows_per_image: None,
        };
        device.queue.write_texture(image.as_image_copy(), &whole, layout, size);
        device.check()?;
        Ok(Self::Image(image.create_view(&wgpu::TextureViewDescriptor::default())))
    }

    pub fn resource(&self) -> wgpu::BindingResource<'_> {
        match self {
            Self::Buffer(buffer) => buffer.as_entire_binding(),
            Self::Image(view) => wgpu::BindingResource::TextureView(view),
        }
    }

    pub fn binding_type(&self) -> wgpu::BindingType {
        match self {
            Self::Buffer(_) => wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            Self::Image(_) => wgpu::BindingType::StorageTexture {
                access: wgpu::StorageTextureAccess::ReadOnly,
                format: IMAGE_FORMAT,
                view_dimension: wgpu::TextureViewDimension::D2,
            },
        }
    }

    pub fn size(&self) -> u64 {
        match self {
            Self::Buffer(buffer) => buffer.size(),
            Self::Image(view) => {
                16 * u64::from(view.texture().width()) * u64::from(view.texture().height())
            }
        }
    }
}

/// Four words to a texel.
const IMAGE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;

impl Weights {
    /// Copies a network to the device, spread over as many bindings as its limits demand.
    pub fn upload(device: &Device, network: &Network) -> Result<Self, GpuError> {
        let shape = shape(device, network.architecture())?;
        let numbers = network.parameters();
        let table = |label, bytes: &[u8]| Table::upload(device, shape.reading, label, bytes);
        let l1 = numbers.architecture.l1;
        let mut layers = layers(&numbers);
        if shape.reading == Reading::Images {
            let places = LayerPlaces::new(l1);
            for weight in &mut layers[16 * places.first..16 * places.second] {
                *weight ^= 128;
            }
        }
        let psqt = [&numbers.psqt[..], &numbers.threat_psqt].concat();
        let mut tables =
            vec![(0, table("layers", &layers)?), (1, Table::buffer(device, "psqt", &psqt)?)];
        for (slice, rows) in numbers.weights.chunks(shape.rows_a_slice * l1).enumerate() {
            tables.push((WEIGHTS + slice as u32, table("weights", bytemuck::cast_slice(rows))?));
        }
        if !numbers.threat_weights.is_empty() {
            tables.push((NUMBERING, Table::buffer(device, "numbering", &numbering())?));
        }
        for (slice, rows) in numbers.threat_weights.chunks(shape.threats_a_slice * l1).enumerate() {
            tables.push((THREAT_WEIGHTS + slice as u32, table("threats", &interleaved(rows))?));
        }
        Ok(Self { shape, tables })
    }

    /// How many bytes they take on the device.
    pub fn memory(&self) -> u64 {
        self.tables.iter().map(|(_, table)| table.size()).sum()
    }
}

/// How the rows of a network are spread over the device's bindings.
fn shape(device: &Device, architecture: Architecture) -> Result<Shape, GpuError> {
    let limits = &device.report().limits;
    let threats = architecture.threat_rows();
    let texels = (HALFKA_ROWS * architecture.l1 / 8).max(threats * architecture.l1 / 16);
    let fits = texels.div_ceil(IMAGE_WIDTH) <= limits.max_texture_dimension_2d as usize
        && limits.max_storage_textures_per_shader_stage >= 3;
    if device.reading() == Reading::Images && fits {
        let (rows_a_slice, threats_a_slice) = (HALFKA_ROWS, threats.max(1));
        let reading = Reading::Images;
        return Ok(Shape { architecture, reading, rows_a_slice, threats_a_slice });
    }
    let binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) as usize;
    let rows = |bytes: usize, all: usize| (binding / bytes).clamp(1, all.max(1));
    let shape = Shape {
        architecture,
        reading: Reading::Buffers,
        rows_a_slice: rows(2 * architecture.l1, HALFKA_ROWS),
        threats_a_slice: rows(architecture.l1, threats),
    };
    let (pieces, threats) = shape.slices_needed();
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
