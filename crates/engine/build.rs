//! Builds a network into the program if `TANDEM_EVALFILE` names one, as `make EVALFILE=…` does.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=TANDEM_EVALFILE");
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    let Some(file) = env::var_os("TANDEM_EVALFILE").filter(|file| !file.is_empty()) else {
        return;
    };
    println!("cargo::rerun-if-changed={}", Path::new(&file).display());
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    if let Err(error) = fs::copy(&file, Path::new(&folder).join("network.nnue")) {
        println!("cargo::error=cannot read the network {}: {error}", Path::new(&file).display());
        return;
    }
    println!("cargo::rustc-cfg=embedded_network");
}
