//! The page, as it lies in the program.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::OnceLock;

use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, VARY,
};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Path, kind and bytes of every file. `scripts/page` builds them from `crates/web/ui`.
const FILES: [(&str, &str, &[u8]); 5] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../assets/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_bytes!("../assets/app.js")),
    ("/app.css", "text/css; charset=utf-8", include_bytes!("../assets/app.css")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../assets/icon.svg")),
    ("/licences.txt", "text/plain; charset=utf-8", include_bytes!("../assets/licences.txt")),
];

/// The paths of all files.
pub fn paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.0)
}

/// The files as browsers get them, compressed once.
fn compressed() -> &'static HashMap<&'static str, Vec<u8>> {
    static COMPRESSED: OnceLock<HashMap<&'static str, Vec<u8>>> = OnceLock::new();
    COMPRESSED.get_or_init(|| FILES.iter().map(|&(path, _, bytes)| (path, gzip(bytes))).collect())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail; if it did, a browser would say that the page is damaged.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// The file at a path, compressed for whoever understands that.
pub fn answer(path: &str, headers: &HeaderMap) -> Option<Response> {
    let &(path, kind, bytes) = FILES.iter().find(|file| file.0 == path)?;
    let takes_gzip = headers
        .get(ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.split(',').any(|coding| coding.trim() == "gzip"));
    let common = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache"), (VARY, "accept-encoding")];
    Some(if takes_gzip {
        let bytes = compressed().get(path).map_or(&[][..], Vec::as_slice);
        (common, [(CONTENT_ENCODING, "gzip")], bytes).into_response()
    } else {
        (common, bytes).into_response()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the whole page may weigh on its way to the browser.
    const MOST_BYTES: usize = 500_000;

    #[test]
    fn the_page_is_light() {
        let weight: usize = compressed().values().map(Vec::len).sum();
        assert!(weight > 10_000 && weight < MOST_BYTES, "{weight} bytes");
    }

    #[test]
    fn the_page_asks_for_nothing_from_elsewhere() {
        let (_, _, page) = FILES[0];
        let page = std::str::from_utf8(page).unwrap();
        assert!(!page.contains("http:") && !page.contains("https:"), "{page}");
        for file in ["app.js", "app.css", "icon.svg"] {
            assert!(page.contains(file), "{file} is not in the page");
        }
        // The policy for content forbids both.
        assert!(!page.contains("<style") && !page.contains(" style="));
        assert!(!page.contains("<script>"));
    }
}
