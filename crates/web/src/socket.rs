//! One websocket: what comes in goes to the session if it may, and what the session says goes out.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::watch;
use tokio::time::{Duration, sleep, sleep_until};

use crate::messages::{LONGEST, Reply, Request};
use crate::outbox::Outbox;
use crate::rate::{Rate, Ruling, SILENCE};
use crate::server::Settings;
use crate::session::{self, Command};

/// How often, at the most, a page is told how an analysis stands.
const UPDATE: Duration = Duration::from_millis(100);
/// How long a message may take to get away.
const SLOW: Duration = Duration::from_secs(20);

/// Why a conversation ends.
enum End {
    /// The page has gone.
    Gone,
    /// We end it, for that reason.
    Closed(u16, &'static str),
}

/// Ends a conversation for which there is no room.
pub async fn turn_away(mut socket: WebSocket) {
    farewell(&mut socket, close_code::AGAIN, "too many pages are open").await;
}

async fn farewell(socket: &mut WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code, reason: reason.into() };
    let _ = tokio::time::timeout(SLOW, socket.send(Message::Close(Some(frame)))).await;
}

/// Serves a page until it goes, or the server does.
pub async fn serve(
    mut socket: WebSocket,
    settings: Arc<Settings>,
    mut leave: watch::Receiver<bool>,
) {
    let outbox = Arc::new(Outbox::default());
    let session = session::start(&settings, outbox.clone());
    let end = converse(&mut socket, &outbox, &session, &mut leave).await;
    let _ = session.send(Command::Quit);
    if let End::Closed(code, reason) = end {
        farewell(&mut socket, code, reason).await;
    }
}

async fn converse(
    socket: &mut WebSocket,
    outbox: &Outbox,
    session: &Sender<Command>,
    leave: &mut watch::Receiver<bool>,
) -> End {
    let mut rate = Rate::new(Instant::now());
    let mut heard = Instant::now();
    let mut told = tokio::time::Instant::now() - UPDATE;
    let mut is_asked = false;
    loop {
        let is_due = outbox.has_fresh();
        tokio::select! {
            message = socket.recv() => {
                (heard, is_asked) = (Instant::now(), false);
                if let Err(end) = take_in(message, &mut rate, outbox, session) {
                    return end;
                }
            }
            () = outbox.wait() => {}
            () = sleep_until(told + UPDATE), if is_due => {}
            () = sleep(SILENCE[0]) => {
                if heard.elapsed() > SILENCE[1] {
                    return End::Closed(close_code::AWAY, "nobody is there");
                }
            }
            // An error means that the server has gone.
            _ = leave.wait_for(|leaves| *leaves) => {
                return End::Closed(close_code::RESTART, "the server ends");
            }
        }
        if heard.elapsed() > SILENCE[0] && !is_asked {
            is_asked = true;
            if let Err(end) = send(socket, Message::Ping(axum::body::Bytes::new())).await {
                return end;
            }
        }
        let Some(messages) = outbox.take() else {
            return End::Closed(close_code::ERROR, "the session has ended");
        };
        for text in messages {
            if let Err(end) = send(socket, Message::text(text)).await {
                return end;
            }
        }
        if (told.elapsed() >= UPDATE || outbox.is_urgent())
            && let Some(text) = outbox.take_fresh()
        {
            told = tokio::time::Instant::now();
            if let Err(end) = send(socket, Message::text(text)).await {
                return end;
            }
        }
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), End> {
    match tokio::time::timeout(SLOW, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}

/// Passes a message on to the session, or says what is wrong with it.
fn take_in(
    message: Option<Result<Message, axum::Error>>,
    rate: &mut Rate,
    outbox: &Outbox,
    session: &Sender<Command>,
) -> Result<(), End> {
    let text = match message {
        None | Some(Err(_) | Ok(Message::Close(_))) => return Err(End::Gone),
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
        Some(Ok(Message::Text(text))) => Some(Ok(text)),
        Some(Ok(Message::Binary(_))) => Some(Err("this is no text".to_owned())),
    };
    let refuse = |message: String| outbox.send(&Reply::Error { id: None, message });
    match rate.ask(Instant::now()) {
        Ruling::Heard => {}
        Ruling::Refused => {
            refuse("too many requests: wait a little".to_owned());
            return Ok(());
        }
        Ruling::Ignored => return Ok(()),
        Ruling::Hopeless => return Err(End::Closed(close_code::POLICY, "too many requests")),
    }
    let request = match text {
        None => return Ok(()),
        Some(Ok(text)) if text.len() > LONGEST => {
            Err(format!("the message has {} bytes; expected at most {LONGEST}", text.len()))
        }
        Some(Ok(text)) => Request::parse(&text).map_err(|error| error.to_string()),
        Some(Err(message)) => Err(message),
    };
    match request {
        Ok(request) => session
            .send(Command::Request(request))
            .map_err(|_| End::Closed(close_code::ERROR, "the session has ended")),
        Err(message) => {
            refuse(message);
            Ok(())
        }
    }
}
