/**
 * A comfort: a person with a wallet in this browser need not copy an address. Each wallet gets a button beside the field
 * of each network that it can be paid on. Without one, or without script, the field is all there is.
 */
import { findWallets } from './wallets.js';

/** So many buttons fit beside a field. */
const BUTTONS_MAX = 4;

findWallets([], (wallet) => {
  for (const place of document.querySelectorAll(`[data-wallets="${wallet.family}"]`)) {
    const field = place.closest('.field')?.querySelector('input');
    const buttons = place.querySelector('.actions');
    if (!field || !buttons || buttons.childElementCount === BUTTONS_MAX) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button quiet small';
    // What a wallet calls itself is text, whatever it holds.
    button.textContent = (place.getAttribute('data-use') ?? '{wallet}').replace('{wallet}', () => wallet.name);
    button.addEventListener('click', () => void fill(field, place, wallet.connect));
    buttons.append(button);
  }
});

/**
 * @param {HTMLInputElement} field
 * @param {Element} place
 * @param {() => Promise<string>} ask
 */
async function fill(field, place, ask) {
  /** @param {string} text */
  const say = (text) => place.querySelector('[role="status"]')?.replaceChildren(place.getAttribute(text) ?? '');
  say('data-asks');
  const address = await ask().catch(() => '');
  if (address === '') return say('data-refused');
  field.value = address;
  field.focus();
  say('data-filled');
}
