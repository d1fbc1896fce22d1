//! The networks in force: from files that the user names, or built into the program.

use std::fs::File;
use std::sync::{Arc, OnceLock};

use tandem_nnue::{Digest, Network, Networks};

#[cfg(embedded_network)]
const BYTES: Option<&[u8]> =
    Some(include_bytes!(concat!(env!("OUT_DIR"), "/network.nnue")).as_slice());
#[cfg(not(embedded_network))]
const BYTES: Option<&[u8]> = None;

/// The network that the program was built with, if any. It is decoded once for all engines.
fn embedded() -> Result<Option<Arc<Network>>, String> {
    static DECODED: OnceLock<Result<Option<Arc<Network>>, String>> = OnceLock::new();

    DECODED
        .get_or_init(|| match BYTES.map(Network::from_bytes).transpose() {
            Ok(network) => Ok(network.map(Arc::new)),
            Err(error) => Err(format!("the network in the program is damaged: {error}")),
        })
        .clone()
}

/// Loads the named files. Without a name for the large network the one in the program is used, and
/// without that there are none.
///
/// # Errors
/// A sentence that says which file is wrong and how.
pub fn load(large: &str, small: &str) -> Result<Option<Networks>, String> {
    let read = |name: &str| match name {
        "" => Ok(None),
        name => {
            Network::load(name).map(|network| Some(Arc::new(network))).map_err(|e| e.to_string())
        }
    };
    let small = read(small)?;
    let Some(large) = read(large)?.map_or_else(embedded, |network| Ok(Some(network)))? else {
        return Ok(None);
    };
    Networks::new(large, small).map(Some).map_err(|error| error.to_string())
}

/// The customary names of the networks that those files or the program hold, for people who want to
/// know what was measured.
#[must_use]
pub fn names(large: &str, small: &str) -> String {
    let of_file = |name: &str| match File::open(name).and_then(Digest::of_reader) {
        Ok(digest) => digest.network_name(),
        Err(_) => name.to_owned(),
    };
    let mut names = match (large, BYTES) {
        ("", None) => return "the plain evaluation".to_owned(),
        ("", Some(bytes)) => Digest::of(bytes).network_name(),
        (file, _) => of_file(file),
    };
    if !small.is_empty() {
        names = format!("{names} with {}", of_file(small));
    }
    names
}
