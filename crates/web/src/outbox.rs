//! What is on its way to a page.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::live::Live;
use crate::messages::Reply;

/// Messages that may wait. A page that is so far behind has stopped reading.
const MOST_WAITING: usize = 512;

/// What is on its way to a page: answers, each of which arrives, and the state of an analysis, of which only
/// the latest matters.
#[derive(Debug, Default)]
pub struct Outbox {
    waiting: Mutex<Waiting>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    messages: VecDeque<String>,
    live: Option<Arc<Mutex<Live>>>,
    /// Whether something is new about the analysis.
    is_fresh: bool,
    /// Whether nothing has been told of the analysis yet.
    is_first: bool,
    /// Too much was waiting, or nobody writes any more.
    is_closed: bool,
}

impl Outbox {
    /// Sends an answer.
    pub fn send(&self, reply: &Reply) {
        let text = serde_json::to_string(reply).unwrap_or_default();
        let mut waiting = self.lock();
        if waiting.messages.len() >= MOST_WAITING {
            waiting.is_closed = true;
        } else {
            waiting.messages.push_back(text);
        }
        drop(waiting);
        self.news.notify_one();
    }

    /// From now on tells of that analysis, or of none.
    pub fn follow(&self, live: Option<Arc<Mutex<Live>>>) {
        let mut waiting = self.lock();
        waiting.live = live;
        waiting.is_fresh = false;
        waiting.is_first = true;
    }

    /// Something is new about the analysis.
    pub fn touch(&self) {
        self.lock().is_fresh = true;
        self.news.notify_one();
    }

    /// Nothing more is sent.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.news.notify_one();
    }

    /// Waits for something to send.
    pub async fn wait(&self) {
        self.news.notified().await;
    }

    /// The answers that wait; none if this was the last.
    pub fn take(&self) -> Option<VecDeque<String>> {
        let mut waiting = self.lock();
        let messages = std::mem::take(&mut waiting.messages);
        (!messages.is_empty() || !waiting.is_closed).then_some(messages)
    }

    /// Whether something is new about the analysis.
    pub fn has_fresh(&self) -> bool {
        self.lock().is_fresh
    }

    /// Whether there is something to tell of an analysis of which nothing has been told: that need not wait.
    pub fn is_urgent(&self) -> bool {
        let waiting = self.lock();
        waiting.is_fresh && waiting.is_first
    }

    /// What is new about the analysis.
    pub fn take_fresh(&self) -> Option<String> {
        let live = {
            let mut waiting = self.lock();
            let is_fresh = std::mem::take(&mut waiting.is_fresh);
            waiting.is_first &= !is_fresh;
            waiting.live.clone().filter(|_| is_fresh)?
        };
        let live = live.lock().unwrap_or_else(PoisonError::into_inner);
        Some(live.message())
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(message: &str) -> Reply {
        Reply::Notice { message: message.to_owned() }
    }

    #[test]
    fn answers_arrive_in_order_and_a_closed_box_is_emptied_first() {
        let outbox = Outbox::default();
        outbox.send(&notice("a"));
        outbox.send(&notice("b"));
        outbox.close();
        let texts = outbox.take().unwrap();
        assert!(texts[0].contains("\"a\"") && texts[1].contains("\"b\""));
        assert!(outbox.take().is_none());
    }

    #[test]
    fn who_does_not_read_is_given_up() {
        let outbox = Outbox::default();
        for _ in 0..=MOST_WAITING {
            outbox.send(&notice("x"));
        }
        assert_eq!(outbox.take().unwrap().len(), MOST_WAITING);
        assert!(outbox.take().is_none());
    }

    #[test]
    fn only_the_latest_of_an_analysis_is_told() {
        let outbox = Outbox::default();
        outbox.touch();
        assert!(outbox.take_fresh().is_none(), "there is no analysis");
        let live = Live::new(7, &tandem_chess::Position::startpos());
        outbox.follow(Some(Arc::new(Mutex::new(live))));
        assert!(outbox.take_fresh().is_none(), "nothing is new");
        outbox.touch();
        outbox.touch();
        assert!(outbox.is_urgent(), "the first word");
        assert!(outbox.take_fresh().unwrap().contains("\"id\":7"));
        assert!(!outbox.has_fresh());
        outbox.touch();
        assert!(outbox.has_fresh() && !outbox.is_urgent());
    }
}
