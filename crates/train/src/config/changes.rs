//! Single settings changed by words such as `training.batch=4096`.

use toml::{Table, Value};

use super::{ConfigError, Settings};

/// Settings with some changed by words.
pub(super) fn change<'a, S: Settings>(
    settings: &S,
    words: impl IntoIterator<Item = &'a str>,
) -> Result<S, ConfigError> {
    let mut table = Table::try_from(settings).expect("settings have a form in TOML");
    for change in words {
        let wrong = || ConfigError::Change { change: change.to_owned() };
        let (key, value) = change.split_once('=').ok_or_else(wrong)?;
        let mut parts: Vec<&str> = key.split('.').map(str::trim).collect();
        let last = parts.pop().ok_or_else(wrong)?;
        let mut place = &mut table;
        for part in parts {
            let inner = place.entry(part).or_insert_with(|| Table::new().into());
            place = inner.as_table_mut().ok_or_else(wrong)?;
        }
        place.insert(last.to_owned(), parse(value.trim()));
    }
    Ok(table.try_into().map_err(Box::new)?)
}

/// A value of TOML, or else a text.
fn parse(text: &str) -> Value {
    let read: Option<Table> = toml::from_str(&format!("value = {text}")).ok();
    let value = read.and_then(|mut table| table.remove("value").filter(|_| table.is_empty()));
    value.unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn words_change_what_they_name_and_nothing_else() {
        let words =
            ["model.l1=256", "loss.lambda.end=0.7", "gate.tc=8+0.08", "data.train=[\"/a\"]"];
        let config = Config::default().with(words).unwrap();
        let mut expected = Config::default();
        expected.model.l1 = 256;
        expected.loss.lambda.end = 0.7;
        expected.gate.tc = Some("8+0.08".parse().unwrap());
        expected.data.train = vec!["/a".into()];
        assert_eq!(config, expected);
    }

    #[test]
    fn paths_are_relative_to_the_current_folder() {
        let config = Config::default().with(["gate.promote_to=best.nnue", "gate.against=none"]);
        let gate = config.unwrap().gate;
        assert_eq!(gate.promote_to, Some(std::env::current_dir().unwrap().join("best.nnue")));
        assert_eq!(gate.against, Some("none".into()));
    }

    #[test]
    fn words_that_change_nothing_are_refused() {
        for (change, word) in [
            ("l1", "`l1`"),
            ("model.l2=3", "l2"),
            ("models.l1=3", "models"),
            ("model.l1.x=3", "model.l1.x"),
            ("model.l1=wide", "wide"),
            ("model.l1=100", "multiple of 128"),
            ("gate.elo1=-3", "elo0"),
        ] {
            let error = Config::default().with([change]).unwrap_err().to_string();
            assert!(error.contains(word), "{change}: {error}");
        }
    }
}
