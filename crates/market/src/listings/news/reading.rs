//! Lists of articles: by words, and by section.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wire::{self, Article, Section, Topic};
use crate::method::Method;
use crate::moment::Moment;
use crate::refusal::Refusal;
use crate::search;
use crate::vocabulary::{Count, Window};

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "search_news",
            "Search news",
            "Finds articles by words of their title, claim or topic, best match first and newer before \
             older. Says of each whether it is a catalyst for exchange flows. Returns the articleId that \
             get_article takes.",
            search_news,
        )
        .fast()
        .priced("0.0020")
        .paced(6_000, 8),
        Method::read(
            "get_headlines",
            "Latest headlines",
            "The latest headlines of one section, newest first. Returns the articleId that get_article \
             takes.",
            headlines,
        )
        .paced(6_000, 8),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// Words to look for; an article matches from the first of them on.
    #[schemars(example = &"Bitcoin exchanges", example = &"World Cup")]
    query: String,
    /// How far back from now, unless `since` is given.
    #[serde(default = "week")]
    window: Window,
    /// Only articles published from this moment on, RFC 3339; at most 30 days back.
    since: Option<Timestamp>,
    /// How many articles at most.
    #[serde(default)]
    limit: Count<10, 50>,
}

fn week() -> Window {
    Window::Week
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Articles {
    /// How many articles matched, returned here or not.
    total_count: usize,
    /// The articles.
    articles: Vec<ArticleCard>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ArticleCard {
    /// The identifier that `get_article` takes as `article_id`.
    article_id: String,
    /// The headline.
    title: String,
    /// What it claims, in a sentence.
    claim: String,
    /// What it is about.
    topic: Topic,
    /// The section that it stands in.
    section: Section,
    /// The identifier of its source, one of `list_sources`.
    source: &'static str,
    /// When it was published, RFC 3339 in UTC.
    published_at: Timestamp,
    /// Its address.
    url: String,
    /// Whether it says why coins would move to or from exchanges.
    is_flow_catalyst: bool,
}

impl ArticleCard {
    fn new(article: Article) -> Self {
        Self {
            url: article.url(),
            article_id: article.id,
            title: article.title,
            claim: article.claim,
            topic: article.topic,
            section: article.section,
            source: article.source,
            published_at: article.published_at,
            is_flow_catalyst: article.moves_flows,
        }
    }
}

fn search_news(at: &Moment, ask: &Search) -> Result<Articles, Refusal> {
    let words = search::words(&ask.query);
    if words.is_empty() {
        return Err(Refusal::argument("query", "give at least one word"));
    }
    let score = |article: &Article| {
        search::hits(&words, &format!("{} {} {:?}", article.title, article.claim, article.topic))
    };
    let mut found: Vec<_> = wire::since(at, lookback(at, ask))
        .map(|article| (score(&article), article))
        .filter(|(score, _)| *score > 0)
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let total_count = found.len();
    let articles =
        found.into_iter().take(ask.limit.get()).map(|(_, article)| ArticleCard::new(article)).collect();
    Ok(Articles { total_count, articles })
}

fn lookback(at: &Moment, ask: &Search) -> i64 {
    let Some(since) = ask.since else { return ask.window.minutes() };
    (at.minute() - since.as_second().div_euclid(60)).clamp(0, Window::Month.minutes())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HeadlinesOf {
    /// The section.
    #[serde(default)]
    #[schemars(example = Section::Sports)]
    category: Section,
    /// How many headlines at most.
    #[serde(default)]
    limit: Count<5, 20>,
}

#[derive(Serialize, JsonSchema)]
struct Headlines {
    /// The section.
    category: Section,
    /// The headlines, newest first.
    headlines: Vec<ArticleCard>,
}

fn headlines(at: &Moment, ask: &HeadlinesOf) -> Result<Headlines, Refusal> {
    let headlines = wire::since(at, Window::Month.minutes())
        .filter(|article| article.section == ask.category)
        .take(ask.limit.get())
        .map(ArticleCard::new)
        .collect();
    Ok(Headlines { category: ask.category, headlines })
}
