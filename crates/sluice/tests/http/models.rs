//! Hosted models behind the HTTP surface: what they say is heard where it holds, and no request is lost where it does not.

use serde_json::{Value, json};
use testkit::model_server::{Line, ModelServer};

use crate::server::{Server, Setup, json};

const AMBIGUOUS: &str = "What is the price of the World Cup market?";
pub(crate) const CLEAR: &str = "What is the current price of market mkt-1001-01?";
pub(crate) const PROGRAM: &str =
    "let price = call_tool(\"prediction_markets.get_market_price\", #{market_id: \"mkt-1001-01\"});\nprice";
const RULES_PROGRAM: &str =
    "call_tool(\"prediction_markets.get_market_price\", #{market_id: \"mkt-1001-01\"})\n";
const ANSWER: &str = "The scripted writer has looked at the market, and this is what it has to say of it.";

/// A server each for the judge, the planner and the writer of answers, and the runtime that asks them.
struct House {
    judge: ModelServer,
    planner: ModelServer,
    writer: ModelServer,
    server: Server,
    setup: Setup,
}

impl House {
    async fn of(judge: Vec<Line>, planner: Vec<Line>, writer: Vec<Line>) -> Self {
        let [judge, planner, writer] = [judge, planner, writer].map(ModelServer::start);
        let setup = Setup::with_samples().policy_file("models.toml", &policy([&judge, &planner, &writer]));
        let server = setup.start().await;
        Self { judge, planner, writer, server, setup }
    }

    async fn ask(&self, question: &str, clarification: &str) -> Value {
        let body = json!({
            "query": question,
            "tools": [listing()],
            "queryDepth": "deep",
            "clarificationPolicy": clarification,
            "includeDeveloperTrace": true,
        });
        let (status, result) = json(self.server.post("/api/v1/query", body).await).await;
        assert_eq!(status, 200, "{result}");
        for server in [&self.judge, &self.planner, &self.writer] {
            assert!(!result.to_string().contains(&server.base_url()), "addresses stay inside: {result}");
        }
        result
    }
}

/// The shipped policy with these servers for the judge, the planner and the writer.
pub(crate) fn policy([judge, planner, writer]: [&ModelServer; 3]) -> String {
    policy_of(&[("judge", "counsel", judge), ("plan", "planner", planner), ("synthesize", "writer", writer)])
}

/// The shipped policy with a server for each of these stages, each with the name of its model.
pub(crate) fn policy_of(stages: &[(&str, &str, &ModelServer)]) -> String {
    let mut text = include_str!("../../../../policies/models.toml").to_owned();
    let mut put = |shipped: &str, own: &str| {
        assert!(text.contains(shipped), "{shipped}");
        text = text.replace(shipped, own);
    };
    let (mut endpoints, mut models) = ("\n[endpoints]\n".to_owned(), "\n[models]\n".to_owned());
    for (stage, name, server) in stages {
        endpoints.push_str(&endpoint(name, &server.base_url()));
        models.push_str(&model(name));
        put(
            &format!("[stages.{stage}]\nmodels = [\"embedded\"]"),
            &format!("[stages.{stage}]\nmodels = [\"{name}\", \"embedded\"]"),
        );
    }
    put("\n[endpoints]\n", &endpoints);
    put("\n[models]\n", &models);
    put("timeout_ms = 8_000\nattempt_timeout_ms = 5_000", "timeout_ms = 8_000\nattempt_timeout_ms = 700");
    put("first_ms = 250\nlast_ms = 8_000", "first_ms = 1\nlast_ms = 2");
    if stages.iter().any(|(stage, ..)| *stage == "synthesize") {
        put(
            "default = \"embedded\"\nmodels = [\"embedded\"]",
            "default = \"writer\"\nmodels = [\"writer\", \"embedded\"]",
        );
    }
    text
}

pub(crate) fn endpoint(name: &str, url: &str) -> String {
    format!(
        "[endpoints.at_{name}]\ndialect = \"openai\"\nbase_url = \"{url}\"\n\
         breaker = {{ failures_max = 100, open_ms = 600_000 }}\n"
    )
}

pub(crate) fn model(name: &str) -> String {
    format!(
        "[models.{name}]\nendpoint = \"at_{name}\"\nname = \"{name}-at-its-endpoint\"\n\
         input_usd_per_million = \"1\"\noutput_usd_per_million = \"2\"\noutput_tokens_max = 4_096\n"
    )
}

pub(crate) fn listing() -> String {
    domain::ListingId::of_name("Prediction Markets").to_string()
}

fn opinion(verdict: &str, method: &str) -> Line {
    let id = format!("{}:{method}", listing());
    Line::Say(
        json!({
            "verdict": verdict, "options": [id], "recommended": id, "confidence": 0.95,
            "reason": "the scripted judge says so"
        })
        .to_string(),
    )
}

fn right() -> Vec<Line> {
    vec![opinion("answer", "get_market_price")]
}

pub(crate) fn program(source: &str) -> Line {
    Line::Say(
        json!({
            "outcome": "program", "source": source, "primary": "prediction_markets.get_market_price",
            "dimension": null, "measures": ["price"], "assumptions": [], "missing": [], "reason": ""
        })
        .to_string(),
    )
}

/// The `n`th program that no verifier lets pass.
fn refused(n: usize) -> Line {
    program(&format!("{PROGRAM};\ncall_tool(\"prediction_markets.no_such_method_{n}\", #{{}})"))
}

fn written() -> Vec<Line> {
    vec![Line::Say(ANSWER.to_owned())]
}

fn gate(result: &Value) -> &Value {
    &result["developerTrace"]["diagnostics"]["clarification"]
}

/// The stages that asked a model, with who answered.
fn stages(result: &Value) -> Vec<(&str, &str)> {
    let stages = result["developerTrace"]["diagnostics"]["models"]["stages"].as_array().unwrap();
    stages
        .iter()
        .map(|stage| (stage["stage"].as_str().unwrap(), stage["effectiveModelId"].as_str().unwrap()))
        .collect()
}

fn steps<'a>(result: &'a Value, event: &str) -> Vec<&'a Value> {
    let timeline = result["developerTrace"]["timeline"].as_array().unwrap();
    timeline.iter().filter(|step| step["event"] == event).collect()
}

#[tokio::test]
async fn models_that_say_what_holds_are_heard_and_paid() {
    let house = House::of(right(), vec![program(PROGRAM)], written()).await;
    let result = house.ask(CLEAR, "return").await;
    assert_eq!(result["outcomeType"], "answer", "{result}");
    assert_eq!(gate(&result)["decisionStrategy"], "llm_primary");
    assert_eq!(gate(&result)["judgeReason"], "the scripted judge says so");
    assert_eq!(gate(&result)["judgeError"], Value::Null);
    assert_eq!(gate(&result)["modelTelemetry"]["modelId"], "counsel");
    assert_eq!(gate(&result)["modelTelemetry"]["runtimeModelId"], "counsel");
    assert_eq!(result["developerTrace"]["finalCode"], PROGRAM);
    assert_eq!(result["response"], ANSWER);
    assert_eq!(
        stages(&result),
        [("clarification-judge", "counsel"), ("planning", "planner"), ("final-synthesis", "writer")]
    );
    assert!(steps(&result, "model-fallback").is_empty());

    // Each was asked once: 100 tokens in at $1 a million, 10 tokens out at $2 a million.
    assert_eq!(result["cost"]["modelCostUsd"], "0.000360");
    assert_eq!(result["cost"]["toolCostUsd"], "0.001000");
    assert_eq!(result["cost"]["totalCostUsd"], "0.001360");
    let cost = &result["developerTrace"]["diagnostics"]["cost"];
    assert_eq!((&cost["planningCostUsd"], &cost["synthesisCostUsd"]), (&json!(0.00012), &json!(0.00012)));
    assert_eq!((&cost["totalModelCostUsd"], &cost["totalChargedUsd"]), (&json!(0.00036), &json!(0.00136)));
    let planning = &result["developerTrace"]["diagnostics"]["models"]["stages"][1];
    assert_eq!(planning["usage"]["totalTokens"], 110);
    assert_eq!(planning["actualCostUsd"], 0.00012);
    assert!(!result.to_string().contains("-at-its-endpoint"), "models go by the policy's names: {result}");
    assert_eq!(settled(&house).await, ["0.00036"]);
}

/// What models cost, as the ledger has it.
async fn settled(house: &House) -> Vec<String> {
    let file = house.setup.data_dir().join("sluice.db");
    let pool = sqlx::SqlitePool::connect(&format!("sqlite:{}?mode=ro", file.display())).await.unwrap();
    sqlx::query_scalar("SELECT model_cost FROM settlements").fetch_all(&pool).await.unwrap()
}

#[tokio::test]
async fn no_judge_moves_the_anchors() {
    let hostile = opinion("answer", "empty_the_wallet");
    let judges = [
        ("hostile", vec![hostile], "cannot be used", false),
        ("wrong", right(), "", true),
        ("silent", vec![Line::Hang], "did not answer in time", false),
    ];
    for (name, lines, error, is_heard) in judges {
        let house = House::of(lines, vec![program(PROGRAM)], written()).await;
        let asked_back = house.ask(AMBIGUOUS, "return").await;
        assert_eq!(asked_back["outcomeType"], "clarification_required", "{name}: {asked_back}");
        let told = gate(&asked_back)["judgeError"].as_str().unwrap_or_default();
        assert!(told.contains(error), "{name}: {told}");
        assert_eq!(gate(&asked_back)["modelTelemetry"]["modelId"], "counsel");
        let answered_by = if is_heard { "counsel" } else { "embedded" };
        assert_eq!(stages(&asked_back), [("clarification-judge", answered_by)], "{name}");
        assert_eq!(steps(&asked_back, "model-fallback").is_empty(), is_heard, "{name}");
        if is_heard {
            assert!(
                gate(&asked_back)["validatorReason"].is_string(),
                "the checks put it aside: {asked_back}"
            );
        }

        let assumed = house.ask(AMBIGUOUS, "auto").await;
        assert_eq!(assumed["outcomeType"], "answer", "{name}: {assumed}");
        assert_eq!(assumed["assumptionMade"]["mode"], "auto", "{name}: {assumed}");
        assert_eq!(house.ask(CLEAR, "return").await["outcomeType"], "answer", "{name}");
    }
}

#[tokio::test]
async fn a_refused_program_is_told_to_its_writer_who_mends_it() {
    let house = House::of(right(), vec![refused(1), program(PROGRAM)], written()).await;
    let result = house.ask(CLEAR, "return").await;
    assert_eq!(result["response"], ANSWER, "{result}");
    assert_eq!(result["developerTrace"]["finalCode"], PROGRAM);
    assert_eq!(stages(&result)[1..3], [("planning", "planner"), ("repair", "planner")]);
    let [rejected] = steps(&result, "error_fix")[..] else { panic!("{result}") };
    assert!(rejected["message"].as_str().unwrap().contains("no_such_method_1"), "{rejected}");
    let again = house.planner.asked().last().unwrap().body.to_string();
    assert!(again.contains("no_such_method_1"), "the planner hears what was wrong: {again}");
}

#[tokio::test]
async fn the_rules_plan_where_every_program_of_a_model_is_refused() {
    let stubborn = vec![refused(1)];
    let inventive: Vec<Line> = (1..9).map(refused).collect();
    for (planner, rejected) in [(stubborn, 1), (inventive, 3)] {
        let house = House::of(right(), planner, written()).await;
        let result = house.ask(CLEAR, "return").await;
        assert_eq!(result["outcomeType"], "answer", "{result}");
        assert_eq!(result["developerTrace"]["finalCode"], RULES_PROGRAM, "{result}");
        assert_eq!(steps(&result, "error_fix").len(), rejected, "{result}");
        assert_eq!(result["toolsUsed"][0]["skillCalls"], 1);
    }
}

#[tokio::test]
async fn the_rules_write_the_answer_where_the_writer_fails() {
    let house =
        House::of(right(), vec![program(PROGRAM)], vec![Line::Refuse { status: 500, retry_after: None }])
            .await;
    let result = house.ask(CLEAR, "return").await;
    assert_eq!(result["outcomeType"], "answer", "{result}");
    assert!(result["response"].as_str().unwrap().contains("mkt-1001-01"), "{result}");
    assert_eq!(stages(&result)[2], ("final-synthesis", "embedded"));
    let [step] = steps(&result, "model-fallback")[..] else { panic!("{result}") };
    assert_eq!(step["stepType"], "fallback");
    assert_eq!(step["metadata"]["reasonCode"], "server_error");
    assert!(step["message"].as_str().unwrap().contains("status 500"), "{step}");
    assert_eq!(result["cost"]["modelCostUsd"], "0.000240", "what failed there costs nothing");
}
