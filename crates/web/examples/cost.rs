//! What it costs the engine to keep a page informed: positions for each second of processor time, with a page that
//! hears ten updates a second and without. `cargo run --release -p tandem-web --example cost`
//!
//! The page's side of the conversation runs in the same process and counts, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use tandem_chess::{Game, Position};
use tandem_engine::{Engine, Event, Limits, Options};
use tandem_web::{Server, Settings, Token};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// How long each search takes.
const EACH: Duration = Duration::from_secs(5);
const ROUNDS: usize = 8;
const FEN: &str = "r1bqkb1r/1p3ppp/p1nppn2/6B1/3NP3/2N5/PPPQ1PPP/2KR1B1R w kq - 0 8";
const HASH: usize = 64;

fn main() {
    for mode in ["AlphaBeta", "MCTS", "Hybrid"] {
        let mut ratios: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let without = rate(|| alone(mode));
                let with = rate(|| informed(mode));
                with / without
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        let median = f64::midpoint(ratios[ROUNDS / 2 - 1], ratios[ROUNDS / 2]);
        println!(
            "{mode}: with a page {:.1} % of the speed without (median of {ROUNDS}, from {:.1} to {:.1})",
            100.0 * median,
            100.0 * ratios[0],
            100.0 * ratios[ROUNDS - 1],
        );
    }
}

/// Positions a second of processor time.
fn rate(search: impl FnOnce() -> u64) -> f64 {
    let before = processor_seconds();
    let nodes = search();
    nodes as f64 / (processor_seconds() - before)
}

/// What all threads of this process have used.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("this measures on Linux only");
    let words: Vec<&str> =
        stat.rsplit_once(')').expect("a name in brackets").1.split_whitespace().collect();
    let ticks = |place: usize| words[place].parse::<f64>().expect("a number");
    (ticks(11) + ticks(12)) / 100.0
}

fn alone(mode: &str) -> u64 {
    let mut engine = Engine::new();
    for (name, value) in
        [("Hash", "64"), ("SearchMode", mode), ("UCI_AnalyseMode", "true"), ("Backend", "cpu")]
    {
        engine.set_option(Options::find(name).expect("known"), value).expect("it fits");
    }
    engine.set_game(Game::new(FEN.parse::<Position>().expect("a position")));
    let nodes = Arc::new(AtomicU64::new(0));
    let seen = nodes.clone();
    engine.go(Limits { infinite: true, ..Limits::default() }, move |event| {
        if let Event::Progress(progress) = event {
            seen.store(progress.nodes, Ordering::Relaxed);
        }
        true
    });
    std::thread::sleep(EACH);
    engine.stop();
    nodes.load(Ordering::Relaxed)
}

fn informed(mode: &str) -> u64 {
    let settings = Settings {
        port: Some(0),
        sessions: 1,
        threads: 1,
        hash: HASH,
        options: vec![("Backend".to_owned(), "cpu".to_owned())],
    };
    let token = Token::random().expect("there is chance");
    let server = Server::bind(settings, token.clone()).expect("a free port");
    let port = server.port();
    let ends = Arc::new(AtomicBool::new(false));
    let signal = ends.clone();
    let thread = std::thread::spawn(move || server.run(|| signal.load(Ordering::Relaxed)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let nodes = runtime.expect("a runtime").block_on(listen(port, &token, mode));
    ends.store(true, Ordering::Relaxed);
    thread.join().expect("it ends").expect("it served");
    nodes
}

/// Hears an analysis, and answers with the positions that it had seen.
async fn listen(port: u16, token: &Token, mode: &str) -> u64 {
    let url = format!("ws://127.0.0.1:{port}/socket?token={token}");
    let mut request = url.into_client_request().expect("an address");
    let origin = format!("http://127.0.0.1:{port}");
    request.headers_mut().insert("origin", origin.parse().expect("a header"));
    let stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.expect("it listens");
    let (mut socket, _) = client_async(request, stream).await.expect("a session");
    let mode = mode.to_lowercase();
    let text = format!(
        r#"{{"type":"analyse","id":1,"game":{{"fen":"{FEN}"}},"mode":"{mode}","lines":1}}"#
    );
    socket.send(Message::text(text)).await.expect("it hears");
    let mut is_stopped = false;
    let start = Instant::now();
    loop {
        if !is_stopped && start.elapsed() >= EACH {
            is_stopped = true;
            socket.send(Message::text(r#"{"type":"stop","id":2}"#)).await.expect("it hears");
        }
        let Some(Ok(Message::Text(text))) = socket.next().await else { continue };
        let told: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        if told["type"] == "analysis" && told["running"] == false {
            return told["nodes"].as_u64().expect("a number");
        }
    }
}
