//! Ways to a server: lines over a stream, or streamable HTTP. Both sift what the server sends before the SDK sees it.

mod child;
mod http;
mod lines;
mod salvage;
mod sift;

pub(crate) use child::{Child, Launch};
pub(crate) use http::connect as http;
pub(crate) use lines::Lines;
pub(crate) use sift::Sifted;
