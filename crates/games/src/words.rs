//! Settings written as one line: `key=value` words, with quotes around what holds spaces.

use thiserror::Error;

/// Why a line of settings cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WordsError {
    /// A quote that nobody closes.
    #[error("a quote is not closed in '{0}'")]
    OpenQuote(String),
    /// A word without an equals sign.
    #[error("'{0}' is no setting: expected key=value")]
    NoValue(String),
}

/// Splits a line into its settings. Either kind of quote keeps spaces together, anywhere in a word:
/// `"option.Move Overhead=20"` and `option."Move Overhead"=20` say the same.
///
/// # Errors
/// A quote is not closed or a word is no `key=value`.
pub fn settings(line: &str) -> Result<Vec<(String, String)>, WordsError> {
    words(line)?
        .into_iter()
        .map(|word| match word.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
            _ => Err(WordsError::NoValue(word)),
        })
        .collect()
}

/// Splits a line into words at its spaces, as a shell does.
///
/// # Errors
/// A quote is not closed.
pub fn words(line: &str) -> Result<Vec<String>, WordsError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match quote {
            Some(open) if open == letter => quote = None,
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err(WordsError::OpenQuote(line.to_owned()));
    }
    words.extend(word);
    Ok(words)
}

/// A word as [`words`] and a shell read it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.,:/=+%@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let quote = if word.contains('\'') { '"' } else { '\'' };
    format!("{quote}{word}{quote}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_spaces_together() {
        let line = r#"cmd="my engine" 'option.Move Overhead=20' option."Clear Hash"= name=its' '"#;
        let expected = [
            ("cmd", "my engine"),
            ("option.Move Overhead", "20"),
            ("option.Clear Hash", ""),
            ("name", "its "),
        ];
        let found = settings(line).unwrap();
        assert!(found.iter().map(|(k, v)| (k.as_str(), v.as_str())).eq(expected));
    }

    #[test]
    fn what_is_no_setting_is_named() {
        assert_eq!(settings("name=a stray"), Err(WordsError::NoValue("stray".to_owned())));
        assert_eq!(settings("=a"), Err(WordsError::NoValue("=a".to_owned())));
        assert!(settings("name='a").unwrap_err().to_string().contains("not closed"));
    }
}
