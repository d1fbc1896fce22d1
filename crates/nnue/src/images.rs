//! Networks decoded once for all processes of a user.
//!
//! A decoded network is kept as a file in the user's cache and mapped read-only, so that engines
//! that run beside each other share one copy in memory, and in the processor's cache as well. A
//! file is found by the SHA-256 of the `.nnue` file it was decoded from, and believed only if its
//! length and checksum are right. It is written whole under another name and then renamed, never
//! changed, so that whoever has mapped it keeps what he had. Where any of this fails, the network
//! is decoded into private memory instead, as it is by the
//! first process that loads it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use bytemuck::{Pod, Zeroable};
use memmap2::{Mmap, MmapMut};

use crate::Digest;

/// The environment variable that names another folder, or `off`.
const VARIABLE: &str = "TANDEM_IMAGES";
/// Changes whenever the layout of the block in memory does.
const MAGIC: [u8; 16] = *b"tandem image 001";
/// Files that nobody has used for so long are removed.
const KEPT: Duration = Duration::from_hours(30 * 24);
/// Nobody writes for so long: a process has ended in the middle of it.
const UNFINISHED: Duration = Duration::from_mins(1);

/// Stands behind the block, so that the block begins where pages do.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Footer {
    magic: [u8; 16],
    digest: [u8; 32],
    size: u64,
    checksum: u64,
}

impl Footer {
    fn new(digest: &Digest, block: &[u8]) -> Self {
        let (size, checksum) = (block.len() as u64, checksum(block));
        Self { magic: MAGIC, digest: digest.0, size, checksum }
    }
}

/// The thread that keeps a block. Whoever drops this waits for it, so that a process which ends soon
/// does not leave its work half done for the next one to begin anew.
#[derive(Debug)]
pub(crate) struct Keeper(Option<thread::JoinHandle<()>>);

impl Drop for Keeper {
    fn drop(&mut self) {
        let _ = self.0.take().map(thread::JoinHandle::join);
    }
}

/// The folder with the decoded networks.
pub(crate) struct Images(PathBuf);

impl Images {
    /// The user's folder, unless there is none or sharing is switched off.
    pub fn of_user() -> Option<Self> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        match variable(VARIABLE) {
            Some(value) if value == "off" => None,
            Some(folder) => Some(Self(folder.into())),
            None => cache_folder().map(|cache| Self(cache.join("tandem/images"))),
        }
    }

    /// A folder of a test's own.
    #[cfg(test)]
    pub fn in_folder(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The block of that size that was decoded from the file with that digest.
    pub fn find(&self, digest: &Digest, size: usize) -> Option<Mmap> {
        let path = self.path(digest);
        let file = File::open(&path).ok()?;
        // SAFETY: files of this folder are replaced as a whole and never changed.
        let mapping = unsafe { Mmap::map(&file) }.ok()?;
        #[cfg(target_os = "linux")]
        let _ = mapping.advise(memmap2::Advice::HugePage);
        let (block, footer) = mapping.split_at_checked(size)?;
        if footer != bytemuck::bytes_of(&Footer::new(digest, block)) {
            return None;
        }
        let _ = File::options().append(true).open(&path).map(|file| {
            let _ = file.set_modified(SystemTime::now());
        });
        Some(mapping)
    }

    /// Keeps a block for others. Somebody else who is just writing the same one is left alone.
    pub fn keep(&self, digest: &Digest, block: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.0)?;
        self.remove_old();
        let path = self.path(digest);
        let part = path.with_extension("part");
        let mut file = File::create_new(&part)?;
        let written = file
            .write_all(block)
            .and_then(|()| file.write_all(bytemuck::bytes_of(&Footer::new(digest, block))))
            .and_then(|()| file.sync_all())
            .and_then(|()| {
                evict(&file);
                fs::rename(&part, &path)
            });
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written
    }

    /// The same beside other work. Where it fails, the next process will try again.
    pub fn keep_later(self, digest: Digest, block: Arc<MmapMut>) -> Keeper {
        Keeper(Some(thread::spawn(move || {
            let _ = self.keep(&digest, &block);
        })))
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        let version = std::str::from_utf8(&MAGIC[13..]).unwrap_or_default();
        self.0.join(format!("{digest}-{version}.image"))
    }

    /// Removes what has not been used for long, and what somebody began and never finished.
    fn remove_old(&self) {
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let path = entry.path();
            let kept = match path.extension().and_then(OsStr::to_str) {
                Some("image") => KEPT,
                Some("part") => UNFINISHED,
                _ => continue,
            };
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            if modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > kept)) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Makes the system forget the pages through which a file was written. They are small; whoever maps
/// the file next reads it into huge ones, which everybody then shares.
#[cfg(target_os = "linux")]
fn evict(file: &File) {
    use std::os::fd::AsRawFd as _;
    // SAFETY: advice about an open file changes no memory of this process.
    unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
}

#[cfg(not(target_os = "linux"))]
fn evict(_file: &File) {}

/// The folder in which programs of this user keep what can be made again.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    let variable =
        |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))
}

/// A number that any damage changes: four sums that run side by side, each stirred at every step.
fn checksum(block: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut lanes = [1_u64, 2, 3, 4];
    let (chunks, rest) = block.as_chunks::<32>();
    for chunk in chunks {
        for (lane, bytes) in lanes.iter_mut().zip(chunk.as_chunks::<8>().0) {
            *lane = (*lane ^ u64::from_le_bytes(*bytes)).wrapping_mul(FACTOR).rotate_left(31);
        }
    }
    let sum = rest.iter().fold(block.len() as u64, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(FACTOR).rotate_left(31)
    });
    lanes.into_iter().fold(sum, |sum, lane| (sum ^ lane).wrapping_mul(FACTOR).rotate_left(31))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> (PathBuf, Images) {
        let folder = std::env::temp_dir().join(format!("tandem-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        (folder.clone(), Images(folder))
    }

    #[test]
    fn what_is_kept_is_found_again() {
        let (folder, images) = folder("images-found");
        let block: Vec<u8> = (0..100_000_u32).map(|i| (i.wrapping_mul(i) >> 3) as u8).collect();
        let digest = Digest::of(&block);
        assert!(images.find(&digest, block.len()).is_none());
        images.keep(&digest, &block).unwrap();
        assert_eq!(&images.find(&digest, block.len()).unwrap()[..block.len()], block);
        assert!(images.find(&Digest::of(b"other"), block.len()).is_none());
        assert!(images.find(&digest, block.len() - 64).is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn damaged_files_are_not_believed() {
        let (folder, images) = folder("images-damaged");
        let block = vec![7_u8; 10_000];
        let digest = Digest::of(&block);
        images.keep(&digest, &block).unwrap();
        let path = images.path(&digest);
        let whole = fs::read(&path).unwrap();
        for at in [0, 5000, 9999, 10_000, 10_020, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert!(images.find(&digest, block.len()).is_none(), "byte {at}");
        }
        for length in [0, 100, 10_000, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(images.find(&digest, block.len()).is_none(), "length {length}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn whoever_is_writing_is_left_alone() {
        let (folder, images) = folder("images-busy");
        let digest = Digest::of(b"network");
        let part = images.path(&digest).with_extension("part");
        fs::create_dir_all(&folder).unwrap();
        fs::write(&part, b"half").unwrap();
        assert!(images.keep(&digest, b"block").is_err());
        let long_ago = SystemTime::now() - 2 * UNFINISHED;
        let file = File::options().append(true).open(&part).unwrap();
        file.set_modified(long_ago).unwrap();
        images.keep(&digest, b"block").unwrap();
        assert!(images.find(&digest, 5).is_some() && !part.exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error_and_no_more() {
        let images = Images("/proc/none".into());
        assert!(images.keep(&Digest::of(b""), b"block").is_err());
    }
}
