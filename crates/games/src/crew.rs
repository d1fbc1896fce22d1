//! Workers that play numbered games side by side.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

/// What came of a game.
enum News<R, E> {
    Game(R),
    /// It was not finished.
    Unfinished,
    /// The work cannot go on.
    Trouble(E),
}

/// How the work ended.
pub struct Close<E> {
    /// Games that were begun and not finished.
    pub unfinished: u64,
    /// What ended it before its time.
    pub trouble: Option<E>,
}

/// Has that many workers play the games of those numbers, until `stop`. `hire` makes a worker, which plays
/// the game of a number, or answers with nothing if it was stopped. One thread keeps the games; `keep`
/// answers whether more are wanted.
pub fn play<R, E, W>(
    numbers: Vec<u64>,
    workers: usize,
    stop: &AtomicBool,
    hire: impl Fn() -> W + Sync,
    mut keep: impl FnMut(R) -> Result<bool, E>,
) -> Close<E>
where
    R: Send,
    E: Send,
    W: FnMut(u64) -> Result<Option<R>, E>,
{
    let open = Mutex::new(numbers.into_iter());
    let halt = AtomicBool::new(false);
    let work = |news: &mpsc::Sender<News<R, E>>| {
        let mut play = hire();
        while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            let next = open.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(number) = next else { return };
            let item = match play(number) {
                Ok(Some(game)) => News::Game(game),
                Ok(None) => News::Unfinished,
                Err(trouble) => News::Trouble(trouble),
            };
            let goes_on = matches!(item, News::Game(_));
            if news.send(item).is_err() || !goes_on {
                return;
            }
        }
    };
    let mut close = Close { unfinished: 0, trouble: None };
    std::thread::scope(|scope| {
        let (sender, news) = mpsc::channel();
        for _ in 0..workers.max(1) {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move || work(&sender));
        }
        drop(sender);
        for item in news {
            let wanted = match item {
                News::Game(game) => keep(game),
                News::Unfinished => {
                    close.unfinished += 1;
                    Ok(true)
                }
                News::Trouble(trouble) => Err(trouble),
            };
            if !matches!(wanted, Ok(true)) {
                halt.store(true, Ordering::Relaxed);
            }
            if let Err(trouble) = wanted {
                close.trouble.get_or_insert(trouble);
            }
        }
    });
    close
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(
        stop: &AtomicBool,
        play: impl Fn(u64) -> Result<Option<u64>, &'static str> + Sync,
        mut keep: impl FnMut(u64) -> Result<bool, &'static str>,
    ) -> (Vec<u64>, Close<&'static str>) {
        let mut kept = Vec::new();
        let close = super::play(
            (0..20).collect(),
            3,
            stop,
            || &play,
            |number| {
                kept.push(number);
                keep(number)
            },
        );
        kept.sort_unstable();
        (kept, close)
    }

    #[test]
    fn every_game_is_played_once() {
        let (kept, close) = run(&AtomicBool::new(false), |n| Ok(Some(n)), |_| Ok(true));
        assert!(kept.into_iter().eq(0..20));
        assert_eq!((close.unfinished, close.trouble), (0, None));
    }

    #[test]
    fn who_wants_no_more_and_who_cannot_go_on_ends_it() {
        let slow = |number| {
            std::thread::sleep(std::time::Duration::from_millis(2));
            Ok(Some(number))
        };
        let stop = AtomicBool::new(false);
        let (kept, close) = run(&stop, slow, |_| Ok(false));
        assert!(kept.len() < 20 && close.trouble.is_none());
        let (kept, close) = run(&stop, slow, |_| Err("full"));
        assert!(kept.len() < 20);
        assert_eq!(close.trouble, Some("full"));
        let (kept, close) =
            run(&stop, |n| if n == 3 { Err("gone") } else { slow(n) }, |_| Ok(true));
        assert!(!kept.contains(&3));
        assert_eq!(close.trouble, Some("gone"));
    }

    #[test]
    fn what_is_stopped_is_unfinished() {
        let stop = AtomicBool::new(false);
        let play = |number| {
            stop.store(true, Ordering::Relaxed);
            Ok((number < 2).then_some(number))
        };
        let (kept, close) = run(&stop, play, |_| Ok(true));
        assert!(kept.len() <= 2 && close.unfinished <= 1);
    }
}
