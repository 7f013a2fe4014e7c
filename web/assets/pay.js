/**
 * The page of a pay link: follows how the payment goes, counts the time down, and asks the wallets of this browser to sign. What is to be signed comes from our server, and what a wallet answers is checked there.
 */
import { findWallets } from './wallets.js';

const ASK_EVERY_MS = 1_500;

/** @typedef {import('./wallets.js').PayWallet} PayWallet */

/** @type {Set<PayWallet>} */
const wallets = new Set();
let isSigning = false;
/** By the clock of this device, whatever it shows: the server says how much time is left. */
let closesAtMs = 0;

prepare();
findWallets(['solana:signTransaction'], (wallet) => {
  wallets.add(wallet);
  showWallets();
});
setInterval(countDown, 1_000);
void follow();

/** @returns {HTMLElement} */
function root() {
  const found = document.getElementById('pay');
  if (found === null) throw new Error('the page of a pay link has no #pay');
  return found;
}

/** @returns {Record<string, string>} */
function words() {
  return toTexts(/** @type {unknown} */ (JSON.parse(root().dataset['words'] ?? '{}')));
}

/**
 * @param {unknown} value
 * @returns {Record<string, string>}
 */
function toTexts(value) {
  const entries = Object.entries(toRecord(value)).map(([key, text]) => [key, String(text)]);
  return /** @type {Record<string, string>} */ (Object.fromEntries(entries));
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function toRecord(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** @param {string} text */
function say(text) {
  document.getElementById('said')?.replaceChildren(text);
}

function prepare() {
  const left = document.querySelector('[data-left]');
  if (left instanceof HTMLElement) closesAtMs = Date.now() + Number(left.dataset['left'] ?? 0);
  countDown();
  showWallets();
}

function countDown() {
  const left = document.querySelector('[data-left]');
  if (!(left instanceof HTMLElement)) return;
  const seconds = Math.max(0, Math.floor((closesAtMs - Date.now()) / 1_000));
  if (closesAtMs <= Date.now()) closeWays();
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = [...(hours > 0 ? [hours, twoDigits(minutes)] : [minutes]), twoDigits(seconds % 60)];
  left.textContent = `${left.dataset['label'] ?? ''} ${parts.join(':')}`;
}

/** Nothing on the page can send money any more, whether or not our server can be asked. */
function closeWays() {
  const instead = document.getElementById('closed');
  if (instead === null) return;
  const hadFocus = root().contains(document.activeElement);
  root().replaceChildren(instead);
  instead.hidden = false;
  if (hadFocus) root().focus();
  const title = document.querySelector('h1')?.firstChild;
  if (title) title.textContent = `${instead.dataset['title'] ?? ''} `;
  document.getElementById('standing')?.replaceChildren(instead.querySelector('h2')?.textContent ?? '');
}

/** @param {number} count */
function twoDigits(count) {
  return String(count).padStart(2, '0');
}

function showWallets() {
  const place = document.getElementById('wallets');
  if (place === null) return;
  const buttons = [...wallets].flatMap(buttonsOf);
  // One filled button a page: the wallet that was there first, or else what needs none.
  buttons.forEach((button, index) => (button.className = index === 0 ? 'button wide' : 'button quiet'));
  place.replaceChildren(...buttons);
  const none = document.getElementById('no-wallet');
  if (none !== null) none.hidden = buttons.length > 0;
  const byTransfer = document.getElementById('show-address');
  if (byTransfer === null || buttons.length === 0) return;
  byTransfer.className = 'button quiet';
  const own = place.closest('section');
  if (own !== null) byTransfer.closest('section')?.before(own);
}

/**
 * A wallet signs for each network of its family; a button names the network where there are several.
 * @param {PayWallet} wallet
 */
function buttonsOf(wallet) {
  const places = networks().filter(({ family }) => family === wallet.family);
  return places.map(({ name, title }) =>
    toButton(wallet, name, places.length > 1 ? `${wallet.name} · ${title}` : wallet.name),
  );
}

/** @returns {Record<string, string>[]} */
function networks() {
  const list = /** @type {unknown} */ (JSON.parse(root().dataset['networks'] ?? '[]'));
  return Array.isArray(list) ? list.map(toTexts) : [];
}

/**
 * @param {PayWallet} wallet
 * @param {string | undefined} network
 * @param {string} name
 */
function toButton(wallet, network, name) {
  const button = document.createElement('button');
  button.type = 'button';
  // What a wallet calls itself is text, whatever it holds.
  button.textContent = (words()['payWith'] ?? '{wallet}').replace('{wallet}', () => name);
  button.disabled = isSigning;
  button.addEventListener('click', () => void payWith(wallet, network));
  return button;
}

/**
 * @param {PayWallet} wallet
 * @param {string | undefined} network
 */
async function payWith(wallet, network) {
  if (isSigning) return;
  isSigning = true;
  showWallets();
  say(words()['walletAsks'] ?? '');
  const problem = await sign(wallet, network).catch(() => words()['walletRefused'] ?? '');
  isSigning = false;
  showWallets();
  say(problem);
  if (problem === '') await look();
}

/**
 * Empty once the payment is on its way; otherwise what to say.
 * @param {PayWallet} wallet
 * @param {string | undefined} network
 * @returns {Promise<string>}
 */
async function sign(wallet, network) {
  const address = await wallet.connect();
  const prepared = await post('prepare', { network, address });
  if ('said' in prepared) return prepared.said;
  if (!(await wallet.switchTo(prepared.answer))) return words()['otherChain'] ?? '';
  const signed = await wallet.sign(prepared.answer);
  const sent = await post('signed', { network, address, ...signed });
  return 'said' in sent ? sent.said : '';
}

/**
 * @param {string} step
 * @param {Record<string, unknown>} body
 * @returns {Promise<{ answer: Record<string, unknown> } | { said: string }>}
 */
async function post(step, body) {
  const response = await fetch(`${location.pathname}/${step}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = toRecord(await response.json().catch(() => null));
  if (response.ok) return { answer: json };
  const { said } = json;
  return { said: typeof said === 'string' ? said : (words()['other'] ?? '') };
}

/** While a wallet asks, nothing on the page is replaced under its reader's hands. */
async function follow() {
  while (root().dataset['state'] !== 'paid') {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    if (!document.hidden && !isSigning) await look();
  }
}

async function look() {
  const next = await load();
  const fresh = next?.getElementById('pay');
  if (!fresh || fresh.dataset['version'] === root().dataset['version']) return;
  const hadFocus = root().contains(document.activeElement);
  const isNews = fresh.dataset['state'] !== root().dataset['state'];
  root().replaceWith(document.importNode(fresh, true));
  prepare();
  if (hadFocus) root().focus();
  // A screen reader announces the state; an earlier announcement is over then.
  const refusal = next?.getElementById('said')?.textContent ?? '';
  if (refusal !== '') say(refusal);
  else if (isNews) say('');
  if (isNews) takeTitle(next);
  if (isNews) document.getElementById('standing')?.replaceChildren(root().querySelector('h2')?.textContent ?? '');
}

/** @param {Document | null} next */
function takeTitle(next) {
  const title = next?.querySelector('h1');
  if (!next || !title) return;
  document.title = next.title;
  document.querySelector('h1')?.replaceChildren(...title.childNodes);
}

/** Null when there is no answer; the next look may have one. */
async function load() {
  try {
    const response = await fetch(location.pathname, { headers: { accept: 'text/html' } });
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null;
  } catch {
    return null;
  }
}
