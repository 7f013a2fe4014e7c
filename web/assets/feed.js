const REOPEN_MS = 2_000;

/**
 * One message as the stream sends it; `event_id` is the page's own name for what this visitor said.
 * @typedef {import('../../core/view.ts').View} View
 * @typedef {{ id: string, position: number, author: 'visitor' | 'bot', view: View, event_id: string | null }} Message
 */

/**
 * Follows the chat's stream for as long as the page lives. The browser reopens a broken stream by itself and says what
 * it has seen; only when it gives up (an error status) it is opened anew from here.
 * @param {{ onReset: () => void, onMessage: (message: Message) => void, onReady: () => void, onLost: () => void }} page
 */
export function followChat({ onReset, onMessage, onReady, onLost }) {
  let seen = '0';
  const open = () => {
    const source = new EventSource(`/chat/stream?after=${seen}`);
    source.addEventListener('reset', () => {
      seen = '0';
      onReset();
    });
    source.addEventListener('message', ({ data, lastEventId }) => {
      seen = lastEventId;
      onMessage(toMessage(String(data)));
    });
    source.addEventListener('ready', onReady);
    source.addEventListener('error', () => {
      onLost();
      if (source.readyState === EventSource.CLOSED) setTimeout(open, REOPEN_MS);
    });
  };
  open();
}

/**
 * Our own server's data, of the version that served this page.
 * @param {string} data
 * @returns {Message}
 */
function toMessage(data) {
  return /** @type {Message} */ (JSON.parse(data));
}
