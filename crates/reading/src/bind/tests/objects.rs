//! Lists and objects, and values that stand beside words of their own.

use serde_json::json;

use super::{method, values};

#[test]
fn what_somebody_is_interested_in_is_an_interest() {
    let schema = json!({"type": "object", "required": ["profile"], "properties": {"profile": {
        "type": "object", "required": ["age_group", "interests"], "properties": {
            "age_group": {"type": "string", "enum": ["child", "teen", "adult"]},
            "interests": {"type": "array", "items": {"type": "string"}, "description": "Topics of interest."}
        }
    }}});
    let books = method("recommend_books", "Recommends books.", schema);
    assert_eq!(
        values("Recommend books for a teen interested in chemistry and music", &books),
        json!({"profile": {"age_group": "teen", "interests": ["chemistry", "music"]}})
    );
}

#[test]
fn what_is_written_out_as_json_is_taken_where_it_fits() {
    let schema = json!({"type": "object", "required": ["responses"], "properties": {"responses": {
        "type": "array", "description": "Responses of a student.",
        "items": {"type": "object", "required": ["at"], "properties": {
            "at": {"type": "integer"}, "level": {"type": "integer", "maximum": 100}
        }}
    }}});
    let analyze = method("analyze_responses", "Analyzes responses.", schema);
    let told = |text: &str| values(&format!("Analyze this. Responses: {text}, please"), &analyze);
    let given = json!([{"at": 50, "level": 80}, {"at": 60}]);
    assert_eq!(told(&given.to_string()), json!({"responses": given}));
    for unfit in
        [r#"[{"at": 50, "level": 180}]"#, r#"[{"level": 80}]"#, r#"[{"at": 50, "of": 1}]"#, "[]", "[{]"]
    {
        assert_eq!(told(unfit), json!({}), "{unfit}");
    }
}

#[test]
fn what_stands_in_a_row_is_a_list() {
    let schema = json!({"type": "object", "required": ["tasks"], "properties": {"tasks": {
        "type": "array", "items": {"type": "string"}, "description": "Tasks of the day."
    }}});
    let plan = method("plan_day", "Plans a day.", schema);
    assert_eq!(
        values("Plan a day with tasks including letters, phone calls, and reading. Thank you", &plan),
        json!({"tasks": ["letters", "phone calls", "reading"]})
    );
}

#[test]
fn a_version_an_address_and_an_identifier_are_where_they_are_said_to_be() {
    let schema = json!({"type": "object", "required": ["name", "version"], "properties": {
        "name": {"type": "string", "description": "The name of the project."},
        "version": {"type": "string", "description": "The version of the project."}
    }});
    let project = method("get_project", "Shows a project by its name and version.", schema);
    assert_eq!(
        values("show me 'Aurora' version 2.1.3.", &project),
        json!({"name": "Aurora", "version": "2.1.3"})
    );
    let schema = json!({"type": "object", "required": ["name", "recipients"], "properties": {
        "name": {"type": "string", "description": "A name of the alert."},
        "recipients": {"type": "array", "items": {"type": "string"}, "description": "A list of email addresses."}
    }});
    let alert = method("create_alert", "Creates an alert.", schema);
    assert_eq!(
        values(
            "Create an alert with the name 'Late' and tell 'ann@example.com' and 'bob@example.com'",
            &alert
        ),
        json!({"name": "Late", "recipients": ["ann@example.com", "bob@example.com"]})
    );
    let schema = json!({"type": "object", "required": ["product_id"], "properties": {
        "product_id": {"type": "string", "description": "The identifier of the product."}
    }});
    let product = method("get_product", "Shows a product.", schema);
    assert_eq!(
        values("Is it too large? The id for it was 282828", &product),
        json!({"product_id": "282828"})
    );
}

#[test]
fn what_stands_in_brackets_is_a_list_and_a_time_may_be_a_number() {
    let schema = json!({"type": "object", "required": ["elements"], "properties": {
        "elements": {"type": "array", "items": {"type": "string"}, "description": "The elements to sort."},
        "order": {"type": "string", "default": "asc",
            "description": "The order: 'asc' for ascending, 'desc' for descending."}
    }});
    let sort = method("sort_list", "Sorts a list in ascending or descending order.", schema);
    assert_eq!(
        values("Sort this list in descending order: ['Sam', 'Alice', 'Jack']", &sort),
        json!({"elements": ["Sam", "Alice", "Jack"], "order": "desc"})
    );
    let schema = json!({"type": "object", "required": ["time"], "properties": {
        "time": {"type": "integer", "description": "The time in seconds for which it falls."}
    }});
    let fall = method("final_speed", "Calculates the speed after a fall.", schema);
    assert_eq!(values("How fast is it after falling for 5 seconds?", &fall), json!({"time": 5}));
}

#[test]
fn an_argument_that_lists_its_values_keeps_them() {
    let schema = json!({"type": "object", "required": ["texts", "platforms"], "properties": {
        "texts": {"type": "array", "items": {"type": "string"}, "description": "What people said."},
        "platforms": {"type": "array", "items": {"type": "string", "enum": ["Facebook", "LinkedIn"]}}
    }});
    let analyze = method("analyze_feedback", "Analyzes feedback.", schema);
    assert_eq!(
        values("Analyze feedback from Facebook and LinkedIn: \"Fine!\", \"Too dear.\"", &analyze),
        json!({"texts": ["Fine!", "Too dear."], "platforms": ["Facebook", "LinkedIn"]})
    );
    let schema = json!({"type": "object", "required": ["intent"], "properties": {
        "intent": {"type": "string", "enum": ["rent", "buy"]}
    }});
    let homes = method("find_homes", "Finds homes.", schema);
    assert_eq!(values("I am interested in purchasing a home", &homes), json!({"intent": "buy"}));
}

#[test]
fn several_things_are_several_objects() {
    let kind = json!({"type": "string", "enum": ["Group chat", "Voice messages", "Polls"]});
    let settings =
        json!({"type": "object", "required": ["enable"], "properties": {"enable": {"type": "boolean"}}});
    let schema = json!({"type": "object", "required": ["features"], "properties": {"features": {
        "type": "array", "items": {"type": "object", "required": ["name", "settings"],
            "properties": {"name": kind, "settings": settings}}
    }}});
    let platform = method("set_up_platform", "Sets up a platform.", schema);
    let on = json!({"enable": true});
    assert_eq!(
        values("Set up a platform with group chat and voice messages enabled", &platform),
        json!({"features": [{"name": "Group chat", "settings": on}, {"name": "Voice messages", "settings": on}]})
    );
}

#[test]
fn days_of_the_week_stand_for_each_of_them() {
    let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let schema = json!({"type": "object", "required": ["days"], "properties": {
        "days": {"type": "array", "items": {"type": "string", "enum": days}}
    }});
    let alarm = method("set_alarm", "Sets an alarm.", schema);
    let of = |text: &str| values(text, &alarm)["days"].clone();
    assert_eq!(of("Set an alarm for every weekday"), json!(days[..5]));
    assert_eq!(of("an alarm from Tuesday to Thursday"), json!(days[1..4]));
    assert_eq!(of("an alarm on weekends"), json!(days[5..]));
    assert_eq!(of("an alarm from Saturday to Monday"), json!(["Monday", "Saturday", "Sunday"]));
    assert_eq!(of("an alarm, daily"), json!(days));
    assert_eq!(of("an alarm on Monday and Friday"), json!(["Monday", "Friday"]));
}

#[test]
fn a_list_leaves_a_place_to_the_place() {
    let schema = json!({"type": "object", "required": ["location", "specialization"], "properties": {
        "location": {"type": "string", "description": "Where."},
        "specialization": {"type": "array", "items": {"type": "string"}, "description": "Specializations."}
    }});
    let finder = method("find_lawyers", "Finds lawyers by their specialization.", schema);
    assert_eq!(
        values("Find lawyers specializing in criminal law near me in Boston", &finder),
        json!({"location": "Boston", "specialization": ["criminal law"]})
    );
}

#[test]
fn money_goes_to_whom_it_is_sent() {
    let schema = json!({"type": "object", "required": ["receiver", "amount"], "properties": {
        "receiver": {"type": "string", "description": "Who receives it."},
        "amount": {"type": "number", "description": "The sum of money."}
    }});
    let pay = method("pay", "Sends money.", schema);
    for (text, receiver) in [
        ("I would like to pay back my friend, Alex, $25 for our dinner", "Alex"),
        ("pay Alex 25 dollars", "Alex"),
        ("Wire Anna Smith 25 euros please", "Anna Smith"),
    ] {
        assert_eq!(values(text, &pay), json!({"receiver": receiver, "amount": 25}), "{text}");
    }
}

#[test]
fn a_single_value_may_stand_in_brackets() {
    let schema = json!({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}});
    let greet = method("greet", "Greets somebody by name.", schema);
    assert_eq!(values("Greet [Anna]", &greet), json!({"name": "Anna"}));
    assert_eq!(values("[note: greet the name Anna", &greet), json!({"name": "Anna"}));
}

#[test]
fn colours_are_colours() {
    let of = |names: [&str; 2]| {
        let properties = json!({names[0]: {"type": "string"}, names[1]: {"type": "string"}});
        let schema = json!({"type": "object", "required": names, "properties": properties});
        method("find_bird", "Finds a bird.", schema)
    };
    assert_eq!(
        values("Which bird lives in the desert and is blue?", &of(["color", "habitat"])),
        json!({"color": "blue", "habitat": "desert"})
    );
    assert_eq!(
        values("Mix yellow and blue", &of(["color1", "color2"])),
        json!({"color1": "yellow", "color2": "blue"})
    );
}
