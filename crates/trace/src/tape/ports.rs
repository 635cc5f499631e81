//! A tape in the place of each port.

use std::sync::Arc;

use domain::{Call, CallFault, Clock, FaultKind, Reply, Snapshot};
use futures::FutureExt;
use futures::future::{BoxFuture, pending};
use jiff::Timestamp;
use llm::{Exchanges, FallbackReason, HearText, ModelReply, ModelRequest};
use mcp::{Catalog, Tools};

use super::{Keeping, RecordedCall, RecordedExchange, State, Tape, Turn, near};
use crate::journal::Waited;

impl Clock for Tape {
    fn now(&self) -> Timestamp {
        let mut state = self.state();
        let at = match self.keeping {
            Keeping::Strict => match self.turn_of(&mut state) {
                Some(Turn::Clock(at)) => Some(*at),
                other => {
                    let message =
                        format!("the run reads the clock where the recording has {}", self.told(other));
                    Self::fail(&mut state, message);
                    None
                }
            },
            Keeping::Free => {
                let rest = self.reel.turns.iter().enumerate().skip(state.cursor);
                let next = rest.into_iter().find_map(|(place, (_, turn))| {
                    if let Turn::Clock(at) = turn { Some((place, *at)) } else { None }
                });
                next.map(|(place, at)| {
                    state.cursor = place;
                    at
                })
            }
        };
        if let Some(at) = at {
            state.clock = Some(at);
            Self::advance(&mut state);
        }
        state.clock.unwrap_or_default()
    }
}

impl Catalog for Tape {
    fn snapshot(&self) -> Arc<Snapshot> {
        let mut state = self.state();
        let last = || Snapshot { revision: 0, listings: Vec::new() };
        let turn = match self.keeping {
            Keeping::Strict => self.turn_of(&mut state),
            Keeping::Free => None,
        };
        let number = match turn {
            Some(Turn::Catalog(number)) => {
                Self::advance(&mut state);
                *number
            }
            other if self.keeping == Keeping::Strict => {
                let message =
                    format!("the run looks at the catalog where the recording has {}", self.told(other));
                Self::fail(&mut state, message);
                0
            }
            _ => 0,
        };
        self.reel.catalogs.get(number).cloned().unwrap_or_else(|| Arc::new(last()))
    }
}

impl Tools for Tape {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Reply> {
        async move {
            let Some(number) = self.take_call(call) else {
                return match self.keeping {
                    Keeping::Strict => pending().await,
                    Keeping::Free => Err(CallFault {
                        kind: FaultKind::Unreachable,
                        message: "the call is not in the recording".to_owned(),
                    }),
                };
            };
            match self.reel.calls[number].reply.clone() {
                Some(reply) => {
                    self.due(|turn| *turn == Turn::Reply(number)).await;
                    reply
                }
                None if self.keeping == Keeping::Free => Err(CallFault {
                    kind: FaultKind::Timeout,
                    message: "the call was given up when it was recorded".to_owned(),
                }),
                None => self.never(Waited::Call(number)).await,
            }
        }
        .boxed()
    }
}

impl Tape {
    /// The recorded call that this is, once.
    fn take_call(&self, call: &Call) -> Option<usize> {
        let mut state = self.state();
        let is_same = |recorded: &RecordedCall| match self.keeping {
            Keeping::Strict => recorded.call == *call,
            Keeping::Free => recorded.call.method == call.method && recorded.call.arguments == call.arguments,
        };
        let mut free =
            self.reel.calls.iter().enumerate().filter(|(number, _)| !state.calls_taken.contains(number));
        let found = free.find(|(_, recorded)| is_same(recorded)).map(|(number, _)| number);
        if let Some(number) = found {
            state.calls_taken.insert(number);
        } else {
            let message = near::unmatched_call(call, &self.reel.calls);
            self.miss(&mut state, message);
        }
        found
    }

    fn take_exchange(&self, request: &ModelRequest<'_>) -> Option<usize> {
        let mut state = self.state();
        let is_same = |recorded: &RecordedExchange| {
            recorded.model == request.model
                && recorded.stage == request.stage.word()
                && recorded.body == request.body
        };
        let mut free = self
            .reel
            .exchanges
            .iter()
            .enumerate()
            .filter(|(number, _)| !state.exchanges_taken.contains(number));
        let found = free.find(|(_, recorded)| is_same(recorded)).map(|(number, _)| number);
        if let Some(number) = found {
            state.exchanges_taken.insert(number);
        } else {
            let message = near::unmatched_exchange(request, &self.reel.exchanges);
            self.miss(&mut state, message);
        }
        found
    }

    fn miss(&self, state: &mut State, message: String) {
        state.misses.push(message.clone());
        if self.keeping == Keeping::Strict {
            Self::fail(state, message);
        }
    }
}

impl Exchanges for Tape {
    fn exchange<'a>(
        &'a self,
        request: ModelRequest<'a>,
        live: BoxFuture<'a, ModelReply>,
        hear: &'a HearText<'a>,
    ) -> BoxFuture<'a, ModelReply> {
        // Never polled: nothing is sent.
        drop(live);
        async move {
            let Some(number) = self.take_exchange(&request) else {
                return match self.keeping {
                    Keeping::Strict => pending().await,
                    Keeping::Free => {
                        ModelReply { fault: Some(FallbackReason::CircuitOpen), ..ModelReply::default() }
                    }
                };
            };
            let Some(reply) = self.reel.exchanges[number].reply.clone() else {
                if self.keeping == Keeping::Free {
                    return ModelReply { fault: Some(FallbackReason::TimedOut), ..ModelReply::default() };
                }
                return self.never(Waited::Exchange(number)).await;
            };
            self.due(|turn| *turn == Turn::ModelReply(number)).await;
            for piece in &reply.pieces {
                if hear(piece).is_err() {
                    break;
                }
            }
            reply
        }
        .boxed()
    }
}
