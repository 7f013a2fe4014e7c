const REOPEN_MS = 2_000;

/**
 * Follows the chat's stream for as long as the page lives. The browser reopens a broken stream by itself and says what
 * it has seen; only when it gives up (an error status) it is opened anew from here.
 */
export function followChat({ onReset, onMessage, onReady, onLost }) {
  let seen = '0';
  const open = () => {
    const source = new EventSource(`/chat/stream?after=${seen}`);
    source.addEventListener('reset', () => {
      seen = '0';
      onReset();
    });
    source.addEventListener('message', (event) => {
      seen = event.lastEventId;
      onMessage(JSON.parse(event.data));
    });
    source.addEventListener('ready', onReady);
    source.addEventListener('error', () => {
      onLost();
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, REOPEN_MS);
    });
  };
  open();
}
