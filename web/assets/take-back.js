/**
 * The page on which a payer takes back what nobody has collected: asks the wallets of this browser to sign that, and hands the signature to the same address as any program does.
 */
import { findWallets } from './wallets.js';

/** @typedef {import('./wallets.js').PayWallet} PayWallet */

/** What a wallet of Solana must be able to do beside giving its address. */
const NEEDED = ['solana:signMessage'];

const root = document.getElementById('take-back');
const words = toTexts(/** @type {unknown} */ (JSON.parse(root?.dataset['words'] ?? '{}')));
let isBusy = false;

document.documentElement.classList.add('js');
if (root !== null) findWallets(NEEDED, (wallet) => void offer(wallet));

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function toRecord(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/**
 * @param {unknown} value
 * @returns {Record<string, string>}
 */
function toTexts(value) {
  return Object.fromEntries(Object.entries(toRecord(value)).map(([key, text]) => [key, String(text)]));
}

/** @param {string} text */
function say(text) {
  document.getElementById('said')?.replaceChildren(text);
}

/**
 * A wallet of the other family could sign nothing for this payment.
 * @param {PayWallet} wallet
 */
async function offer(wallet) {
  const terms = await askTerms();
  if (terms === null || terms['family'] !== wallet.family) return;
  const button = document.createElement('button');
  button.type = 'button';
  // What a wallet calls itself is text, whatever it holds.
  button.textContent = (words['withWallet'] ?? '{wallet}').replace('{wallet}', () => wallet.name);
  button.className = document.querySelector('#wallets button') === null ? 'button wide' : 'button quiet';
  button.addEventListener('click', () => void takeBack(wallet, button));
  document.getElementById('wallets')?.append(button);
  const none = document.getElementById('no-wallet');
  if (none !== null) none.hidden = true;
}

/** What is to be signed now; null where it can no longer be taken back, or nobody answers. */
async function askTerms() {
  const response = await fetch(location.pathname, { headers: { accept: 'application/json' } }).catch(() => null);
  return response?.ok === true ? toRecord(await response.json()) : null;
}

/**
 * @param {PayWallet} wallet
 * @param {HTMLButtonElement} button
 */
async function takeBack(wallet, button) {
  if (isBusy) return;
  isBusy = true;
  button.setAttribute('aria-disabled', 'true');
  say(words['asks'] ?? '');
  const said = await signAndSend(wallet).catch(() => words['failed'] ?? '');
  isBusy = false;
  button.removeAttribute('aria-disabled');
  say(said);
}

/**
 * What to say, or nothing where the page is left.
 * @param {PayWallet} wallet
 * @returns {Promise<string>}
 */
async function signAndSend(wallet) {
  const terms = await askTerms();
  if (terms === null) return showNow();
  /** @type {Record<string, unknown>} */
  let signed;
  try {
    await wallet.connect();
    if (wallet.family === 'evm' && !(await wallet.switchTo(terms))) return words['otherChain'] ?? '';
    signed = await wallet.sign(terms);
  } catch {
    return words['refused'] ?? '';
  }
  const response = await fetch(root?.dataset['cancel'] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signature: signed['signature'], valid_before: terms['validBefore'] }),
  });
  if (response.ok) return leave();
  const { error } = toRecord(await response.json().catch(() => null));
  if (error === 'invalid_signature') return words['notYours'] ?? '';
  return error === 'not_cancellable' ? showNow() : (words['failed'] ?? '');
}

/** The letter shows how far it is. */
function leave() {
  location.assign(root?.dataset['letter'] ?? '/');
  return '';
}

/** It cannot be taken back: either somebody is collecting it now, or the letter says what became of it. */
async function showNow() {
  return (await askTerms()) === null ? leave() : (words['collected'] ?? '');
}
