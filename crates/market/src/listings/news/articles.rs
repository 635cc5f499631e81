//! One article, the sources, and how the wire feels about a topic.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wire::{self, SOURCES, Topic};
use crate::method::Method;
use crate::moment::Moment;
use crate::refusal::Refusal;
use crate::source::rounded;
use crate::vocabulary::{Nothing, Window};

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_article",
            "One article",
            "The whole text of one article, by the articleId that search_news and get_headlines return.",
            get_article,
        )
        .paced(6_000, 8),
        Method::read(
            "list_sources",
            "Sources",
            "The publishers whose articles are covered, with the identifier that articles name as their \
             source.",
            list_sources,
        )
        .priced("0.0005"),
        Method::read(
            "get_sentiment",
            "Sentiment on a topic",
            "How positive or negative the articles on one topic were over a window: mean tone from -1 to 1, \
             a label and the number of articles. Returns no articles.",
            sentiment,
        )
        .fast()
        .priced("0.0030")
        .paced(6_000, 8),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ArticleOf {
    /// The articleId that `search_news` or `get_headlines` returns.
    #[schemars(example = &"art-600000")]
    article_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WholeArticle {
    /// The identifier of the article.
    article_id: String,
    /// The headline.
    title: String,
    /// What it claims, in a sentence.
    claim: String,
    /// The text.
    body: String,
    /// What it is about.
    topic: Topic,
    /// The identifier of its source, one of `list_sources`.
    source: &'static str,
    /// When it was published, RFC 3339 in UTC.
    published_at: Timestamp,
    /// Its address.
    url: String,
    /// Whether it says why coins would move to or from exchanges.
    is_flow_catalyst: bool,
}

fn get_article(at: &Moment, ask: &ArticleOf) -> Result<WholeArticle, Refusal> {
    let article = wire::article(at, &ask.article_id).ok_or_else(|| {
        let id = &ask.article_id;
        Refusal::argument(
            "article_id",
            format!("there is no article `{id}`; take an articleId of search_news"),
        )
    })?;
    Ok(WholeArticle {
        body: article.body(),
        url: article.url(),
        article_id: article.id,
        title: article.title,
        claim: article.claim,
        topic: article.topic,
        source: article.source,
        published_at: article.published_at,
        is_flow_catalyst: article.moves_flows,
    })
}

#[derive(Serialize, JsonSchema)]
struct Sources {
    /// The publishers; made up.
    sources: Vec<Publisher>,
}

#[derive(Serialize, JsonSchema)]
struct Publisher {
    /// The identifier that articles name as their source.
    source: &'static str,
    /// The name for people.
    name: &'static str,
}

fn list_sources(_: &Moment, _: &Nothing) -> Result<Sources, Refusal> {
    Ok(Sources { sources: SOURCES.iter().map(|(source, name)| Publisher { source, name }).collect() })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SentimentOf {
    /// The topic.
    #[schemars(example = Topic::Bitcoin)]
    topic: Topic,
    /// How far back from now.
    #[serde(default = "week")]
    window: Window,
}

fn week() -> Window {
    Window::Week
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Sentiment {
    /// The topic.
    topic: Topic,
    /// The window asked for.
    window: Window,
    /// Mean tone of its articles, from -1 to 1; 0 where there are none.
    score: f64,
    /// The score in a word.
    label: Label,
    /// How many articles there were.
    article_count: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Label {
    Negative,
    Neutral,
    Positive,
}

fn sentiment(at: &Moment, ask: &SentimentOf) -> Result<Sentiment, Refusal> {
    let articles = wire::since(at, ask.window.minutes()).filter(|article| article.topic == ask.topic);
    let (sum, count, article_count) = articles
        .fold((0.0, 0.0, 0), |(sum, count, total), article| (sum + article.tone, count + 1.0, total + 1));
    let score = if article_count == 0 { 0.0 } else { rounded(sum / count, 2) };
    let label = match score {
        score if score <= -0.1 => Label::Negative,
        score if score >= 0.1 => Label::Positive,
        _ => Label::Neutral,
    };
    Ok(Sentiment { topic: ask.topic, window: ask.window, score, label, article_count })
}
