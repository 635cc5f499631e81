//! What the methods answer: valid, fresh, repeatable, and in agreement with each other.

use serde_json::{Value, json};

use crate::client::{NOON, required, sample, samples, suggested, text, with_client};

#[tokio::test]
async fn every_method_answers_its_own_examples_and_bare_defaults() {
    for sample in samples(NOON) {
        with_client(&sample, async |client| {
            for tool in client.tools().await {
                let asked = [suggested(&tool), required(&tool)].map(|mut arguments| {
                    if sample.name() == "Desk Notes" {
                        arguments = weak_arguments(&tool.name);
                    }
                    arguments
                });
                for arguments in asked {
                    let input =
                        jsonschema::validator_for(&Value::Object((*tool.input_schema).clone())).unwrap();
                    assert!(input.is_valid(&json!(arguments)), "{}: {arguments:?}", tool.name);
                    let result = client.call(&tool.name, json!(arguments)).await.unwrap();
                    assert_ne!(result.is_error, Some(true), "{}: {}", tool.name, text(&result));
                    let value = result.structured_content.clone().unwrap();
                    assert_eq!(serde_json::from_str::<Value>(&text(&result)).unwrap(), value);
                    assert_eq!(value["sampleData"], json!(true), "{}", tool.name);
                    assert_eq!(value["observedAt"], json!("2026-11-21T12:34:00Z"), "{}", tool.name);
                    if let Some(schema) = &tool.output_schema {
                        assert_valid(&tool.name, &Value::Object((**schema).clone()), &value);
                    }
                }
            }
        })
        .await;
    }
}

fn weak_arguments(tool: &str) -> serde_json::Map<String, Value> {
    let arguments = match tool {
        "lookup" => json!({ "q": "basis" }),
        "get" => json!({ "id": "n3" }),
        "put" => json!({ "id": "n9", "text": "Hello" }),
        _ => json!({}),
    };
    arguments.as_object().unwrap().clone()
}

fn assert_valid(tool: &str, schema: &Value, value: &Value) {
    let validator = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{tool}: {errors:?} in {value}");
}

async fn all_answers(at: &str) -> Vec<String> {
    let mut answers = Vec::new();
    for sample in samples(at) {
        with_client(&sample, async |client| {
            for tool in client.tools().await {
                let result = client.call(&tool.name, json!(suggested(&tool))).await.unwrap();
                answers.push(text(&result));
            }
        })
        .await;
    }
    answers
}

#[tokio::test]
async fn the_same_minute_has_the_same_bytes_and_a_later_one_is_fresh() {
    let first = all_answers(NOON).await;
    assert_eq!(first, all_answers("2026-11-21T12:34:01Z").await);
    for later in all_answers("2026-11-21T13:00:00Z").await.iter().filter(|text| text.starts_with('{')) {
        assert!(later.contains("\"observedAt\":\"2026-11-21T13:00:00Z\""), "{later}");
    }
}

#[tokio::test]
async fn another_seed_has_other_figures() {
    let arguments = json!({ "exchange": "kraken", "asset": "ETH" });
    let mut seen = Vec::new();
    for seed in [1, 2] {
        let samples = market::listings(crate::client::clock(NOON), seed);
        let flows = samples.iter().find(|sample| sample.name() == "Exchange Flows").unwrap();
        let flow =
            with_client(flows, async |client| client.ask("get_exchange_flow", arguments.clone()).await).await;
        seen.push(flow["grossInflowUsd"].clone());
    }
    assert_ne!(seen[0], seen[1]);
}

#[tokio::test]
async fn the_aggregate_flow_is_the_sum_of_the_venues() {
    with_client(&sample("Exchange Flows", NOON), async |client| {
        let venues = client.ask("list_exchanges", json!({})).await;
        for window in ["1h", "24h", "7d"] {
            let mut sums = [0, 0, 0];
            for venue in venues["exchanges"].as_array().unwrap() {
                let arguments = json!({ "exchange": venue["exchange"], "asset": "BTC", "window": window });
                let flow = client.ask("get_exchange_flow", arguments).await;
                for (sum, key) in sums.iter_mut().zip(["netFlowUsd", "grossInflowUsd", "grossOutflowUsd"]) {
                    *sum += flow[key].as_i64().unwrap();
                }
            }
            let total = client.ask("get_aggregate_flow", json!({ "asset": "BTC", "window": window })).await;
            assert_eq!(
                json!(sums),
                json!([total["netFlowUsd"], total["grossInflowUsd"], total["grossOutflowUsd"]])
            );
            assert_eq!(sums[0], sums[1] - sums[2]);
        }
    })
    .await;
}

#[tokio::test]
async fn flow_history_reserves_anomaly_and_regime_agree_with_the_flow() {
    with_client(&sample("Exchange Flows", NOON), async |client| {
        let arguments = json!({ "exchange": "okx", "asset": "ETH", "window": "24h" });
        let net = client.ask("get_exchange_flow", arguments.clone()).await["netFlowUsd"].clone();
        let history = client.ask("get_flow_history", arguments.clone()).await;
        let points = history["points"].as_array().unwrap();
        let sum: i64 = points.iter().map(|point| point["netFlowUsd"].as_i64().unwrap()).sum();
        assert_eq!(json!(sum), net);
        assert_eq!(points.last().unwrap()["timestamp"], history["observedAt"]);
        let reserves =
            client.ask("get_exchange_reserves", json!({ "exchange": "okx", "asset": "ETH" })).await;
        assert_eq!(reserves["change24hUsd"], net);
        let anomaly = client.ask("detect_flow_anomaly", arguments.clone()).await;
        assert_eq!(anomaly["netFlowUsd"], net);
        let baseline = client.ask("get_flow_baseline", arguments).await;
        assert_eq!(anomaly["baselineMeanUsd"], baseline["meanNetFlowUsd"]);
        let regime = client.ask("get_flow_regime", json!({ "asset": "ETH" })).await;
        let total = client.ask("get_aggregate_flow", json!({ "asset": "ETH" })).await;
        assert_eq!(regime["netFlowUsd"], total["netFlowUsd"]);
    })
    .await;
}

#[tokio::test]
async fn large_transfers_page_to_the_whole() {
    with_client(&sample("Exchange Flows", NOON), async |client| {
        let mut arguments = json!({ "asset": "BTC", "window": "48h", "limit": 30 });
        let mut seen = Vec::new();
        let total = loop {
            let page = client.ask("list_large_transfers", arguments.clone()).await;
            seen.extend(
                page["transfers"].as_array().unwrap().iter().map(|each| each["timestamp"].to_string()),
            );
            match page.get("nextCursor") {
                Some(cursor) => arguments["cursor"] = cursor.clone(),
                None => break page["totalCount"].as_u64().unwrap(),
            }
        };
        assert!(total > 60);
        assert_eq!(u64::try_from(seen.len()).unwrap(), total);
        assert!(seen.is_sorted_by(|newer, older| newer >= older));
    })
    .await;
}

#[tokio::test]
async fn odds_price_book_and_history_of_an_outcome_agree() {
    with_client(&sample("Prediction Markets", NOON), async |client| {
        let found = client.ask("search_events", json!({ "query": "World Cup winner" })).await;
        let event = &found["events"][0];
        assert_eq!(event["title"], json!("FIFA World Cup 2026 winner"));
        let odds = client.ask("get_event_odds", json!({ "event_id": event["eventId"] })).await;
        let mut sum = 0.0;
        for outcome in odds["outcomes"].as_array().unwrap() {
            sum += outcome["price"].as_f64().unwrap();
            let market = json!({ "market_id": outcome["marketId"] });
            let price = client.ask("get_market_price", market.clone()).await;
            assert_eq!((&price["price"], &price["outcome"]), (&outcome["price"], &outcome["outcome"]));
            let history = client.ask("get_price_history", market.clone()).await;
            assert_eq!(history["points"].as_array().unwrap().last().unwrap()["price"], outcome["price"]);
            let book = client.ask("get_order_book", market).await;
            assert_eq!(
                (&book["bids"][0]["price"], &book["asks"][0]["price"]),
                (&price["bestBid"], &price["bestAsk"])
            );
        }
        assert!((odds["sumImpliedProbability"].as_f64().unwrap() - sum).abs() < 0.001);
        assert!((1.0..1.05).contains(&sum), "{sum}");
        let efficiency = client.ask("get_event_efficiency", json!({ "event_id": event["eventId"] })).await;
        assert_eq!(efficiency["sumImpliedProbability"], odds["sumImpliedProbability"]);
    })
    .await;
}

#[tokio::test]
async fn derivatives_add_up_over_venues() {
    with_client(&sample("Derivatives", NOON), async |client| {
        let arguments = json!({ "asset": "BTC", "window": "24h" });
        let sum = |venues: &Value, key: &str| -> i64 {
            venues.as_array().unwrap().iter().map(|venue| venue[key].as_i64().unwrap()).sum()
        };
        let interest = client.ask("get_open_interest", json!({ "asset": "BTC" })).await;
        assert_eq!(json!(sum(&interest["venues"], "openInterestUsd")), interest["openInterestUsd"]);
        let history = client.ask("get_open_interest_history", arguments.clone()).await;
        assert_eq!(
            history["points"].as_array().unwrap().last().unwrap()["openInterestUsd"],
            interest["openInterestUsd"]
        );
        let total = client.ask("get_liquidations", arguments.clone()).await;
        let venues = client.ask("get_liquidations_by_venue", arguments).await;
        assert_eq!(json!(sum(&venues["venues"], "longsUsd")), total["longsUsd"]);
        assert_eq!(json!(sum(&venues["venues"], "totalUsd")), total["totalUsd"]);
        let funding = client.ask("get_funding_rate", json!({ "asset": "SOL", "venue": "okx" })).await;
        let past = client.ask("get_funding_history", json!({ "asset": "SOL", "venue": "okx" })).await;
        assert_eq!(
            past["points"].as_array().unwrap().last().unwrap()["fundingRatePercent"],
            funding["fundingRatePercent"]
        );
        for instrument in client.ask("list_instruments", json!({})).await["instruments"].as_array().unwrap() {
            client.ask("get_basis", json!({ "instrument_id": instrument["instrumentId"] })).await;
        }
    })
    .await;
}

#[tokio::test]
async fn news_items_lead_to_their_articles_and_are_never_from_the_future() {
    with_client(&sample("News", NOON), async |client| {
        let found =
            client.ask("search_news", json!({ "query": "Bitcoin", "window": "7d", "limit": 50 })).await;
        let cards = found["articles"].as_array().unwrap();
        assert!(cards.iter().any(|card| card["isFlowCatalyst"] == json!(true)));
        for card in cards {
            assert!(card["publishedAt"].as_str() <= found["observedAt"].as_str());
            let article = client.ask("get_article", json!({ "article_id": card["articleId"] })).await;
            assert_eq!((&article["title"], &article["url"]), (&card["title"], &card["url"]));
        }
        let recent = client
            .ask("search_news", json!({ "query": "bitcoin", "since": "2026-11-21T00:00:00Z", "limit": 50 }))
            .await;
        assert!(recent["totalCount"].as_u64() < found["totalCount"].as_u64());
        let weekend = client.ask("get_calendar", json!({})).await;
        assert_eq!((&weekend["date"], &weekend["events"]), (&json!("2026-11-21"), &json!([])));
    })
    .await;
}

#[tokio::test]
async fn rates_agree_however_they_are_asked_for() {
    with_client(&sample("Currency Rates", NOON), async |client| {
        let rate = client.ask("get_rate", json!({ "base": "USD", "quote": "JPY" })).await["rate"].clone();
        let many = client.ask("get_rates", json!({ "base": "USD", "symbols": ["EUR", "JPY"] })).await;
        assert_eq!(many["rates"][1]["rate"], rate);
        let converted =
            client.ask("convert_currency", json!({ "amount": 100, "from": "USD", "to": "JPY" })).await;
        assert_eq!(converted["rate"], rate);
        let history = client.ask("get_rate_history", json!({ "base": "USD", "quote": "JPY" })).await;
        let points = history["points"].as_array().unwrap();
        assert_eq!((points.len(), &points[6]["rate"]), (7, &rate));
        assert_eq!(
            client.ask("get_rate_change", json!({ "base": "USD", "quote": "JPY" })).await["rateNow"],
            rate
        );
    })
    .await;
}

#[tokio::test]
async fn time_follows_the_clock_and_the_timezone() {
    with_client(&sample("Weather and Time", NOON), async |client| {
        let tokyo = client.ask("get_current_time", json!({ "timezone": "Asia/Tokyo" })).await;
        assert_eq!(tokyo["datetime"], json!("2026-11-21T21:34:00+09:00"));
        assert_eq!(client.ask("get_current_time", json!({})).await["time"], json!("12:34"));
        let arguments = json!({
            "time": "16:30",
            "source_timezone": "America/New_York",
            "target_timezone": "Asia/Tokyo",
            "date": "2026-07-01"
        });
        let converted = client.ask("convert_time", arguments).await;
        assert_eq!(converted["target"]["datetime"], json!("2026-07-02T05:30:00+09:00"));
        assert_eq!(converted["differenceHours"], json!(13.0));
        for place in client.ask("list_cities", json!({})).await["cities"].as_array().unwrap() {
            let city = json!({ "city": place["city"] });
            let now = client.ask("get_current_weather", city.clone()).await;
            let today = client.ask("get_forecast", city.clone()).await["days"][0].clone();
            let celsius = now["temperatureCelsius"].as_f64().unwrap();
            assert!(celsius <= today["highCelsius"].as_f64().unwrap() + 2.0, "{city}: {celsius} in {today}");
            assert!(celsius >= today["lowCelsius"].as_f64().unwrap() - 2.0, "{city}: {celsius} in {today}");
            client.ask("get_current_time", json!({ "timezone": place["timezone"] })).await;
        }
    })
    .await;
}
