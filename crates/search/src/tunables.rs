//! How a search declares its numbers: each once, with its range.

use std::fmt::Write as _;

/// One declared number.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name, also of the option.
    pub name: &'static str,
    /// The value in ordinary builds.
    pub default: i32,
    /// The smallest value worth trying.
    pub min: i32,
    /// The largest value worth trying.
    pub max: i32,
}

/// Declares the numbers of a search, in a module of their own.
///
/// Each becomes a function of its name. Beside them there are `ALL`, the declarations, and
/// `spsa_rows`, the same in the form that `OpenBench` reads. Ordinary builds have constants; where
/// the crate that declares them has the feature `tune`, its function `set` changes them.
///
/// ```
/// mod tunables {
///     tandem_search::tunables! {
///         /// How wide the window opens.
///         width = 12 in 5..40;
///     }
/// }
///
/// assert_eq!(tunables::width(), 12);
/// assert_eq!(tunables::ALL[0].max, 40);
/// ```
#[macro_export]
macro_rules! tunables {
    ($($(#[$about:meta])* $name:ident = $default:literal in $min:literal..$max:literal;)*) => {
        $(
            $(#[$about])*
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub const fn $name() -> i32 {
                $default
            }

            $(#[$about])*
            #[cfg(feature = "tune")]
            #[inline]
            pub fn $name() -> i32 {
                values::$name.load(::std::sync::atomic::Ordering::Relaxed)
            }
        )*

        /// Every tunable, in the order of declaration.
        pub const ALL: &[$crate::Tunable] = &[$(
            $crate::Tunable {
                name: stringify!($name), default: $default, min: $min, max: $max
            },
        )*];

        /// The declarations as lines `name, int, default, min, max, step, rate`.
        #[must_use]
        pub fn spsa_rows() -> String {
            $crate::spsa_rows(ALL)
        }

        #[cfg(feature = "tune")]
        mod values {
            #![allow(non_upper_case_globals, reason = "named after their declarations")]
            $(pub static $name: ::std::sync::atomic::AtomicI32 =
                ::std::sync::atomic::AtomicI32::new($default);)*
        }

        /// Sets a number by its name, clamped to its range. Answers whether there is one.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) => values::$name.store(
                    value.clamp($min, $max), ::std::sync::atomic::Ordering::Relaxed),)*
                _ => return false,
            }
            true
        }
    };
}

/// Declarations as lines `name, int, default, min, max, step, rate`, as `OpenBench` reads them.
#[must_use]
pub fn spsa_rows(tunables: &[Tunable]) -> String {
    let mut rows = String::new();
    for t in tunables {
        let step = f64::from(t.max - t.min) / 20.0;
        let _ = writeln!(
            rows,
            "{}, int, {}, {}, {}, {step:.2}, 0.002",
            t.name, t.default, t.min, t.max
        );
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_holds_the_declaration_and_a_twentieth_of_the_range() {
        let width = Tunable { name: "width", default: 12, min: 5, max: 40 };
        assert_eq!(spsa_rows(&[width, width]), "width, int, 12, 5, 40, 1.75, 0.002\n".repeat(2));
    }
}
