//! How settings differ from others, and which of a loop that has begun may.

use toml::{Table, Value};

use super::LoopConfig;

/// What decides how fast and how long a loop goes on, but not what comes of it.
const FREE: [&str; 4] =
    ["loop.generations", "loop.concurrency", "value.training.threads", "policy.training.threads"];

/// The first setting that is another one now and must not be: its key, and what it was and is.
pub fn change(before: &LoopConfig, now: &LoopConfig) -> Option<(String, String, String)> {
    let table = |config| Table::try_from(config).expect("settings have a form in TOML");
    find("", &table(before), &table(now))
}

/// The settings that are not the usual ones, as a file would have them.
pub fn said(config: &LoopConfig) -> String {
    let table =
        |config: &LoopConfig| Table::try_from(config).expect("settings have a form in TOML");
    toml::to_string(&unusual(&table(&LoopConfig::default()), table(config))).unwrap_or_default()
}

fn unusual(usual: &Table, all: Table) -> Table {
    let mut rest = Table::new();
    for (key, value) in all {
        let value = match (usual.get(&key), value) {
            (Some(Value::Table(usual)), Value::Table(inner)) => unusual(usual, inner).into(),
            (usual, value) if usual == Some(&value) => continue,
            (_, value) => value,
        };
        if value.as_table().is_none_or(|inner| !inner.is_empty()) {
            rest.insert(key, value);
        }
    }
    rest
}

fn find(path: &str, before: &Table, now: &Table) -> Option<(String, String, String)> {
    let keys = before.keys().chain(now.keys().filter(|key| !before.contains_key(*key)));
    for key in keys {
        let name = format!("{path}{key}");
        let found = match (before.get(key), now.get(key)) {
            (Some(Value::Table(before)), Some(Value::Table(now))) => {
                find(&format!("{name}."), before, now)
            }
            (before, now) if before == now || FREE.contains(&name.as_str()) => None,
            (before, now) => {
                let text = |value: Option<&Value>| value.map_or("nothing".into(), Value::to_string);
                Some((name, text(before), text(now)))
            }
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings as _;

    #[test]
    fn what_is_said_makes_the_same_settings_again() {
        assert_eq!(said(&LoopConfig::default()), "");
        let words = ["loop.seed=4", "policy.optimiser.beta1=0.8", "gate.book=/a.epd"];
        let config = LoopConfig::default().with(words).unwrap();
        let text = said(&config);
        assert_eq!(LoopConfig::parse(&text).unwrap(), config);
        assert!(text.lines().filter(|line| line.contains('=')).count() == 3, "{text}");
    }

    #[test]
    fn what_would_make_another_loop_is_named_by_its_key() {
        let before = LoopConfig::default();
        let now = |words: &[&str]| before.with(words.iter().copied()).unwrap();
        let free = ["loop.generations=9", "loop.concurrency=2", "value.training.threads=1"];
        assert_eq!(change(&before, &now(&free)), None);
        for (word, key, was) in [
            ("selfplay.games=9", "selfplay.games", "2000"),
            ("value.loss.power=2.0", "value.loss.power", "2.5"),
            ("policy.optimiser.beta1=0.8", "policy.optimiser.beta1", "0.9"),
            ("gate.book=/a.epd", "gate.book", "nothing"),
        ] {
            let (found, before, _) = change(&before, &now(&[word])).unwrap();
            assert_eq!((found.as_str(), before.as_str()), (key, was));
        }
        assert_eq!(change(&now(&["gate.book=/a.epd"]), &before).unwrap().0, "gate.book");
    }
}
