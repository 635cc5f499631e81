//! Conversations: turns, pages, votes, what is waited on, and how many messages were sent.

use store::{
    Clarification, Counted, Cursor, MessageCount, MessageState, NewTurn, NoTurn, Store, StoredVote,
    ThreadKey, ThreadLimits, TurnEnd,
};
use tokio::task::JoinSet;

use crate::{Home, at};

const LIMITS: ThreadLimits = ThreadLimits { threads_max: 3, messages_max: 4 };

fn key(thread: &str) -> ThreadKey<'_> {
    ThreadKey { owner: "me", thread }
}

fn turn<'a>(thread: &'a str, said: Option<&'a str>, answer: &'a str, second: i64) -> NewTurn<'a> {
    NewTurn {
        key: key(thread),
        title: "A title",
        scope: "{}",
        said: said.map(|id| (id, "{\"said\":1}")),
        answer: (answer, "{}"),
        run_id: "run",
        now: at(second),
    }
}

async fn answered(store: &Store, thread: &str, said: Option<&str>, answer: &str, second: i64) {
    store.begin_turn(&turn(thread, said, answer, second), LIMITS).await.unwrap().unwrap();
    let is_ended = store.end_turn(&ending(thread, answer, None)).await.unwrap();
    assert!(is_ended);
}

fn ending<'a>(thread: &'a str, answer: &'a str, clarification: Option<&'a Clarification>) -> TurnEnd<'a> {
    TurnEnd {
        key: key(thread),
        message_id: answer,
        state: MessageState::Done,
        body: "{\"answer\":1}",
        clarification,
        now: at(9),
    }
}

async fn ids(store: &Store, thread: &str) -> Vec<String> {
    store.messages(key(thread)).await.unwrap().into_iter().map(|message| message.message_id).collect()
}

#[tokio::test]
async fn a_turn_is_begun_and_ended_once() {
    let home = Home::new();
    let store = home.open().await;
    store.begin_turn(&turn("t", Some("m1"), "a1", 1), LIMITS).await.unwrap().unwrap();
    let running = store.messages(key("t")).await.unwrap();
    assert_eq!((running[0].state, running[1].state), (MessageState::Done, MessageState::Running));
    let busy = store.begin_turn(&turn("t", Some("m2"), "a2", 2), LIMITS).await.unwrap();
    assert_eq!(busy, Err(NoTurn::Busy));
    assert!(store.end_turn(&ending("t", "a1", None)).await.unwrap());
    assert!(!store.end_turn(&ending("t", "a1", None)).await.unwrap());
    assert_eq!(store.messages(key("t")).await.unwrap()[1].body, "{\"answer\":1}");
    assert_eq!(store.messages(ThreadKey { owner: "other", thread: "t" }).await.unwrap(), []);
}

#[tokio::test]
async fn what_follows_an_edited_question_is_replaced() {
    let home = Home::new();
    let store = home.open().await;
    answered(&store, "t", Some("m1"), "a1", 1).await;
    answered(&store, "t", Some("m2"), "a2", 2).await;
    let full = store.begin_turn(&turn("t", Some("m3"), "a3", 3), LIMITS).await.unwrap();
    assert_eq!((full, ids(&store, "t").await.len()), (Err(NoTurn::TooManyMessages), 4));
    answered(&store, "t", None, "a3", 3).await;
    assert_eq!(ids(&store, "t").await, ["m1", "a1", "m2", "a3"]);
    answered(&store, "t", Some("m1"), "a4", 4).await;
    assert_eq!(ids(&store, "t").await, ["m1", "a4"]);
    let nothing = store.begin_turn(&turn("new", None, "a", 5), LIMITS).await.unwrap();
    assert_eq!(nothing, Err(NoTurn::NothingSaid));
}

#[tokio::test]
async fn an_owner_has_so_many_threads_and_sees_them_in_pages() {
    let home = Home::new();
    let store = home.open().await;
    for (second, thread) in [(1, "a"), (2, "b"), (2, "c")] {
        answered(&store, thread, Some("m"), "x", second).await;
    }
    let full = store.begin_turn(&turn("d", Some("m"), "x", 3), LIMITS).await.unwrap();
    assert_eq!(full, Err(NoTurn::TooManyThreads));
    let page = async |cursor, limit| {
        let page = store.threads("me", cursor, limit).await.unwrap().unwrap();
        (page.threads.into_iter().map(|thread| thread.thread_id).collect::<String>(), page.has_more)
    };
    assert_eq!(page(Cursor::Newest, 2).await, ("cb".to_owned(), true));
    assert_eq!(page(Cursor::OlderThan("b"), 2).await, ("a".to_owned(), false));
    assert_eq!(page(Cursor::NewerThan("a"), 1).await, ("b".to_owned(), true));
    assert_eq!(page(Cursor::NewerThan("a"), 5).await, ("cb".to_owned(), false));
    assert!(store.threads("me", Cursor::OlderThan("z"), 1).await.unwrap().is_none());
    assert!(store.delete_thread(key("a")).await.unwrap());
    assert!(!store.delete_thread(key("a")).await.unwrap());
    assert_eq!(store.delete_threads("me").await.unwrap(), 2);
    assert_eq!(ids(&store, "b").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_thread_waits_until_the_next_turn() {
    let home = Home::new();
    let store = home.open().await;
    store.begin_turn(&turn("t", Some("m1"), "a1", 1), LIMITS).await.unwrap().unwrap();
    let waiting =
        Clarification { clarification_id: "c".to_owned(), body: "{}".to_owned(), expires_at: at(60) };
    assert!(store.end_turn(&ending("t", "a1", Some(&waiting))).await.unwrap());
    assert_eq!(store.clarification(key("t")).await.unwrap(), Some(waiting));
    store.begin_turn(&turn("t", Some("m2"), "a2", 2), LIMITS).await.unwrap().unwrap();
    assert_eq!(store.clarification(key("t")).await.unwrap(), None);
}

#[tokio::test]
async fn a_vote_is_on_an_answer_and_goes_with_it() {
    let home = Home::new();
    let store = home.open().await;
    answered(&store, "t", Some("m1"), "a1", 1).await;
    let vote = |id: &str, is_up| StoredVote { message_id: id.to_owned(), is_up };
    assert!(store.vote(key("t"), &vote("a1", true)).await.unwrap());
    assert!(store.vote(key("t"), &vote("a1", false)).await.unwrap());
    assert!(!store.vote(key("t"), &vote("m1", true)).await.unwrap());
    assert!(!store.vote(key("t"), &vote("a9", true)).await.unwrap());
    assert_eq!(store.votes(key("t")).await.unwrap(), [vote("a1", false)]);
    answered(&store, "t", None, "a2", 2).await;
    assert_eq!(store.votes(key("t")).await.unwrap(), []);
}

#[tokio::test]
async fn what_a_dead_process_left_is_broken_off() {
    let home = Home::new();
    let store = home.open().await;
    store.begin_turn(&turn("t", Some("m1"), "a1", 1), LIMITS).await.unwrap().unwrap();
    store.close().await;
    let store = home.open().await;
    assert_eq!(store.messages(key("t")).await.unwrap()[1].state, MessageState::BrokenOff);
    answered(&store, "t", Some("m2"), "a2", 2).await;
    assert_eq!(ids(&store, "t").await, ["m1", "a1", "m2", "a2"]);
}

#[tokio::test]
async fn many_at_once_pass_no_quota_by_one() {
    let home = Home::new();
    let store = home.open().await;
    let count = |owner, day, total_max, day_max| MessageCount { owner, day, total_max, day_max };
    let mut tasks = JoinSet::new();
    for _ in 0..200 {
        let store = store.clone();
        tasks.spawn(async move {
            store.count_message(count("me", "2026-01-01", 100, 7), at(0)).await.unwrap().is_ok()
        });
    }
    let let_in = tasks.join_all().await.into_iter().filter(|is_let_in| *is_let_in).count();
    assert_eq!(let_in, 7);
    assert_eq!(store.counted("me", "2026-01-01").await.unwrap(), Counted { total: 7, day: 7 });
    let next_day = store.count_message(count("me", "2026-01-02", 8, 7), at(1)).await.unwrap();
    assert_eq!(next_day, Ok(Counted { total: 8, day: 1 }));
    let used_up = store.count_message(count("me", "2026-01-02", 8, 7), at(1)).await.unwrap();
    assert_eq!(used_up, Err(Counted { total: 8, day: 1 }));
    assert_eq!(
        store.count_message(count("new", "2026-01-01", 0, 1), at(1)).await.unwrap(),
        Err(Counted::default())
    );
}

#[tokio::test]
async fn old_threads_are_forgotten() {
    let home = Home::new();
    let store = home.open().await;
    answered(&store, "t", Some("m1"), "a1", 1).await;
    assert_eq!(store.purge_threads(at(9)).await.unwrap(), 0);
    assert_eq!(store.purge_threads(at(10)).await.unwrap(), 1);
    assert!(store.thread(key("t")).await.unwrap().is_none());
}
