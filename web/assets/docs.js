// Sends what a form says and shows what came back. The page is complete without it. Nothing is ever put into the page
// as markup: answers are text.

const TIME_LIMIT_MS = 60_000;
const SHOWN_CHARACTERS_MAX = 100_000;

/** Headers worth seeing; the first two are base64 of JSON. */
const HEADERS = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'payment-error',
  'Idempotent-Replayed',
  'Retry-After',
  'X-Request-Id',
  'Content-Type',
];
const ENCODED = new Set(['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE']);

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset.path === undefined) return;
  event.preventDefault();
  void send(form);
});

/** @param {HTMLFormElement} form */
async function send(form) {
  const button = form.querySelector('button');
  // Not disabled: a disabled button would lose the focus.
  if (button?.getAttribute('aria-disabled') === 'true') return;
  button?.setAttribute('aria-disabled', 'true');
  say(form, 'Sending …');
  try {
    const answer = await fetch(addressOf(form), { ...requestOf(form), signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    const text = await answer.text();
    show(form, answer, text);
    say(form, `${answer.status} ${MEANINGS[answer.status] ?? answer.statusText}`.trim());
  } catch (error) {
    say(form, `No answer came: ${error instanceof Error ? error.message : 'the connection failed'}`);
  } finally {
    button?.removeAttribute('aria-disabled');
  }
}

/** @type {Record<number, string>} */
const MEANINGS = { 200: 'OK', 400: 'Refused', 402: 'Payment required', 404: 'Nothing there', 429: 'Too many requests' };

/**
 * @param {HTMLFormElement} form
 * @param {string} place
 */
function valuesIn(form, place) {
  /** @type {[string, string][]} */
  const values = [];
  for (const input of form.querySelectorAll(`[data-in="${place}"]`)) {
    const isField =
      input instanceof HTMLInputElement || input instanceof HTMLSelectElement || input instanceof HTMLTextAreaElement;
    if (isField && input.value.trim() !== '') values.push([input.name, input.value.trim()]);
  }
  return values;
}

/** @param {HTMLFormElement} form */
function addressOf(form) {
  let path = form.dataset.path ?? '/';
  for (const [name, value] of valuesIn(form, 'path')) path = path.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(valuesIn(form, 'query')).toString();
  return query === '' ? path : `${path}?${query}`;
}

/**
 * @param {HTMLFormElement} form
 * @returns {RequestInit}
 */
function requestOf(form) {
  const method = form.dataset.method ?? 'GET';
  const headers = new Headers([['Accept', 'application/json'], ...valuesIn(form, 'header')]);
  if (method === 'GET') return { method, headers, cache: 'no-store' };
  headers.set('Content-Type', 'application/json');
  return { method, headers, body: valuesIn(form, 'body')[0]?.[1] ?? '' };
}

/**
 * @param {HTMLFormElement} form
 * @param {Response} answer
 * @param {string} text
 */
function show(form, answer, text) {
  const result = form.querySelector('[data-result]');
  const body = form.querySelector('[data-body]');
  const list = form.querySelector('[data-headers]');
  if (!(result instanceof HTMLElement) || !body || !list) return;
  body.textContent = pretty(text).slice(0, SHOWN_CHARACTERS_MAX);
  list.replaceChildren(...HEADERS.flatMap((name) => headerRow(name, answer.headers.get(name))));
  result.hidden = false;
}

/**
 * @param {string} name
 * @param {string | null} value
 */
function headerRow(name, value) {
  if (value === null) return [];
  const row = document.createElement('div');
  const term = document.createElement('dt');
  const description = document.createElement('dd');
  term.append(element('code', name));
  if (ENCODED.has(name)) term.append(' ', element('span', 'decoded'));
  const shown = element(ENCODED.has(name) ? 'pre' : 'span', ENCODED.has(name) ? decoded(value) : value);
  if (ENCODED.has(name)) shown.className = 'command';
  description.append(shown);
  row.append(term, description);
  return [row];
}

/**
 * @param {string} name
 * @param {string} text
 */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** @param {string} value */
function decoded(value) {
  try {
    const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
    return pretty(new TextDecoder().decode(bytes));
  } catch {
    // Not base64: shown as it came.
    return value;
  }
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: shown as it came.
    return text;
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function say(form, text) {
  const status = form.querySelector('[data-status]');
  if (status) status.textContent = text;
}
