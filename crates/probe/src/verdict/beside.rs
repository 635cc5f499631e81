//! How one method stands beside another one.

use fit::choice::PLACES_NOTHING;
use policy::{Direct, Settle};
use reading::Question;
use reading::bind::{Argument, Role, takes_days};
use reading::words::Word;

use crate::effect::Scope;
use crate::evidence::Evidence;
use crate::required::Required;
use crate::signals::{KIN, tense};
use crate::situation::{SAYS_ALL_MIN, value_of};
use crate::subject::LIGHT;

/// The method that best tells of the whole, where the question names only that and another one tells a part of it.
pub(super) fn whole_of(part: &Evidence, others: &[Evidence]) -> Option<usize> {
    if part.takes_identifier() || !part.required.iter().any(|required| required.names_whole) {
        return None;
    }
    let is_it = |other: &Evidence| other.is_whole_of(part) && !part.outdoes(other);
    let wholes = others.iter().enumerate().filter(|(_, other)| is_it(other));
    wholes
        .max_by(|(_, one), (_, other)| one.fit.score().total_cmp(&other.fit.score()))
        .map(|(place, _)| place)
}

impl Evidence {
    /// Whether the question says as much of another method as of this one, and all that it says: some of their names, or that of their
    /// listing.
    pub(super) fn is_even_with(&self, other: &Self, is_addressed: bool, rule: &Direct) -> bool {
        let says_all = |it: &Self| (it.fit.coverage >= SAYS_ALL_MIN || is_addressed) && it.open.is_empty();
        let gap = self.fit.score() - other.fit.score();
        let names =
            (self.fit.name > 0.0 || is_addressed) && (self.fit.name - other.fit.name).abs() < f64::EPSILON;
        says_all(self)
            && says_all(other)
            && names
            && !self.is_direct()
            && !self.takes_identifier()
            && gap.abs() < rule.lead_min
    }

    /// Whether the planner's fit leaves another method out of play beside this one.
    pub(super) fn outfits(&self, other: &Self, rules: &Settle) -> bool {
        let most = if self.fit.name > 0.0 { rules.behind_named_max } else { rules.behind_max };
        self.fit.score() - other.fit.score() > most
    }

    /// Whether it tells of the whole that another method of its listing tells one part of, and can be called as it is.
    fn is_whole_of(&self, part: &Self) -> bool {
        self.effect.method.listing == part.effect.method.listing
            && self.effect.profile.scope != Scope::SingleTarget
            && self.open.is_empty()
            && value_of(&self.signals, "finder_beside") <= 0.0
    }

    /// Whether it knows all that another method knows of what is asked, and more.
    pub(crate) fn explains_more_than(&self, other: &Self) -> bool {
        let (own, others) = (&self.binding.coverage.left, &other.binding.coverage.left);
        own.len() < others.len() && own.iter().all(|stem| others.contains(stem))
    }

    /// Whether it knows more of what the question is about by its own words, and all else that the other one knows.
    pub(super) fn outdoes(&self, other: &Self) -> bool {
        let more = |name| value_of(&self.signals, name) > value_of(&other.signals, name);
        self.explains_more_than(other) && (more("topic_any") || more("value_share"))
    }

    /// Whether it is asked of what the answer before was asked of, where another one of its listing would be of a part that this showed:
    /// the volume of an event after its odds.
    pub(super) fn goes_on_before(&self, other: &Self) -> bool {
        let takes = |it: &Self, is: fn(&Argument) -> bool| it.binding.arguments.iter().any(is);
        self.is_of_listing(other)
            && takes(self, Argument::is_carried)
            && !takes(self, Argument::is_shown)
            && takes(other, Argument::is_shown)
    }

    /// Whether its result has the form that the question asks for, which the other one's has not, or it is timelier, or lists what
    /// can be held against the limit that the question sets, or finds what the question asks if there is any of, or those about what it
    /// says.
    pub(super) fn is_apter(&self, other: &Self, question: &Question, rules: &Settle) -> bool {
        self.fit.form - other.fit.form >= rules.rows_lead_min
            || self.is_timelier(other)
            || self.takes_day_before(other, question)
            || self.lists_within(question) && !other.lists_within(question)
            || question.form.asks_if_any && self.finds_before(other)
            || self.finds_those_about(other, question)
    }

    /// Whether it takes the time that the question names, for which another method has no place, or is for the time of which
    /// the question speaks, while the other one is for another time.
    fn is_timelier(&self, other: &Self) -> bool {
        self.takes_time_before(other) || self.has_tense_before(other)
    }

    fn takes_time_before(&self, other: &Self) -> bool {
        self.fit.unplaced_time <= 0.0 && other.fit.unplaced_time > 0.0
    }

    /// Whether it tells nothing of the time that the question names: no argument could be told of it, and it is for now, or
    /// counts from now.
    #[must_use]
    pub fn is_for_another_time(&self) -> bool {
        let counts = |it: &Argument| matches!(it.role, Role::Window | Role::Length(_)) && !it.is_said();
        let is_for_now = || tense::is_said_of_now(&self.known) && value_of(&self.signals, "tense") < 0.0;
        let is_tied = is_for_now() || self.binding.arguments.iter().any(counts);
        self.fit.unplaced_time > 0.0 && is_tied && !takes_days(&self.known.parameters)
    }

    /// Whether it is for the time of which the question speaks, and reaches it, and knows as much of what that is about as
    /// another method does.
    #[must_use]
    pub fn is_for_its_time(&self, other: &Self) -> bool {
        let own = |it: &Self, name| value_of(&it.signals, name);
        own(self, "tense") > 0.0
            && own(self, "topic_any") >= own(other, "topic_any")
            && !self.is_foreign
            && !self.is_for_another_time()
    }

    fn has_tense_before(&self, other: &Self) -> bool {
        let agrees = |evidence: &Self| value_of(&evidence.signals, "tense");
        let is_for_now = || tense::is_of_now(&self.known) && self.open.len() <= other.open.len();
        agrees(other) < 0.0 && agrees(self) > agrees(other) && (agrees(self) > 0.0 || is_for_now())
    }

    /// Whether it would go before a method that has no place for the time that the question names: it takes that and all else
    /// that is named, and knows as much of what the question is about, and it accounts for more of the question, or
    /// is for its time and no less named.
    pub(crate) fn takes_time_of(&self, other: &Self) -> bool {
        let (own, others) = (self.fit.coverage, other.fit.coverage);
        let is_for_it = || self.has_tense_before(other) && self.fit.name >= other.fit.name;
        self.takes_time_before(other)
            && self.open.is_empty()
            && (self.places_all() || self.fit.placed <= PLACES_NOTHING && self.fit.placed >= other.fit.placed)
            && (self.knows_as_much_as(other) || self.is_of_listing(other) && self.explains_more_than(other))
            && (own > others || own >= others && is_for_it())
    }

    /// Whether it knows what the question is about and takes all that it names, while another method knows no word of that, nor
    /// one of its field.
    pub(crate) fn knows_topic_before(&self, other: &Self) -> bool {
        !other.is_near_topic() && self.knows_topic() && self.takes_named()
    }

    /// Whether the question says all of its name, while another method knows no word of what that is about: "biggest news" asks
    /// for no prices that moved most.
    pub(crate) fn is_called_before(&self, other: &Self) -> bool {
        other.is_beside_topic() && self.knows_topic() && self.fit.name >= SAYS_ALL_MIN
    }

    /// Whether it says a word of what the question is about, or is named by nearly one, while another method knows none, nor one of
    /// its field: nor does "biggest holders".
    pub(crate) fn is_nearly_called_before(&self, other: &Self) -> bool {
        let own = |name| value_of(&self.signals, name);
        let is_said = own("best_name") >= KIN || own("best_own") >= SAYS_ALL_MIN;
        other.is_beside_topic() && !other.is_near_topic() && self.knows_topic() && is_said
    }

    /// Whether it knows every word of the question and lacks nothing, where a search of its listing leaves one over of what that is
    /// about and is less surely meant: "the mood in the news on rain" asks for no news.
    pub(crate) fn leaves_nothing_before(&self, other: &Self) -> bool {
        let is_free = |it: &Argument| {
            it.role == Role::Search && it.is_said() && !self.known.parameters.has_choices(&it.name)
        };
        self.is_of_listing(other)
            && self.grounding > other.grounding
            && self.open.is_empty()
            && !self.is_looked_up()
            && self.binding.coverage.left.is_empty()
            && other.binding.searches()
            && !self.binding.arguments.iter().any(is_free)
            && !other.binding.coverage.left.is_empty()
    }

    /// Whether it knows by its own words what the question is about, or by all of its name, where another method of its listing knows of
    /// that, or by its name, only how it is asked: "biggest market on bitcoin" and "biggest events" ask for no prices that moved most.
    pub(crate) fn is_about_before(&self, other: &Self, rules: &Settle) -> bool {
        let own = |it: &Self, name| value_of(&it.signals, name);
        let is_only_asking = |name| own(other, name) > 0.0 && own(other, name) <= LIGHT;
        let knows_more =
            || self.knows_as_much_as(other) && own(self, "topic_taken") > own(other, "topic_taken");
        let is_called = || self.fit.name >= SAYS_ALL_MIN && self.knows_share_of(other, rules.known_share_min);
        self.open.is_empty()
            && own(self, "best_own") >= SAYS_ALL_MIN
            && (is_only_asking("best_own") && knows_more() || is_only_asking("best_name") && is_called())
    }

    /// Whether it knows by its own words all that the question is about, where another method only knows words that mean nearly the
    /// same, and takes no more of the rest, or less where it is of another listing: "BTC outflows last week" asks for no regime of flows,
    /// and "transfers over 5 million dollars" for no conversion.
    pub(crate) fn is_worded_before(&self, other: &Self) -> bool {
        let own = |it: &Self, name| value_of(&it.signals, name);
        let (coverage, others) = (self.fit.coverage, other.fit.coverage);
        own(self, "topic_own") >= SAYS_ALL_MIN
            && own(other, "best_own") <= KIN
            && self.open.len() <= other.open.len()
            && (coverage > others || self.is_of_listing(other) && coverage >= others)
            && self.fit.form >= other.fit.form
            && self.fit.placed >= other.fit.placed
            && own(self, "agrees") >= own(other, "agrees")
    }

    /// Whether it knows no word of what the question is about and takes none, nor anything that is named, and neither does what is
    /// asked nor answers whatever is asked.
    fn is_beside_topic(&self) -> bool {
        let own = |name| value_of(&self.signals, name);
        !self.is_on_topic()
            && own("topic_taken") <= LIGHT
            && self.fit.placed <= PLACES_NOTHING
            && own("agrees").max(own("generalist")) <= 0.0
    }

    /// Whether it knows a word of what the question is about, or one of its field, or answers whatever is asked.
    fn is_near_topic(&self) -> bool {
        let own = |name| value_of(&self.signals, name);
        self.is_on_topic() || own("related_best") > LIGHT || own("generalist") > 0.0
    }

    /// Whether it knows and takes all that the question says, where another method of its listing is for another kind of the
    /// thing: for the time of day where the time of the sunrise is asked.
    pub(crate) fn is_of_its_kind_before(&self, other: &Self) -> bool {
        let is_another = |it: &Self| value_of(&it.signals, "another") > 0.0;
        is_another(other)
            && !is_another(self)
            && self.takes_named()
            && self.is_on_topic()
            && self.outdoes(other)
    }

    /// Whether its result tells of something that the question names, where another method of its listing neither takes that nor
    /// tells of it: the liquidations at one venue are among those by venue. What the result lists is named in small letters, too.
    pub(crate) fn tells_named_before(&self, other: &Self, question: &Question) -> bool {
        let tells = |it: &Self, stem: &str| it.known.vocabulary.results.has(stem);
        let in_capitals = || question.named_words().filter(|_| !other.places_all());
        let is_listed = |word: &&Word| {
            self.known.vocabulary.listed.has(&word.stem) && other.binding.coverage.left.contains(&word.stem)
        };
        let named = || in_capitals().chain(question.words.iter().filter(is_listed));
        self.open.is_empty()
            && self.knows_topic()
            && self.knows_as_much_as(other)
            && named().any(|word| tells(self, &word.stem) && !tells(other, &word.stem))
    }

    /// Whether its result lists all that it knows nothing of and takes nowhere: the venue of "liquidations on acme".
    pub(super) fn tells_what_is_left(&self) -> bool {
        let left = &self.binding.coverage.left;
        let is_listed = |stem: &String| self.known.vocabulary.listed.has(stem);
        !left.is_empty() && left.iter().all(is_listed) && self.open.is_empty() && self.knows_topic()
    }

    /// Whether it takes more of the values that the question says, and knows about as much of the rest as another method does,
    /// which takes none, or fewer of those that it names: what a krona gained on the euro is no matter of which prices moved
    /// most, nor what goes in and out of an exchange one of an event that is looked up by the exchange's name. Beside a method of
    /// another listing, it knows about as much by its own words, too: what is liquidated at an exchange is no flow there.
    pub(crate) fn takes_values_before(&self, other: &Self, share_min: f64) -> bool {
        let own = |it: &Self, name| value_of(&it.signals, name);
        let (values, others) = (self.values_taken(), other.values_taken());
        let takes_none = others == 0 && !other.is_looked_up() && !other.takes_topic();
        let tells_more = takes_none && own(self, "topic_taken") > own(other, "topic_taken");
        let places_more = values > 1
            && self.binding.coverage.share >= other.binding.coverage.share
            && (self.is_of_listing(other) || own(self, "topic_own") >= share_min * own(other, "topic_own"));
        values > others
            && (tells_more || places_more)
            && self.open.is_empty()
            && self.is_on_topic()
            && own(self, "topic_any") >= share_min * own(other, "topic_any")
    }

    /// How many of the values that the question says are named ones of its arguments.
    fn values_taken(&self) -> usize {
        let is_value = |it: &&Argument| {
            let names =
                matches!(it.role, Role::Currency | Role::Symbol | Role::Place | Role::Zone | Role::Country);
            let is_listed =
                || matches!(it.role, Role::Name | Role::Id) && self.known.parameters.has_choices(&it.name);
            it.is_said() && (names || is_listed())
        };
        self.binding.arguments.iter().filter(is_value).count()
    }

    /// Whether the question says a topic that an argument lists: "bitcoin" of "how positive is the bitcoin coverage".
    fn takes_topic(&self) -> bool {
        let is_topic = |it: &Argument| {
            matches!(it.role, Role::Search | Role::Text) && self.known.parameters.has_choices(&it.name)
        };
        self.binding.arguments.iter().any(|it| it.is_said() && is_topic(it))
    }

    /// Whether the question speaks of one of what an argument takes and does not say which.
    pub(crate) fn leaves_to_tell(&self) -> bool {
        self.binding.arguments.iter().any(|argument| argument.is_left_open)
    }

    /// Whether it takes what the question speaks of and does not say, and knows as much of the rest as the other one, which
    /// has no place for it and would tell something else without being asked.
    pub(crate) fn is_spoken_of_before(&self, other: &Self) -> bool {
        let known = |it: &Self| value_of(&it.signals, "topic_any");
        let would_tell = other.open.is_empty() && !other.leaves_to_tell();
        self.leaves_to_tell() && would_tell && self.knows_topic() && known(self) >= known(other)
    }

    /// Whether it would go before a method for another time than that of which the question speaks.
    pub(crate) fn has_tense_of(&self, other: &Self, rules: &Settle) -> bool {
        self.has_tense_before(other)
            && self.knows_topic()
            && self.knows_share_of(other, rules.known_share_min)
    }

    /// Whether the question says all of what its name is about, and it tells of them all at once, where another method would be
    /// called for each: the liquidations by venue, and not the flow of one exchange after the other.
    pub(crate) fn tells_at_once_before(&self, other: &Self) -> bool {
        let says_whole = |it: &Self| value_of(&it.signals, "name_whole") > 0.0;
        says_whole(self)
            && !says_whole(other)
            && self.open.is_empty()
            && other.is_called_for_each()
            && !self.is_called_for_each()
            && self.fit.form >= other.fit.form
            && self.knows_topic()
    }

    /// Whether a required argument takes one value after the other.
    pub(super) fn is_called_for_each(&self) -> bool {
        let is_bound = |name: &str| self.binding.argument(name).is_some_and(|it| it.bound().is_some());
        let is_given = |it: &Required| it.is_filled && !is_bound(&it.name);
        self.fit.open <= 0.0 && self.required.iter().any(is_given)
    }

    /// Whether it tells of one thing and only lacks which, where another method of its listing tells of many whatever is asked:
    /// "what's the price" asks for no list of the prices that moved most, nor "the basis of the instrument" for all instruments.
    pub(crate) fn is_of_the_one_before(&self, other: &Self, open_min: f64, rules: &Settle) -> bool {
        let own = |it: &Self, name| value_of(&it.signals, name);
        let says_one = other.is_looked_up() || other.binding.arguments.iter().any(Argument::is_said);
        let tells_anyway = other.open.is_empty() && !says_one;
        let tells_name = |it: &Self| own(it, "topic_name") + own(it, "topic_own");
        let is_named_no_worse = own(other, "says_definite") > 0.0
            && (other.fit.name < SAYS_ALL_MIN && self.fit.name >= other.fit.name
                || self.explains_more_than(other))
            && self.knows_as_much_as(other);
        let form_lead = self.fit.form - other.fit.form;
        let is_named_better = (form_lead >= rules.rows_lead_min
            || tells_name(self) >= tells_name(other) + rules.named_lead_min)
            && self.knows_share_of(other, rules.known_share_min);
        tells_anyway
            && self.is_of_listing(other)
            && (is_named_no_worse || is_named_better)
            && form_lead >= 0.0
            && self.lacks_value(open_min)
            && !self.open.iter().any(|open| open.role == Role::Search)
    }

    /// Whether it takes all that the question names, and knows and accounts for as much of it as another method of its listing.
    pub(crate) fn is_as_good_as(&self, other: &Self) -> bool {
        self.takes_named() && self.knows_as_much_as(other) && self.fit.coverage >= other.fit.coverage
    }

    /// Whether it needs nothing, and says by its name that it lists something of its listing.
    pub(crate) fn lists_for(&self, other: &Self) -> bool {
        self.is_of_listing(other)
            && self.known.parameters.requires_nothing()
            && self.known.name.first().is_some_and(|verb| verb == "list")
    }

    /// Whether it knows as much of what the question is about as another method of its listing.
    pub(crate) fn knows_as_much_as(&self, other: &Self) -> bool {
        self.knows_share_of(other, 1.0)
    }

    /// Whether it knows this share of what another method of its listing knows of what the question is about.
    fn knows_share_of(&self, other: &Self, share: f64) -> bool {
        let knows = |evidence: &Self| value_of(&evidence.signals, "topic_any");
        self.is_of_listing(other) && knows(self) >= knows(other) * share
    }

    pub(crate) fn is_of_listing(&self, other: &Self) -> bool {
        self.candidate.listing.id == other.candidate.listing.id
    }
}
