//! What kind of value an argument takes, by the words of its name, description and format.

use jiff::Unit;

use crate::time;

/// What kind of value an argument takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An IANA time zone.
    Zone,
    /// The first moment of a window.
    Start,
    /// The last moment of a window.
    End,
    /// A date or an instant.
    Date,
    /// A year alone.
    Year,
    /// A month's number.
    Month,
    /// A time of day.
    Clock,
    /// How far back or ahead to look.
    Window,
    /// How finely a series is cut.
    Grain,
    /// A number of time units.
    Length(Unit),
    /// How many rows.
    Limit,
    /// Which page; never filled from a question's own numbers.
    Page,
    /// A path or a file.
    Path,
    /// A URL.
    Url,
    /// An e-mail address.
    Email,
    /// A currency's code.
    Currency,
    /// A country's name.
    Country,
    /// A country's code.
    CountryCode,
    /// A language.
    Language,
    /// A ticker, coin or pair.
    Symbol,
    /// A place.
    Place,
    /// Words to search for.
    Search,
    /// A text to work on.
    Text,
    /// A text in a formal language, such as SQL.
    Formal,
    /// An identifier.
    Id,
    /// A key or a password.
    Secret,
    /// A name or anything else.
    Name,
}

impl Role {
    /// Whether it is where something is.
    #[must_use]
    pub fn is_place(self) -> bool {
        matches!(self, Self::Place | Self::Zone | Self::Country | Self::CountryCode)
    }
}

/// The words that a role is read from.
pub(crate) struct Hints<'a> {
    pub(crate) words: &'a [String],
    pub(crate) description: &'a str,
    pub(crate) format: &'a str,
    pub(crate) is_number: bool,
}

impl Hints<'_> {
    /// Whether the name has one of these words, given with spaces between them.
    fn named(&self, words: &str) -> bool {
        words.split(' ').any(|wanted| self.words.iter().any(|word| word == wanted))
    }

    /// Whether the description has one of these phrases, given with bars between them.
    fn described(&self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| self.description.contains(phrase))
    }

    fn last_is(&self, words: &str) -> bool {
        self.words.last().is_some_and(|word| words.split(' ').any(|wanted| word == wanted))
    }
}

/// The role of an argument.
pub(crate) fn role(hints: &Hints<'_>) -> Role {
    temporal(hints)
        .or_else(|| counted(hints))
        .or_else(|| addressed(hints))
        .or_else(|| coded(hints))
        .unwrap_or_else(|| worded(hints))
}

fn temporal(hints: &Hints<'_>) -> Option<Role> {
    let is_zone = hints.named("timezone tz timezones") || (hints.named("time") && hints.named("zone"));
    if is_zone || hints.described("iana time|iana zone|timezone name") {
        return Some(Role::Zone);
    }
    let timed = hints.named("date time datetime timestamp ts day at ms unix epoch dt")
        || matches!(hints.format, "date" | "date-time")
        || hints.described("yyyy|iso 8601|iso8601|unix|epoch|timestamp");
    let starts = "start from since after begin min earliest gte gt starting";
    let ends = "end to until before max till lte lt ending";
    let is_grain = hints.named("interval granularity resolution bucket frequency candle bar grain")
        || (hints.named("timeframe period") && hints.described("candle|interval|kline|bar size|granularity"));
    if is_grain && !hints.described("lookback|look back") {
        return Some(Role::Grain);
    }
    if is_clock(hints) {
        return Some(Role::Clock);
    }
    let checks = hints.named("check checkin checkout");
    if timed
        && (hints.named(starts) || hints.named("checkin pickup departure") || checks && hints.named("in"))
    {
        return Some(Role::Start);
    }
    if timed && (hints.named(ends) || hints.named("checkout dropoff return") || checks && hints.named("out"))
    {
        return Some(Role::End);
    }
    if hints.is_number
        && let Some(unit) = hints.words.iter().rev().find_map(|word| plural_unit(word))
    {
        return Some(Role::Length(unit));
    }
    let is_counted = hints.is_number && !hints.described("unix|epoch|timestamp|yyyy");
    if is_counted
        && hints.named("time duration period term tenure")
        && let Some(unit) = counted_in(hints)
    {
        return Some(Role::Length(unit));
    }
    // "The time of acceleration": a number of whatever it is told in.
    if is_counted && hints.words == ["time"] {
        return Some(Role::Name);
    }
    // "compounds_per_year" is how often.
    if hints.last_is("year") && !hints.named("per") {
        return Some(Role::Year);
    }
    if hints.last_is("month") && hints.is_number {
        return Some(Role::Month);
    }
    if hints.named("window lookback period timeframe range horizon timespan duration")
        && !hints.is_number
        && !hints.described("price range|cell|row")
    {
        return Some(Role::Window);
    }
    let dated = hints.named("date datetime timestamp ts day when dob birthday deadline time");
    (dated || matches!(hints.format, "date" | "date-time")).then_some(Role::Date)
}

/// Whether a text is a time of day: its format says so, and nothing that it is a day's.
fn is_clock(hints: &Hints<'_>) -> bool {
    let is_it = hints.format == "time"
        || hints.described("hh:mm") && !hints.described("yyyy|date-time|datetime|iso 8601")
        || hints.last_is("time") && !hints.named("date") && hints.described("24-hour|24 hour|12-hour|am/pm")
        || hints.words.len() == 1 && hints.words[0] == "time" && !timed_as_date(hints);
    is_it && !hints.is_number
}

/// The unit that a description counts a length of time in: "in years", "number of months".
fn counted_in(hints: &Hints<'_>) -> Option<Unit> {
    const UNITS: [(&str, Unit); 7] = [
        ("years", Unit::Year),
        ("months", Unit::Month),
        ("weeks", Unit::Week),
        ("days", Unit::Day),
        ("hours", Unit::Hour),
        ("minutes", Unit::Minute),
        ("seconds", Unit::Second),
    ];
    let says = |unit: &str| {
        ["in ", "number of "].iter().any(|lead| hints.description.contains(&format!("{lead}{unit}")))
    };
    UNITS.into_iter().find(|(name, _)| says(name)).map(|(_, unit)| unit)
}

fn timed_as_date(hints: &Hints<'_>) -> bool {
    hints.described("yyyy|iso 8601|date and time|datetime|timestamp")
}

fn plural_unit(word: &str) -> Option<Unit> {
    let is_plural = word.len() > 3 && word.ends_with('s');
    if is_plural { time::length_of(&format!("1{word}")).map(|length| length.unit) } else { None }
}

fn counted(hints: &Hints<'_>) -> Option<Role> {
    // "perPage" is how many.
    if hints.named("offset cursor skip page") && !hints.named("size per name url title id content") {
        return Some(Role::Page);
    }
    let named = hints.named("per") && hints.named("page")
        || hints.named("limit topn topk size")
            && hints.is_number
            && !hints.named("price order position file")
        || hints.words == ["n"]
        || hints.words == ["top"]
        || hints.named("top max num n") && hints.named("n k results items records rows count articles")
        || hints.last_is("count") && hints.described("number of|how many") && hints.words.len() == 1;
    (named && hints.is_number).then_some(Role::Limit)
}

fn addressed(hints: &Hints<'_>) -> Option<Role> {
    let secret = hints.named("password passphrase secret apikey credential credentials")
        || (hints.named("key") && hints.named("api private access"))
        || (hints.named("token") && hints.named("access auth refresh bearer session"));
    if secret {
        return Some(Role::Secret);
    }
    if hints.is_number {
        return None;
    }
    let takes_emails = hints.described("email addresses|email address of|e-mail addresses|e-mail address of");
    let is_only_email = takes_emails && !hints.described("or email|or e-mail|phone");
    if hints.format == "email" || hints.named("email mail") || is_only_email {
        return Some(Role::Email);
    }
    if matches!(hints.format, "uri" | "url") || hints.named("url urls uri link href website webpage") {
        return Some(Role::Url);
    }
    let is_path = hints.named("path paths dir directory folder file filename filepath cwd")
        || hints.named("repo repository") && hints.described("path|local");
    if is_path && !hints.named("type format size id") {
        return Some(Role::Path);
    }
    let formal = hints
        .named("sql expression formula equation code script regex regexp graphql jq xpath cypher")
        && !hints.named(
            "country currency language zip postal status airport area promo coupon discount \
             verification",
        );
    let is_code = hints.words.iter().any(|word| word == "code")
        && !hints.described("source code|script|snippet|program");
    if (formal && !is_code)
        || hints.described("sql query|sql statement|select query|select sql|regular expression|graphql query")
    {
        return Some(Role::Formal);
    }
    None
}

fn coded(hints: &Hints<'_>) -> Option<Role> {
    if hints.is_number {
        return hints.last_is("id identifier").then_some(Role::Id);
    }
    if hints.named("currency currencies")
        || hints.described("currency code|iso 4217|currency to convert")
        || hints.named("base quote from to source target symbols")
            && hints.described("currency you|base currency|target currency|currencies you")
    {
        return Some(Role::Currency);
    }
    if hints.named("country countries nationality") {
        let is_code = hints.named("code iso iso2")
            || hints.described(
                "country code|iso 3166|iso3166|alpha-2|alpha-3|two-letter|two letter|2-letter|\
             two-character|iso code",
            );
        return Some(if is_code { Role::CountryCode } else { Role::Country });
    }
    if hints.named("language languages lang locale") {
        return Some(Role::Language);
    }
    if hints.named("id ids")
        || hints.last_is("uuid slug hash identifier isbn sku vin doi")
        || hints.named("uuid slug")
        || hints.named("wallet contract") && hints.named("address wallet")
        || hints.format == "uuid"
    {
        return Some(Role::Id);
    }
    let symbols = "symbol symbols ticker tickers coin coins asset assets token tokens pair pairs \
             instrument";
    if hints.named(symbols) && !hints.named("name class type count") {
        return Some(Role::Symbol);
    }
    let places = "city cities location locations place places address region state destination origin \
             town province airport departure arrival area neighborhood county station venue where";
    // "_from" and "to" of a journey.
    let is_end = matches!(hints.words, [word] if matches!(word.as_str(), "from" | "to"))
        && hints.described("city|station|airport|location|destination|place of");
    (is_end || hints.named(places) && !hints.named("id code type date time name_id")).then_some(Role::Place)
}

fn worded(hints: &Hints<'_>) -> Role {
    if hints.last_is("query q search keyword keywords term terms topic phrase")
        || hints.named("query keyword keywords")
    {
        return Role::Search;
    }
    if hints.last_is(
        "question prompt message text content input sentence body utterance statement \
             paragraph",
    ) {
        return Role::Text;
    }
    Role::Name
}
