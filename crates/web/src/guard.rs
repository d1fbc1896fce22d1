//! Who may ask: only pages of this very server.
//!
//! Any page that somebody has open can send requests to this machine. The browser says for which host it
//! believes to ask, and on a websocket from which page; both have to be us. Otherwise a foreign page could ask
//! under a name of its own that leads here (DNS rebinding).

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName};

/// The names of this machine for itself.
const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];

/// Whether the request is for us: `Host` is this machine, at our port.
#[must_use]
pub fn is_for_us(headers: &HeaderMap, port: u16) -> bool {
    only(headers, HOST).is_some_and(|host| is_ours(host, port))
}

/// Whether the request comes from a page of ours. Where nothing is said it does not: browsers always say it.
#[must_use]
pub fn is_from_us(headers: &HeaderMap, port: u16) -> bool {
    only(headers, ORIGIN)
        .and_then(|origin| origin.strip_prefix("http://"))
        .is_some_and(|host| is_ours(host, port))
}

/// A header that must not be there twice.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn is_ours(host: &str, port: u16) -> bool {
    let (name, at) = host.rsplit_once(':').unwrap_or((host, "80"));
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)) && at == port.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &HeaderName, values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn hosts_are_this_machine_at_our_port() {
        for host in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080"] {
            assert!(is_for_us(&with(&HOST, &[host]), 8080), "{host}");
        }
        assert!(is_for_us(&with(&HOST, &["localhost"]), 80));
        for host in [
            "",
            "localhost",
            "127.0.0.1:8081",
            "127.0.0.1:08080",
            "evil.example:8080",
            "127.0.0.1.evil.example:8080",
            "localhost.:8080",
            "[::1]:8080",
            "localhost:8080:8080",
        ] {
            assert!(!is_for_us(&with(&HOST, &[host]), 8080), "{host}");
        }
        assert!(!is_for_us(&HeaderMap::new(), 8080));
        assert!(!is_for_us(&with(&HOST, &["localhost:8080", "localhost:8080"]), 8080), "two hosts");
    }

    #[test]
    fn origins_are_pages_of_ours() {
        for origin in ["http://127.0.0.1:8080", "http://localhost:8080"] {
            assert!(is_from_us(&with(&ORIGIN, &[origin]), 8080), "{origin}");
        }
        for origin in [
            "null",
            "http://localhost",
            "https://localhost:8080",
            "http://evil.example",
            "http://localhost:8080.evil.example",
            "http://localhost:8080/",
            "file://",
        ] {
            assert!(!is_from_us(&with(&ORIGIN, &[origin]), 8080), "{origin}");
        }
        assert!(!is_from_us(&HeaderMap::new(), 8080));
    }
}
