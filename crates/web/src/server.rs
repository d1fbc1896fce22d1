//! The server: who gets what.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{RawQuery, Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};

use crate::listener::Limited;
use crate::messages::LONGEST;
use crate::token::Token;
use crate::{assets, guard, socket};

/// Connections at a time: a page needs a handful while it loads.
const MOST_CONNECTIONS: usize = 64;
/// How many ports are tried from the usual one on.
const PORTS_TRIED: u16 = 20;
/// Messages beyond this are not even read to be refused.
const LARGEST_FRAME: usize = 4 * LONGEST;
/// How long open pages have to hear that the server ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// How the server serves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The port; the usual one or the next that is free if none.
    pub port: Option<u16>,
    /// Pages at a time, each with an engine of its own.
    pub sessions: usize,
    /// Threads of a search.
    pub threads: usize,
    /// MiB of a search.
    pub hash: usize,
    /// Options of the engines, names and values.
    pub options: Vec<(String, String)>,
}

/// The usual port.
pub const PORT: u16 = 8080;

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The port is taken, or not allowed.
    #[error("port {0} cannot be used ({1}); choose another with --port")]
    Port(u16, io::Error),
    /// The system gives no threads.
    #[error("the server cannot run ({0})")]
    Runtime(io::Error),
}

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    port: u16,
    token: Token,
    settings: Settings,
}

/// What all requests share.
struct Shared {
    port: u16,
    token: Token,
    settings: Arc<Settings>,
    places: Arc<Semaphore>,
    leave: watch::Receiver<bool>,
    policy: HeaderValue,
}

impl Shared {
    /// Whether the words behind the address hold the token.
    fn knows(&self, query: Option<&str>) -> bool {
        let mut words = query.unwrap_or_default().split('&');
        words.any(|word| word.strip_prefix("token=").is_some_and(|given| self.token.is(given)))
    }
}

impl Server {
    /// Listens on the loopback interface. Only who knows the token gets a session.
    ///
    /// # Errors
    /// The port is taken, or no port is free.
    pub fn bind(settings: Settings, token: Token) -> Result<Self, ServeError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("page")
            .enable_io()
            .enable_time()
            .build()
            .map_err(ServeError::Runtime)?;
        let ports = settings.port.map_or(PORT..=PORT + PORTS_TRIED, |port| port..=port);
        let mut failure = None;
        for port in ports {
            match runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port))) {
                Ok(listener) => {
                    let port = listener.local_addr().map_err(ServeError::Runtime)?.port();
                    return Ok(Self { runtime, listener, port, token, settings });
                }
                Err(error) => failure = Some(ServeError::Port(port, error)),
            }
        }
        Err(failure.unwrap_or_else(|| ServeError::Runtime(io::ErrorKind::AddrInUse.into())))
    }

    /// The port it listens on.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The address that opens the page. The token stands behind the mark that browsers keep to themselves.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }

    /// Serves until `ends` says so, and then tells all pages.
    ///
    /// # Errors
    /// The system does not let it serve.
    pub fn run(self, ends: impl Fn() -> bool) -> Result<(), ServeError> {
        let (leave, leaving) = watch::channel(false);
        let policy = policy(self.port);
        let shared = Arc::new(Shared {
            port: self.port,
            token: self.token,
            places: Arc::new(Semaphore::new(self.settings.sessions)),
            settings: Arc::new(self.settings),
            leave: leaving,
            policy,
        });
        let places = shared.places.clone();
        let all = u32::try_from(shared.settings.sessions).unwrap_or(u32::MAX);
        let router = router(shared);
        let listener = Limited::new(self.listener, MOST_CONNECTIONS);
        let outcome = self.runtime.block_on(async {
            let mut leaving = leave.subscribe();
            let server = axum::serve(listener, router).with_graceful_shutdown(async move {
                let _ = leaving.wait_for(|leaves| *leaves).await;
            });
            let server = tokio::spawn(server.into_future());
            while !ends() && !server.is_finished() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let _ = leave.send(true);
            // All places free again means that all pages have been told.
            let _ = tokio::time::timeout(FAREWELL, places.acquire_many(all)).await;
            match tokio::time::timeout(FAREWELL, server).await {
                Ok(Ok(Err(error))) => Err(ServeError::Runtime(error)),
                _ => Ok(()),
            }
        });
        self.runtime.shutdown_timeout(FAREWELL);
        outcome
    }
}

fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new().route("/socket", get(connect)).route("/known", get(tell_known));
    for path in assets::paths() {
        let answer = move |headers: HeaderMap| async move {
            assets::answer(path, &headers).unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
        };
        router = router.route(path, get(answer));
    }
    let guarded = middleware::from_fn_with_state(shared.clone(), watch_over);
    router
        .fallback(|| async { refuse(StatusCode::NOT_FOUND, "there is nothing here") })
        .layer(guarded)
        .with_state(shared)
}

/// The one style that the board writes into the page instead of a style sheet (`color-scheme:light only`), by its
/// hash.
const BOARD_STYLE_HASH: &str = "sha256-SyXRxMCl6H7Kgy9uTmu1UZqVBsRmMBF4sHRiTO3FQc0=";

/// The page may run what lies in the program and talk to this server, and nothing else.
fn policy(port: u16) -> HeaderValue {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-hashes' '{BOARD_STYLE_HASH}'; img-src 'self' data:; \
         connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy)
        .unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
}

/// Refuses requests that are not for us, and has browsers keep to the rules with every answer.
async fn watch_over(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = if guard::is_for_us(request.headers(), shared.port) {
        next.run(request).await
    } else {
        refuse(StatusCode::FORBIDDEN, "this server answers only for 127.0.0.1 and localhost")
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, shared.policy.clone());
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

fn refuse(status: StatusCode, sentence: &'static str) -> Response {
    (status, format!("{sentence}\n")).into_response()
}

/// Tells a page that got no session whether that was for its token.
async fn tell_known(State(shared): State<Arc<Shared>>, RawQuery(query): RawQuery) -> Response {
    if shared.knows(query.as_deref()) {
        return StatusCode::NO_CONTENT.into_response();
    }
    refuse(StatusCode::FORBIDDEN, "the token is not that of this server")
}

/// Opens a session for a page of ours that knows the token.
async fn connect(
    State(shared): State<Arc<Shared>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !guard::is_from_us(&headers, shared.port) {
        return refuse(StatusCode::FORBIDDEN, "only this server's own page may connect");
    }
    if !shared.knows(query.as_deref()) {
        return refuse(StatusCode::FORBIDDEN, "the token is not that of this server");
    }
    let place = shared.places.clone().try_acquire_owned();
    let (settings, leave) = (shared.settings.clone(), shared.leave.clone());
    upgrade.max_message_size(LARGEST_FRAME).max_frame_size(LARGEST_FRAME).on_upgrade(
        move |socket| async move {
            match place {
                Ok(_place) => socket::serve(socket, settings, leave).await,
                Err(_) => socket::turn_away(socket).await,
            }
        },
    )
}
