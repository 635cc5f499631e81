//! Why an opinion is not taken.

use std::fmt;

use crate::opinion::OptionId;

/// Why an opinion is not taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// It names options that there are none of.
    UnknownOptions(Vec<OptionId>),
    /// It is too unsure.
    LowConfidence {
        /// How sure it is.
        confidence: f64,
        /// How sure it must be.
        least: f64,
    },
    /// It answers without saying with which option.
    NoRecommendation,
    /// It answers with an option that is not grounded.
    UngroundedAnswer(OptionId),
    /// It answers with a method for one named thing, and nothing is named.
    NoNamedTarget(OptionId),
    /// It answers, and the question leaves open whether it is about one thing or about the whole.
    UnresolvedScope {
        /// The option for one thing.
        part: OptionId,
        /// The option for the whole.
        whole: OptionId,
    },
    /// It answers, and options that would do different things are left.
    SeveralViable(Vec<OptionId>),
    /// It answers with a viable option that the question itself takes out of the choice.
    RuledOut {
        /// The option.
        option: OptionId,
        /// The one that the question means.
        meant: OptionId,
    },
    /// It answers, and a value is missing that only the caller can give.
    MissingValue {
        /// The option.
        option: OptionId,
        /// The argument.
        argument: String,
    },
    /// It asks with too few or too many options, or without the one that it recommends.
    NoChoice {
        /// The options that it gives.
        given: usize,
        /// The most that it may give.
        most: usize,
    },
    /// It asks between options that would do the same.
    SameEffect(OptionId, OptionId),
    /// It asks although one option serves all that is asked.
    IgnoredComposite(OptionId),
    /// It asks between options that the question wants together.
    ComplementaryClauses,
    /// It sees nothing that fits although a method surely does.
    SurelyGrounded(OptionId),
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOptions(ids) => write!(formatter, "judge named unknown option ids: {}", listed(ids)),
            Self::LowConfidence { confidence, least } => {
                write!(formatter, "judge confidence {confidence:.2} is below {least:.2}")
            }
            Self::NoRecommendation => {
                formatter.write_str("judge returned answer without a valid recommended option")
            }
            Self::UngroundedAnswer(id) => {
                write!(formatter, "judge returned answer with an option that is not grounded: {id}")
            }
            Self::NoNamedTarget(id) => {
                write!(
                    formatter,
                    "judge selected a named-target method although the query names no target: {id}"
                )
            }
            Self::UnresolvedScope { part, whole } => write!(
                formatter,
                "judge ignored an unresolved whole-market vs single-outcome ambiguity: {whole}, {part}"
            ),
            Self::SeveralViable(ids) => {
                write!(
                    formatter,
                    "judge returned answer although several viable options differ: {}",
                    listed(ids)
                )
            }
            Self::RuledOut { option, meant } => {
                write!(formatter, "judge returned answer with {option} although the question means {meant}")
            }
            Self::MissingValue { option, argument } => {
                write!(formatter, "judge returned answer although `{argument}` of {option} has no value")
            }
            Self::NoChoice { given, most } => write!(
                formatter,
                "judge clarification needs 2-{most} valid option ids including the recommendation, not {given}"
            ),
            Self::SameEffect(one, other) => {
                write!(formatter, "judge clarification options are not materially distinct: {one}, {other}")
            }
            Self::IgnoredComposite(id) => {
                write!(formatter, "judge ignored a directly grounded composite interpretation: {id}")
            }
            Self::ComplementaryClauses => {
                formatter.write_str("judge treated complementary request clauses as ambiguity")
            }
            Self::SurelyGrounded(id) => {
                write!(formatter, "judge returned capability_miss although a method is surely grounded: {id}")
            }
        }
    }
}

fn listed(ids: &[OptionId]) -> String {
    let shown: Vec<String> =
        ids.iter().take(SHOWN_MAX).map(|id| id.0.chars().take(ID_CHARS_MAX).collect()).collect();
    shown.join(", ")
}

/// A judge may name anything: so much of it is shown.
const SHOWN_MAX: usize = 3;
const ID_CHARS_MAX: usize = 120;
