//! The folder in which a training keeps what it has.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tandem_nnue::{Encoding, Network};

use crate::files::write_whole;
use crate::report::{Record, draw, write_log};
use crate::{Config, TrainError};

/// The folder of a training.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The file with the whole state.
    pub fn state(&self) -> PathBuf {
        self.0.join("state.bin")
    }

    /// Makes the folder and saves the settings in it.
    pub fn prepare(&self, config: &Config) -> Result<(), TrainError> {
        fs::create_dir_all(&self.0)
            .map_err(|reason| TrainError::Write { path: self.0.clone(), reason })?;
        let text = config.to_toml();
        write_whole(&self.0.join("config.toml"), |out| out.write_all(text.as_bytes()))
    }

    /// Saves the network, compressed, with the log and the curves.
    pub fn save_results(
        &self,
        network: &Network,
        superbatch: u64,
        keep: u64,
        history: &[Record],
    ) -> Result<(), TrainError> {
        let bytes = network.to_bytes(Encoding::Leb128);
        let write =
            |name: &str, bytes: &[u8]| write_whole(&self.0.join(name), |out| out.write_all(bytes));
        write("network.nnue", &bytes)?;
        if keep > 0 && superbatch.is_multiple_of(keep) {
            write(&format!("network-{superbatch:04}.nnue"), &bytes)?;
        }
        write_log(&self.0.join("log.jsonl"), history)?;
        write("loss.svg", draw(history)?.as_bytes())
    }
}
