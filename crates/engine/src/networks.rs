//! The networks in force: from files that the user names, or built into the program.

use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tandem_nnue::{Digest, Network, NetworkError, Networks, PolicyEvaluator, PolicyNetwork};

/// A network that was built into the program.
#[derive(Clone, Copy, Debug)]
pub struct Embedded {
    /// Its file.
    pub bytes: &'static [u8],
    /// The hash of the file.
    pub digest: Digest,
    /// What its makers say about it, as Markdown; empty where nothing is said.
    pub card: &'static str,
}

/// What the build script kept of a network.
#[cfg(any(embedded_network, embedded_policy))]
macro_rules! embedded {
    ($name:literal) => {
        Some(Embedded {
            bytes: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".bytes")),
            digest: Digest(*include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".sha256"))),
            card: include_str!(concat!(env!("OUT_DIR"), "/", $name, ".md")),
        })
    };
}

/// The network that was built into the program, if any.
#[cfg(embedded_network)]
pub const EMBEDDED: Option<Embedded> = embedded!("network");
/// The network that was built into the program, if any.
#[cfg(not(embedded_network))]
pub const EMBEDDED: Option<Embedded> = None;

/// The policy network that was built into the program, if any.
#[cfg(embedded_policy)]
pub const EMBEDDED_POLICY: Option<Embedded> = embedded!("policy");
/// The policy network that was built into the program, if any.
#[cfg(not(embedded_policy))]
pub const EMBEDDED_POLICY: Option<Embedded> = None;

/// The word that stands for no network at all: the plain evaluation, even where the program has a
/// network.
pub const NONE: &str = "none";

/// A network in the program, decoded. All engines share it; it goes with the last of them, so that
/// what is kept of it for other processes is finished before this one ends.
fn shared<N>(
    embedded: Option<Embedded>,
    decoded: &Mutex<Weak<N>>,
    decode: impl FnOnce(&[u8], Digest) -> Result<N, NetworkError>,
) -> Result<Option<Arc<N>>, String> {
    let Some(own) = embedded else { return Ok(None) };
    let mut decoded = decoded.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(network) = decoded.upgrade() {
        return Ok(Some(network));
    }
    let network = decode(own.bytes, own.digest)
        .map_err(|error| format!("the network in the program is damaged: {error}"))?;
    let network = Arc::new(network);
    *decoded = Arc::downgrade(&network);
    Ok(Some(network))
}

fn embedded() -> Result<Option<Arc<Network>>, String> {
    static DECODED: Mutex<Weak<Network>> = Mutex::new(Weak::new());
    shared(EMBEDDED, &DECODED, Network::from_known_bytes)
}

fn embedded_policy() -> Result<Option<Arc<PolicyNetwork>>, String> {
    static DECODED: Mutex<Weak<PolicyNetwork>> = Mutex::new(Weak::new());
    shared(EMBEDDED_POLICY, &DECODED, PolicyNetwork::from_known_bytes)
}

/// Loads the named files. Without a name for the large network the one in the program is used. There
/// are none without that, or if the name is [`NONE`].
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
    if large == NONE {
        return Ok(None);
    }
    let small = read(small)?;
    let Some(large) = read(large)?.map_or_else(embedded, |network| Ok(Some(network)))? else {
        return Ok(None);
    };
    Networks::new(large, small).map(Some).map_err(|error| error.to_string())
}

/// Loads the named policy network. Without a name the one in the program is used. There is none without
/// that, or if the name is [`NONE`].
///
/// # Errors
/// A sentence that says what is wrong with the file.
pub fn load_policy(name: &str) -> Result<Option<PolicyEvaluator>, String> {
    let network = match name {
        NONE => None,
        "" => embedded_policy()?,
        name => Some(Arc::new(PolicyNetwork::load(name).map_err(|error| error.to_string())?)),
    };
    network.map(PolicyEvaluator::new).transpose().map_err(|error| error.to_string())
}

/// What people are told of the policy network that the file of that name, or the program, holds.
#[must_use]
pub fn describe_policy(name: &str, policy: Option<&PolicyEvaluator>) -> String {
    let Some(policy) = policy else {
        return if name == NONE { "none" } else { "none in the program: name one with PolicyFile" }
            .to_owned();
    };
    let network = policy.network();
    let place = if name.is_empty() { "in the program" } else { "from a file" };
    format!("{} ({place}), {} neurons", network.digest().policy_name(), network.hidden())
}

/// The customary names of the networks that those files or the program hold, for people who want to
/// know what was measured.
#[must_use]
pub fn names(large: &str, small: &str) -> String {
    let of_file = |name: &str| match File::open(name).and_then(Digest::of_reader) {
        Ok(digest) => digest.network_name(),
        Err(_) => name.to_owned(),
    };
    let mut names = match (large, EMBEDDED) {
        ("", None) | (NONE, _) => return "the plain evaluation".to_owned(),
        ("", Some(own)) => own.digest.network_name(),
        (file, _) => of_file(file),
    };
    if !small.is_empty() {
        names = format!("{names} with {}", of_file(small));
    }
    names
}
