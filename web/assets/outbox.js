const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 10_000;

/**
 * Something on its way to the server; `text` is what to show of it meanwhile.
 * @typedef {{ id: string, path: string, body: Record<string, string>, text: string | null }} Item
 */

/**
 * Sends one thing after the other, each under an id of its own until the server has it. Sending again is harmless:
 * the server knows the id.
 * @param {{
 *   onSent: (item: Item) => void,
 *   onWaiting: (item: Item, isTooFast: boolean) => void,
 *   onRefused: (item: Item) => void,
 * }} page
 */
export function createOutbox({ onSent, onWaiting, onRefused }) {
  /** @type {Item[]} */
  const waiting = [];
  let isSending = false;
  let tries = 0;
  let timer = 0;

  /** @type {(path: string, body: Record<string, string>, text: string | null) => void} */
  function add(path, body, text) {
    const item = { id: crypto.randomUUID(), path, body, text };
    waiting.push(item);
    onSent(item);
    void sendAll();
  }

  async function sendAll() {
    if (isSending) return;
    isSending = true;
    clearTimeout(timer);
    for (let item = waiting[0]; item; item = waiting[0]) {
      const status = await post(item);
      if (status === 401) location.reload();
      if (status !== 202 && !isFinal(status)) {
        waitFor(item, status);
        break;
      }
      waiting.shift();
      tries = 0;
      if (status !== 202) onRefused(item);
    }
    isSending = false;
  }

  /** @type {(item: Item, status: number) => void} */
  function waitFor(item, status) {
    onWaiting(item, status === 429);
    timer = setTimeout(() => void sendAll(), Math.min(PAUSE_MIN_MS * 2 ** tries++, PAUSE_MAX_MS));
  }

  return {
    /** @param {string} text */
    say: (text) => add('/chat/messages', { text }, text),
    /** @param {string} button */
    press: (button) => add('/chat/presses', { button }, null),
    retryNow: () => void sendAll(),
  };
}

/**
 * Zero when there was no answer.
 * @param {Item} item
 */
async function post({ id, path, body }) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, event_id: id }),
    });
    return response.status;
  } catch {
    return 0;
  }
}

/**
 * What will not become better by sending it again. Without a cookie (401) the page gets a new one first.
 * @param {number} status
 */
function isFinal(status) {
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}
