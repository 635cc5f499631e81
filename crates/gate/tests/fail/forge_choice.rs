//! Nothing but a token that holds makes a `Choice`.

fn forge(option: gate::OptionId) -> gate::token::Choice {
    gate::token::Choice { option }
}

fn main() {}
