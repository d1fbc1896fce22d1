//! Every kernel translates to the languages of Metal, DX12 and Vulkan. It is all that can be known here
//! of drivers that this machine does not have.

use naga::back::{hlsl, msl, spv};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use tandem_gpu::kernels::policy::PolicyShape;
use tandem_gpu::kernels::{Reading, Shape};
use tandem_nnue::{Architecture, FeatureSet};

fn translate(name: &str, source: &str) {
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::SUBGROUP)
        .validate(&module)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
    to_metal(name, &module, &info);
    to_hlsl(name, &module, &info);
    let options = spv::Options { lang_version: (1, 3), ..spv::Options::default() };
    let words = spv::write_vec(&module, &info, &options, None);
    assert!(!words.unwrap_or_else(|error| panic!("{name}: {error}")).is_empty());
}

fn to_metal(name: &str, module: &naga::Module, info: &ModuleInfo) {
    let options = msl::Options {
        lang_version: (2, 4),
        fake_missing_bindings: true,
        ..msl::Options::default()
    };
    let pipeline = msl::PipelineOptions::default();
    let (text, _) = msl::write_string(module, info, &options, &pipeline)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(text.contains("kernel void"), "{name}");
}

fn to_hlsl(name: &str, module: &naga::Module, info: &ModuleInfo) {
    let options = hlsl::Options {
        shader_model: hlsl::ShaderModel::V6_4,
        fake_missing_bindings: true,
        ..hlsl::Options::default()
    };
    let pipeline = hlsl::PipelineOptions::default();
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &pipeline)
        .write(module, info, None)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(text.contains("numthreads"), "{name}");
}

#[test]
fn every_kernel_translates_to_metal_hlsl_and_spirv() {
    for features in [FeatureSet::HalfKa, FeatureSet::HalfKaThreats] {
        for l1 in [128, 256, 384, 512, 1024, 3072, 8192] {
            for (reading, slice) in [
                (Reading::Buffers, 100_000),
                (Reading::Buffers, 20_000),
                (Reading::Images, 100_000),
            ] {
                let architecture = Architecture { features, l1 };
                let (rows_a_slice, threats_a_slice) = (slice, 2 * slice);
                let shape = Shape { architecture, reading, rows_a_slice, threats_a_slice };
                for (name, source) in shape.all() {
                    translate(&format!("{name} of {architecture}"), &source);
                }
            }
        }
    }
}

#[test]
fn the_kernels_of_policy_networks_do_so_too() {
    for hidden in [64, 192, 256, 1024, 2048] {
        for reading in [Reading::Buffers, Reading::Images] {
            for (name, source) in (PolicyShape { hidden, reading }).all() {
                translate(&format!("{name} of {hidden}, {reading:?}"), &source);
            }
        }
    }
}
