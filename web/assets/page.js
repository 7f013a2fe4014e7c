// Everything here is a comfort: each page is complete without it. It copies, shares, prints, puts times into the reader's zone,
// follows what moves by itself, and sends a form again until something happened elsewhere. What changed is never built
// here: the page is asked for again, and its changed parts are taken over.

const COPIED_SHOWN_MS = 2_500;
const AGAIN_MS = 3_000;
const FALLBACK_REFRESH_MS = 15_000;
const POLL_MS = 1_000;

/** What the page says in its language. */
const words = toTexts(/** @type {unknown} */ (JSON.parse(document.body.dataset.words ?? '{}')));

document.documentElement.classList.add('js');
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
  if (button instanceof HTMLElement) void copy(button);
  const share = event.target instanceof Element ? event.target.closest('[data-share]') : null;
  // A person who closes the sheet has changed their mind.
  if (share instanceof HTMLElement) navigator.share({ url: share.dataset.share ?? '' }).catch(() => undefined);
});
document.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('[data-print]')) print();
});
if ('share' in navigator) document.documentElement.classList.add('shares');
showLocalTimes(document);
// A file is made on the server, which writes times in the zone that it is told.
for (const field of document.querySelectorAll('input[data-zone]')) {
  if (field instanceof HTMLInputElement) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
}

// What stands behind the # is never sent by itself: a form sends it, and the address forgets it.
for (const field of document.querySelectorAll('input[data-fragment]')) {
  if (!(field instanceof HTMLInputElement) || location.hash === '') continue;
  field.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname + location.search);
}

/**
 * @param {unknown} value
 * @returns {Record<string, string>}
 */
function toTexts(value) {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(entries.map(([key, text]) => [key, String(text)]));
}

/**
 * Times come in UTC, because the server does not know where its reader is.
 * @param {ParentNode} root
 */
function showLocalTimes(root) {
  const [day, minute] = [{ dateStyle: 'long' }, { dateStyle: 'long', timeStyle: 'short' }];
  for (const element of root.querySelectorAll('time[data-shows]')) {
    const date = new Date(element.getAttribute('datetime') ?? '');
    const options = /** @type {Intl.DateTimeFormatOptions} */ (
      element.getAttribute('data-shows') === 'day' ? day : minute
    );
    element.textContent = new Intl.DateTimeFormat(document.documentElement.lang, options).format(date);
  }
}

/**
 * What stood on a button before it said that it has copied.
 * @type {WeakMap<HTMLElement, ChildNode[]>}
 */
const labels = new WeakMap();

/** @param {HTMLElement} button */
async function copy(button) {
  const { dataset } = button;
  const isCopied = await writeClipboard(dataset.copy ?? '');
  announce((isCopied ? (dataset.copied ?? words.copied) : words.copyFailed) ?? '');
  // Its own words, and what it names for those who do not see the page.
  if (!labels.has(button)) labels.set(button, [...button.childNodes]);
  button.textContent = (isCopied ? words.copied : words.notCopied) ?? '';
  clearTimeout(Number(dataset.timer));
  const timer = setTimeout(() => {
    button.replaceChildren(...(labels.get(button) ?? []));
    announce('');
  }, COPIED_SHOWN_MS);
  dataset.timer = String(timer);
}

/** @param {string} text */
async function writeClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No permission, or a page without https: the old way may still be allowed.
    return copyBySelection(text);
  }
}

/** @param {string} text */
function copyBySelection(text) {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

/** @param {string} text */
function announce(text) {
  const announcer = document.getElementById('announcer');
  if (announcer) announcer.textContent = text;
}

/** @param {string} text */
function say(text) {
  const note = document.getElementById('live-note');
  if (note && note.textContent !== text) note.textContent = text;
}

const followed = document.querySelector('[data-follow]');
if (followed instanceof HTMLElement && followed.dataset.finished !== 'true') follow(followed);
const repeated = document.querySelector('form[data-repeat]');
if (repeated instanceof HTMLFormElement) repeat(repeated);

/**
 * Follows what moves by itself while somebody looks at it: a hidden tab would hold one of the browser's few connections.
 * @param {HTMLElement} article
 */
function follow(article) {
  /** @type {EventSource | null} */
  let source = null;
  let fallback = 0;

  function start() {
    if (source || fallback || article.dataset.finished === 'true') return;
    if (article.dataset.poll !== undefined) {
      fallback = window.setInterval(() => void refresh(), POLL_MS);
      return;
    }
    source = new EventSource(location.pathname);
    source.onopen = () => say(words.following ?? '');
    source.onmessage = (event) => {
      if (event.lastEventId !== article.dataset.version) void refresh();
    };
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return say(words.interrupted ?? '');
      // Refused, and not for a moment only: ask for the page now and then instead.
      stop();
      fallback = window.setInterval(() => void refresh(), FALLBACK_REFRESH_MS);
      void refresh();
    };
  }

  function stop() {
    source?.close();
    source = null;
    window.clearInterval(fallback);
    fallback = 0;
  }

  async function refresh() {
    const fresh = await fetchPage();
    if (fresh) takeOver(article, fresh);
    else if (fallback) say(words.interrupted ?? '');
    if (article.dataset.finished !== 'true') return;
    stop();
    document.getElementById('live-note')?.remove();
  }

  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : start()));
  // A page with an open stream could not be kept for the way back.
  window.addEventListener('pagehide', stop);
  window.addEventListener('pageshow', start);
  if (!document.hidden) start();
}

async function fetchPage() {
  try {
    // With what the address asks for: a browser that keeps no cookies has its language there alone.
    const answer = await fetch(location.pathname + location.search, {
      headers: { Accept: 'text/html' },
      cache: 'no-store',
    });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
  } catch {
    // Offline for now: the next event or the next round asks again.
    return null;
  }
}

/**
 * @param {HTMLElement} article
 * @param {Document} fresh
 */
function takeOver(article, fresh) {
  const next = fresh.querySelector('[data-follow]');
  if (!(next instanceof HTMLElement)) return;
  for (const part of next.querySelectorAll('[data-live]')) {
    const old = article.querySelector(`[data-live="${part.getAttribute('data-live') ?? ''}"]`);
    if (!old) continue;
    // The same zone on both sides, or every part with a time in it would look new.
    showLocalTimes(part);
    if (old.innerHTML !== part.innerHTML) replaceKeepingFocus(old, part);
  }
  article.dataset.version = next.dataset.version;
  article.dataset.finished = next.dataset.finished;
  document.title = fresh.title;
}

/**
 * Only the content is replaced: a live region must stay the same element to be read out.
 * @param {Element} old
 * @param {Element} part
 */
function replaceKeepingFocus(old, part) {
  const focusedId = old.contains(document.activeElement) ? document.activeElement?.id : undefined;
  old.replaceChildren(...part.childNodes);
  if (focusedId === undefined) return;
  const same = focusedId === '' ? null : document.getElementById(focusedId);
  const target = same ?? old.querySelector('[tabindex]') ?? document.getElementById('main');
  if (target instanceof HTMLElement) target.focus();
}

/**
 * Sends a form again and again while somebody looks at its page, which is left as soon as the answer is another step.
 * @param {HTMLFormElement} form
 */
function repeat(form) {
  const step = document.querySelector('[data-step]')?.getAttribute('data-step');
  let isAsking = false;
  window.setInterval(async () => {
    if (isAsking || document.hidden) return;
    isAsking = true;
    const fresh = await sendForm(form);
    isAsking = false;
    if (!fresh) return say(words.interrupted ?? '');
    say(form.dataset.waiting ?? '');
    const next = fresh.querySelector('[data-step]')?.getAttribute('data-step');
    if (next !== step) location.assign(form.dataset.repeat ?? location.href);
  }, AGAIN_MS);
}

/**
 * Null when there was no answer, or one that says nothing about the step.
 * @param {HTMLFormElement} form
 */
async function sendForm(form) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields[name] = value;
  try {
    const body = new URLSearchParams(fields);
    const answer = await fetch(form.action, { method: 'POST', headers: { Accept: 'text/html' }, body });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
  } catch {
    return null;
  }
}
