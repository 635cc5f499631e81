//! Times as the file has them.

use jiff::Timestamp;

use crate::Error;

pub(crate) fn to_ms(time: Timestamp) -> i64 {
    time.as_millisecond()
}

pub(crate) fn from_ms(ms: i64) -> Result<Timestamp, Error> {
    Timestamp::from_millisecond(ms).map_err(|_| Error::Unreadable("a time"))
}
