//! Programs that call one method for each of several values.

use super::{cities, flow, program, rate};

#[test]
fn a_question_over_a_dimension_fans_out_in_one_wave() {
    let text = program("Which exchanges saw the largest BTC inflows in the last 24 hours?", vec![flow()]);
    insta::assert_snapshot!(text.source, @r#"
    let subjects = ["alpha", "beta", "gamma"];
    let calls = [];
    for subject in subjects {
        calls.push(call_tool("sample_data.get_exchange_flow", #{exchange: subject, asset: "BTC", window: "24h"}));
    }
    let replies = settle_all(calls);
    let rows = [];
    for (subject, at) in subjects {
        let reply = replies[at];
        if reply.ok {
            rows.push(#{exchange: subject, result: reply.value});
        }
    }
    rows
    "#);
    assert_eq!(text.reading.dimensions, ["exchange"]);
    assert_eq!(text.assumptions, ["only the first 3 of 4 values of `exchange` were asked for"]);
}

#[test]
fn each_of_what_is_named_side_by_side_is_called_for_with_each_of_the_others() {
    let text = program("BTC and ETH inflows of alpha and gamma", vec![flow()]);
    insta::assert_snapshot!(text.source, @r#"
    let subjects = [#{exchange: "alpha", asset: "BTC"}, #{exchange: "alpha", asset: "ETH"}, #{exchange: "gamma", asset: "BTC"}];
    let calls = [];
    for subject in subjects {
        calls.push(call_tool("sample_data.get_exchange_flow", #{exchange: subject.exchange, asset: subject.asset}));
    }
    let replies = settle_all(calls);
    let rows = [];
    for (subject, at) in subjects {
        let reply = replies[at];
        if reply.ok {
            rows.push(#{exchange: subject.exchange, asset: subject.asset, result: reply.value});
        }
    }
    rows
    "#);
    assert_eq!(text.reading.dimensions, ["exchange", "asset"]);
    let text = program("BTC and ETH inflows of alpha, beta and gamma over the last 24 hours", vec![flow()]);
    let cut = "only the first 3 of 6 values of `exchange` with `asset` were asked for";
    assert_eq!(text.assumptions, [cut]);
}

#[test]
fn what_is_compared_is_called_for_one_by_one() {
    let text = program("Compare the ETH inflow of alpha and gamma", vec![flow()]);
    assert!(text.source.starts_with("let subjects = [\"alpha\", \"gamma\"];\n"), "{}", text.source);
    assert!(text.source.contains("asset: \"ETH\""));
}

#[test]
fn the_argument_that_takes_the_most_side_by_side_is_fanned_out_over() {
    let text = program("The rates of the US dollar against the euro, the pound and the yen", vec![rate()]);
    assert!(text.source.starts_with("let subjects = [\"EUR\", \"GBP\", \"JPY\"];\n"), "{}", text.source);
    assert!(text.source.contains(r#"to: subject, from: "USD""#), "{}", text.source);
}

#[test]
fn a_ranking_fans_out_over_what_another_method_lists() {
    let text = program("Which city has the highest temperature in the weather now?", cities());
    assert_eq!(text.primary.method.as_str(), "get_weather");
    assert!(text.source.contains("let items = take(found.cities, 3);"), "{}", text.source);
    assert_eq!(text.assumptions, ["`city` was asked for what `list_cities` gives, the first 3 at the most"]);
}
