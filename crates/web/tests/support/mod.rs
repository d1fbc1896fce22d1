//! A real server, and a client that is as rude as the test wants it.
#![allow(dead_code, reason = "each test needs a part of it")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tandem_web::{Server, Settings, Token};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server on a port of its own.
pub struct Running {
    pub port: u16,
    pub token: Token,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    runtime: Runtime,
}

impl Running {
    pub fn new(sessions: usize) -> Self {
        let settings = Settings {
            port: Some(0),
            sessions,
            threads: 1,
            hash: 2,
            options: vec![("Backend".to_owned(), "cpu".to_owned())],
        };
        let token = Token::random().unwrap();
        let server = Server::bind(settings, token.clone()).unwrap();
        let port = server.port();
        let ends = Arc::new(AtomicBool::new(false));
        let signal = ends.clone();
        let thread =
            std::thread::spawn(move || server.run(|| signal.load(Ordering::Relaxed)).unwrap());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { port, token, ends, thread: Some(thread), runtime }
    }

    /// The header of our own page.
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Opens a websocket with these words for origin and token; the status of the answer if it is refused.
    pub fn connect_as(&self, origin: Option<&str>, token: &str) -> Result<Client<'_>, u16> {
        let url = format!("ws://127.0.0.1:{}/socket?token={token}", self.port);
        let mut request = url.into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        let opened = self.runtime.block_on(async {
            let stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
            client_async(request, stream).await
        });
        match opened {
            Ok((socket, _)) => Ok(Client { running: self, socket }),
            Err(Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    /// Opens a session as our own page does, and hears the first words.
    pub fn connect(&self) -> Client<'_> {
        let mut client = self.connect_as(Some(&self.origin()), &self.token.to_string()).unwrap();
        assert_eq!(client.hear_of("hello")["most_lines"], 8);
        client
    }

    /// Sends bytes and answers with everything that comes back until the server closes.
    pub fn raw(&self, request: &str) -> String {
        String::from_utf8_lossy(&self.raw_bytes(request)).into_owned()
    }

    /// The same as it comes.
    pub fn raw_bytes(&self, request: &str) -> Vec<u8> {
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }

    /// Ends the server and waits for that.
    pub fn end(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.end();
        }
    }
}

/// The other side of a websocket.
pub struct Client<'a> {
    running: &'a Running,
    socket: WebSocketStream<TcpStream>,
}

impl Client<'_> {
    pub fn send(&mut self, text: &str) {
        self.send_message(Message::text(text));
    }

    pub fn send_message(&mut self, message: Message) {
        // A server that has had enough no longer listens.
        let _ = self.running.runtime.block_on(self.socket.send(message));
    }

    /// The next message; none once the server has closed.
    pub fn hear(&mut self) -> Option<serde_json::Value> {
        loop {
            let next = async { tokio::time::timeout(PATIENCE, self.socket.next()).await };
            match self.running.runtime.block_on(next).expect("the server answers in time") {
                Some(Ok(Message::Text(text))) => {
                    return Some(serde_json::from_str(&text).expect("answers are JSON"));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next message of a kind.
    pub fn hear_of(&mut self, kind: &str) -> serde_json::Value {
        loop {
            let message = self.hear().unwrap_or_else(|| panic!("closed before '{kind}'"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Sends a message and answers with the sentence that refuses it.
    pub fn refusal(&mut self, text: &str) -> String {
        self.send(text);
        self.hear_of("error")["message"].as_str().unwrap().to_owned()
    }
}
