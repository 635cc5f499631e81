//! Charts and images that come with an answer; clients from 0.14.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A chart or an image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ComputedArtifact {
    /// A chart.
    Chart(Box<Chart>),
    /// An image. Clients from 0.14 to 0.18 refuse the whole result with this word.
    Image(Image),
}

/// A chart: what to draw, of what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chart {
    /// What to draw.
    pub spec: ChartSpec,
    /// The rows; each value is a string, a number or null.
    #[schema(value_type = Vec<Object>)]
    pub data: Vec<BTreeMap<String, Value>>,
    /// The heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// What a chart draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartSpec {
    /// The kind of chart.
    #[serde(rename = "type")]
    pub kind: ChartKind,
    /// The key of the horizontal values.
    pub x_key: String,
    /// What is drawn.
    pub series: Vec<ChartSeries>,
    /// The measures that the question asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub expected_measures: Vec<String>,
    /// The horizontal axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x_axis: Option<ChartAxis>,
    /// The left axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y_axis: Option<ChartAxis>,
    /// The right axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y_axis_right: Option<ChartAxis>,
    /// Whether to show a legend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legend: Option<bool>,
    /// Whether series stand on one another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stacked: Option<bool>,
    /// Whether a part can be picked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brush: Option<bool>,
    /// Lines to compare with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub reference_lines: Vec<ReferenceLine>,
    /// Areas to point out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub reference_areas: Vec<ReferenceArea>,
    /// The key of a heatmap's rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y_key: Option<String>,
    /// The key of a heatmap's values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_key: Option<String>,
    /// The keys of candlesticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ohlc: Option<OhlcKeys>,
}

/// The kind of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the names of charts")]
pub enum ChartKind {
    Line,
    Bar,
    Area,
    Scatter,
    Composed,
    Histogram,
    Heatmap,
    Candlestick,
}

/// One thing that a chart draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartSeries {
    /// The key of its values.
    pub key: String,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How it is drawn.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<SeriesKind>,
    /// The key of its errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_key: Option<String>,
    /// The axis that it is measured on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y_axis: Option<AxisSide>,
    /// The expected measure that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub satisfies: Option<String>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the names of charts")]
pub enum SeriesKind {
    Line,
    Bar,
    Area,
    Scatter,
}

/// The side that an axis stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AxisSide {
    /// On the left.
    Left,
    /// On the right.
    Right,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartAxis {
    /// What it measures.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<AxisKind>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How its values are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ValueFormat>,
    /// What a percentage is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_scale: Option<ValueScale>,
}

/// What an axis measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum AxisKind {
    Time,
    Category,
    Number,
}

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum ValueFormat {
    Number,
    Percent,
    Currency,
    Compact,
}

/// What a percentage is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueScale {
    /// 1 is the whole.
    Fraction,
    /// 100 is the whole.
    PercentPoints,
}

/// The keys of candlesticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OhlcKeys {
    /// The first price.
    pub open_key: String,
    /// The highest.
    pub high_key: String,
    /// The lowest.
    pub low_key: String,
    /// The last.
    pub close_key: String,
}

/// A line to compare with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReferenceLine {
    /// The axis that it crosses.
    pub axis: ReferenceAxis,
    /// Where: a string or a number.
    pub value: Value,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// An axis that a line crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceAxis {
    /// The horizontal one.
    X,
    /// The vertical one.
    Y,
}

/// An area to point out; strings or numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReferenceArea {
    /// Its left end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x1: Option<Value>,
    /// Its right end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x2: Option<Value>,
    /// Its lower end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y1: Option<Value>,
    /// Its upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y2: Option<Value>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// An image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// Its address.
    pub url: String,
    /// What is to be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// The heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// Its length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// In pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u64>,
    /// In pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u64>,
}
