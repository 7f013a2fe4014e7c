const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 10_000;

/**
 * Sends one thing after the other, each under an id of its own until the server has it. Sending again is harmless:
 * the server knows the id.
 */
export function createOutbox({ onSent, onWaiting, onRefused }) {
  const waiting = [];
  let isSending = false;
  let tries = 0;
  let timer = 0;

  function add(path, body, text) {
    const item = { id: crypto.randomUUID(), path, body, text };
    waiting.push(item);
    onSent(item);
    void sendNext();
  }

  async function sendNext() {
    const item = waiting[0];
    if (!item || isSending) return;
    isSending = true;
    clearTimeout(timer);
    const status = await post(item);
    isSending = false;
    if (status === 401) return location.reload();
    if (status === 202 || isFinal(status)) {
      waiting.shift();
      tries = 0;
      if (status !== 202) onRefused(item);
      return sendNext();
    }
    onWaiting(item, status === 429);
    timer = setTimeout(sendNext, Math.min(PAUSE_MIN_MS * 2 ** tries++, PAUSE_MAX_MS));
  }

  return {
    say: (text) => add('/chat/messages', { text }, text),
    press: (button) => add('/chat/presses', { button }, null),
    retryNow: () => void sendNext(),
  };
}

/** Zero when there was no answer. */
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

/** What will not become better by sending it again. */
function isFinal(status) {
  return status >= 400 && status < 500 && status !== 429;
}
