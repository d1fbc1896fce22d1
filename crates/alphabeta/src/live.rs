//! Telling while it thinks what it knows of every move of the root.

use std::time::Duration;

use tandem_chess::Game;
use tandem_search::{
    Beat, Bound, Choice, Company, Control, Evaluate, Limits, Progress, Slate, Terms, Timer,
    accompany,
};

use crate::threads::AlphaBeta;

impl<E: Evaluate> AlphaBeta<E> {
    /// Searches as ever, and has its best line told in every such time with what is known of all moves,
    /// also while there is nothing else to report.
    pub fn search_live(
        &mut self,
        every: Duration,
        game: &Game,
        limits: &Limits,
        (timer, control): (&Timer<'_>, &Control),
        observer: &mut dyn FnMut(&Progress),
    ) -> Choice {
        // Nothing is exchanged by way of this slate: there is nobody else.
        let slate = Slate::new(game.position().legal_moves(), Terms::default());
        let company = Company { slate: Some(&slate), ..Company::default() };
        let mut live = Live { slate: &slate, timer, best: None };
        let choice = accompany(
            every,
            |news| {
                let mut tell = |progress: &Progress| {
                    // Whoever hears stays to the end.
                    let _ = news.send(progress.clone());
                };
                self.search_in(company, game, limits, (timer, control), &mut tell).choice
            },
            |beat| live.hear(beat, observer),
        );
        live.conclude(observer);
        choice
    }
}

/// What is told between the search's own reports.
struct Live<'a> {
    slate: &'a Slate,
    timer: &'a Timer<'a>,
    /// What was said last of the best line.
    best: Option<Progress>,
}

impl Live<'_> {
    fn hear(&mut self, beat: Beat<Progress>, observer: &mut dyn FnMut(&Progress)) {
        match beat {
            Beat::News(progress) => {
                let is_best = progress.line == 1 && progress.bound == Bound::Exact;
                let is_first = is_best && self.best.is_none();
                // What is known first is told at once.
                let judged = if is_first { self.slate.judged() } else { Vec::new() };
                let told = Progress { judged, ..progress };
                observer(&told);
                if is_best {
                    self.best = Some(told);
                }
            }
            Beat::Pulse => {
                let Some(best) = &self.best else { return };
                observer(&Progress {
                    nodes: best.nodes.max(self.slate.nodes()),
                    time: self.timer.start.elapsed(),
                    judged: self.slate.judged(),
                    ..best.clone()
                });
            }
        }
    }

    /// The last word tells of all moves.
    fn conclude(self, observer: &mut dyn FnMut(&Progress)) {
        if let Some(best) = self.best {
            observer(&Progress { judged: self.slate.judged(), ..best });
        }
    }
}
