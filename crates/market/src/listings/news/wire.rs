//! The sample wire: one made-up article every three quarters of an hour, for as long as there is time.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moment::{Moment, timestamp};
use crate::source::whole;

/// Minutes between two articles.
const EVERY: i64 = 45;

/// The section that an article stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Section {
    #[default]
    Crypto,
    Economy,
    Politics,
    Sports,
    Technology,
}

/// What an article is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Topic {
    Bitcoin,
    Ethereum,
    Solana,
    Stablecoins,
    FederalReserve,
    Inflation,
    Oil,
    Elections,
    WorldCup,
    Ai,
}

/// Who publishes.
pub(super) static SOURCES: [(&str, &str); 5] = [
    ("harbor-wire", "Harbor Wire"),
    ("ledger-post", "The Ledger Post"),
    ("meridian", "Meridian Markets"),
    ("north-star", "North Star News"),
    ("touchline", "Touchline"),
];

/// What an article can say; `{n}` stands for a number.
struct Story {
    topic: Topic,
    section: Section,
    title: &'static str,
    claim: &'static str,
    /// From -1, bad for what it is about, to 1, good for it.
    tone: f64,
    /// Whether it says why coins would move to or from exchanges.
    moves_flows: bool,
}

/// One article.
#[derive(Clone, Debug)]
pub(super) struct Article {
    /// The identifier that `get_article` takes.
    pub(super) id: String,
    /// The headline.
    pub(super) title: String,
    /// What it claims, in a sentence.
    pub(super) claim: String,
    /// What it is about.
    pub(super) topic: Topic,
    /// The section that it stands in.
    pub(super) section: Section,
    /// The identifier of its publisher.
    pub(super) source: &'static str,
    /// When it was published.
    pub(super) published_at: Timestamp,
    /// From -1, bad for what it is about, to 1, good for it.
    pub(super) tone: f64,
    /// Whether it says why coins would move to or from exchanges.
    pub(super) moves_flows: bool,
}

impl Article {
    /// Where it can be read: an address for examples, with nothing behind it.
    pub(super) fn url(&self) -> String {
        format!("https://news.example/{}/{}", self.source, self.id)
    }

    /// The text.
    pub(super) fn body(&self) -> String {
        format!(
            "{} The report was published by {} and is part of a sample: nothing in it happened.",
            self.claim, self.source
        )
    }
}

/// The articles of the last minutes, newest first.
pub(super) fn since(at: &Moment, minutes: i64) -> impl Iterator<Item = Article> {
    let at = *at;
    let start = timestamp(at.minute() - minutes);
    let slots = (at.minute() - minutes).div_euclid(EVERY)..=at.minute().div_euclid(EVERY);
    slots
        .rev()
        .filter_map(move |slot| in_slot(&at, slot))
        .filter(move |article| (start..=at.at()).contains(&article.published_at))
}

/// The article with this identifier, once it is published.
pub(super) fn article(at: &Moment, id: &str) -> Option<Article> {
    let slot = id.strip_prefix("art-")?.parse().ok().filter(|slot| *slot >= 0)?;
    in_slot(at, slot).filter(|article| article.published_at <= at.at())
}

fn in_slot(at: &Moment, slot: i64) -> Option<Article> {
    let source = at.source("article").nth(slot);
    let story = source.of("story").pick(&STORIES)?;
    let (publisher, _) = source.of("publisher").pick(&SOURCES)?;
    let number = whole(source.of("number").between(12.0, 240.0)).to_string();
    let minute = slot.checked_mul(EVERY)? + whole(source.of("minute").between(0.0, 44.0));
    Some(Article {
        id: format!("art-{slot}"),
        title: story.title.replace("{n}", &number),
        claim: story.claim.replace("{n}", &number),
        topic: story.topic,
        section: story.section,
        source: publisher,
        published_at: timestamp(minute),
        tone: story.tone,
        moves_flows: story.moves_flows,
    })
}

static STORIES: [Story; 20] = [
    Story {
        topic: Topic::Bitcoin,
        section: Section::Crypto,
        title: "Miners send {n} million USD of Bitcoin to exchanges",
        claim: "Bitcoin miners moved {n} million USD of BTC to exchanges within a day.",
        tone: -0.4,
        moves_flows: true,
    },
    Story {
        topic: Topic::Bitcoin,
        section: Section::Crypto,
        title: "Spot Bitcoin funds take in {n} million USD",
        claim: "Spot Bitcoin funds saw net subscriptions of {n} million USD, and custodians withdrew BTC \
                from exchanges.",
        tone: 0.6,
        moves_flows: true,
    },
    Story {
        topic: Topic::Bitcoin,
        section: Section::Crypto,
        title: "A wallet of 2011 wakes up with {n} million USD in Bitcoin",
        claim: "A wallet that had slept since 2011 moved {n} million USD of BTC; part of it reached an \
                exchange.",
        tone: -0.2,
        moves_flows: true,
    },
    Story {
        topic: Topic::Bitcoin,
        section: Section::Crypto,
        title: "Bitcoin volatility falls to its lowest in {n} days",
        claim: "Implied volatility of Bitcoin options fell to its lowest in {n} days.",
        tone: 0.1,
        moves_flows: false,
    },
    Story {
        topic: Topic::Ethereum,
        section: Section::Crypto,
        title: "Ethereum stakers queue to withdraw {n} million USD",
        claim: "Validators that hold {n} million USD of ETH asked to leave, much of it bound for exchanges.",
        tone: -0.4,
        moves_flows: true,
    },
    Story {
        topic: Topic::Ethereum,
        section: Section::Crypto,
        title: "Ethereum upgrade passes its final test",
        claim: "The next Ethereum upgrade ran for {n} days on the last test network without a fault.",
        tone: 0.5,
        moves_flows: false,
    },
    Story {
        topic: Topic::Solana,
        section: Section::Crypto,
        title: "Solana network slows for {n} minutes",
        claim: "Transactions on Solana were delayed for {n} minutes, and exchanges paused SOL deposits.",
        tone: -0.6,
        moves_flows: true,
    },
    Story {
        topic: Topic::Solana,
        section: Section::Crypto,
        title: "Payments firm settles {n} million USD over Solana",
        claim: "A payments firm settled {n} million USD over Solana in its first week.",
        tone: 0.5,
        moves_flows: false,
    },
    Story {
        topic: Topic::Stablecoins,
        section: Section::Crypto,
        title: "Issuer mints {n} million USDT for exchanges",
        claim: "{n} million USDT were minted and sent to exchanges, which often comes before buying.",
        tone: 0.4,
        moves_flows: true,
    },
    Story {
        topic: Topic::Stablecoins,
        section: Section::Crypto,
        title: "USDC redemptions reach {n} million USD",
        claim: "Holders redeemed {n} million USDC, and exchange balances of it fell.",
        tone: -0.3,
        moves_flows: true,
    },
    Story {
        topic: Topic::FederalReserve,
        section: Section::Economy,
        title: "Fed officials see no hurry on rates",
        claim: "Two officials of the Federal Reserve said that they would wait {n} days for more data on \
                rates.",
        tone: -0.1,
        moves_flows: false,
    },
    Story {
        topic: Topic::FederalReserve,
        section: Section::Economy,
        title: "Fed minutes keep a rate cut on the table",
        claim: "Minutes of the Federal Reserve showed support for a rate cut at the next meeting.",
        tone: 0.4,
        moves_flows: false,
    },
    Story {
        topic: Topic::Inflation,
        section: Section::Economy,
        title: "Inflation comes in below forecasts",
        claim: "Consumer prices rose less than the {n} forecasters in a poll expected.",
        tone: 0.5,
        moves_flows: false,
    },
    Story {
        topic: Topic::Oil,
        section: Section::Economy,
        title: "Oil exporters cut output by {n} thousand barrels a day",
        claim: "Oil exporters agreed to cut output by {n} thousand barrels a day.",
        tone: 0.2,
        moves_flows: false,
    },
    Story {
        topic: Topic::Elections,
        section: Section::Politics,
        title: "Poll: election race within {n} tenths of a point",
        claim: "A poll put the two leading parties within {n} tenths of a point of each other.",
        tone: 0.0,
        moves_flows: false,
    },
    Story {
        topic: Topic::Elections,
        section: Section::Politics,
        title: "Parties agree on rules for televised election debates",
        claim: "The parties agreed on {n} minutes for each televised debate.",
        tone: 0.1,
        moves_flows: false,
    },
    Story {
        topic: Topic::WorldCup,
        section: Section::Sports,
        title: "World Cup: Spain name an unchanged squad",
        claim: "Spain named an unchanged squad for the World Cup.",
        tone: 0.4,
        moves_flows: false,
    },
    Story {
        topic: Topic::WorldCup,
        section: Section::Sports,
        title: "World Cup: France forward doubtful with a knee injury",
        claim: "A forward of France may miss up to {n} days with a knee injury, World Cup matches among \
                them.",
        tone: -0.5,
        moves_flows: false,
    },
    Story {
        topic: Topic::Ai,
        section: Section::Technology,
        title: "Chip maker adds {n} million USD of capacity",
        claim: "A chip maker will spend {n} million USD on capacity for AI accelerators.",
        tone: 0.6,
        moves_flows: false,
    },
    Story {
        topic: Topic::Ai,
        section: Section::Technology,
        title: "Regulator opens an inquiry into AI data centres",
        claim: "A regulator asked {n} operators of AI data centres about their use of power.",
        tone: -0.4,
        moves_flows: false,
    },
];
