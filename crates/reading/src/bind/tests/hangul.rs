//! Arguments of questions in Korean.

use domain::Method;
use serde_json::json;

use super::{method, values};

fn order() -> Method {
    method(
        "OrderNoodles",
        "국수를 주문한다.",
        json!({"type": "object", "required": ["kind", "quantity"], "properties": {
            "kind": {"type": "string", "description": "국수 종류"},
            "quantity": {"type": "integer", "description": "주문 수량"}
        }}),
    )
}

fn mail() -> Method {
    method(
        "sendLetter",
        "편지를 보낸다.",
        json!({"type": "object", "required": ["subject", "body"], "properties": {
            "subject": {"type": "string", "description": "편지 제목"},
            "body": {"type": "string", "description": "편지 내용"}
        }}),
    )
}

fn deposit() -> Method {
    method(
        "deposit",
        "계좌에 돈을 넣는다.",
        json!({"type": "object", "required": ["bank", "amount"], "properties": {
            "bank": {"type": "string", "description": "계좌의 은행"},
            "amount": {"type": "number", "description": "넣을 금액"}
        }}),
    )
}

#[test]
fn the_noun_before_the_one_that_describes_an_argument_is_its_value() {
    assert_eq!(values("비빔 국수 두 그릇 주문해줘", &order()), json!({"kind": "비빔", "quantity": 2}));
    assert_eq!(values("국수 주문해줘", &order()), json!({}));
    assert_eq!(values("오늘 국수 주문해줘", &order()), json!({}));
}

#[test]
fn a_noun_may_end_in_what_describes_an_argument() {
    let told = values("바다은행 계좌에 만오천원 넣어줘", &deposit());
    assert_eq!(told, json!({"bank": "바다은행", "amount": 15_000}));
    assert_eq!(values("계좌에 3만 원 넣어줘", &deposit()), json!({"amount": 30_000}));
}

#[test]
fn what_is_quoted_goes_where_its_noun_says() {
    let whole = json!({"subject": "새 소식", "body": "내일 만나요"});
    assert_eq!(values("편지 제목은 '새 소식', 내용은 '내일 만나요'로 보내줘", &mail()), whole);
    assert_eq!(values("편지 내용은 '내일 만나요', 제목은 '새 소식'으로 보내줘", &mail()), whole);
}

#[test]
fn a_name_ends_before_what_is_counted() {
    let show = method(
        "book",
        "공연을 예약한다.",
        json!({"type": "object", "required": ["show", "tickets"], "properties": {
            "show": {"type": "string", "description": "공연 이름"}, "tickets": {"type": "integer"}
        }}),
    );
    assert_eq!(
        values("2024 Blue Moon TOUR 4장 예약", &show),
        json!({"show": "Blue Moon TOUR", "tickets": 4})
    );
}

#[test]
fn what_is_priced_stands_before_how_much() {
    let price = method(
        "get_share_price",
        "특정 주식의 현재 가격을 조회한다.",
        json!({"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "description": "조회할 주식 이름"}
        }}),
    );
    for text in ["달빛전자 주가 알려줘", "오늘 달빛전자 얼마야?", "달빛전자 지금 얼마 정도 해?"]
    {
        assert_eq!(values(text, &price), json!({"name": "달빛전자"}), "{text}");
    }
    for text in ["주식 가격 알려줘", "주가 좀 알려줘", "요즘 주가 얼마야?"] {
        assert_eq!(values(text, &price), json!({}), "{text}");
    }
}

#[test]
fn a_number_in_groups_is_no_bank() {
    let transfer = method(
        "transfer",
        "계좌로 돈을 보낸다.",
        json!({"type": "object", "required": ["bank", "account"], "properties": {
            "bank": {"type": "string", "description": "받는 계좌의 은행"},
            "account": {"type": "string", "description": "받는 계좌 번호"}
        }}),
    );
    assert_eq!(values("계좌는 110-234-5678이야", &transfer), json!({"account": "110-234-5678"}));
}

#[test]
fn sizes_are_words_or_letters() {
    let shirt = method(
        "order_shirt",
        "Orders a shirt.",
        json!({"type": "object", "required": ["size"], "properties": {"size": {"type": "string"}}}),
    );
    assert_eq!(values("Order a shirt in XL", &shirt), json!({"size": "XL"}));
    assert_eq!(values("Order a large shirt", &shirt), json!({"size": "large"}));
    assert_eq!(values("셔츠 라지 사이즈로 주문해줘", &shirt), json!({"size": "라지"}));
    assert_eq!(values("Order a shirt", &shirt), json!({}));
}
