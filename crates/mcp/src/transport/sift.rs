//! Drops the notifications that nobody here waits for, so that a flood of them costs a server's own task alone.

use std::future::Future;
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ServerJsonRpcMessage, ServerNotification};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use tokio::sync::Notify;

/// A transport whose `tools/list_changed` become a signal, however many they are, and whose chatter is dropped.
pub(crate) struct Sifted<T> {
    inner: T,
    changed: Arc<Notify>,
}

impl<T> Sifted<T> {
    pub(crate) fn new(inner: T, changed: Arc<Notify>) -> Self {
        Self { inner, changed }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Sifted<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enum may grow")]
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let message = self.inner.receive().await?;
            let ServerJsonRpcMessage::Notification(notification) = &message else { return Some(message) };
            match notification.notification {
                ServerNotification::ToolListChangedNotification(_) => self.changed.notify_one(),
                ServerNotification::CancelledNotification(_)
                | ServerNotification::SubscriptionsAcknowledgedNotification(_) => return Some(message),
                _ => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
