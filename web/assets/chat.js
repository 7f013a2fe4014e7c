import { find } from './elements.js';
import { followChat } from './feed.js';
import { createLog } from './log.js';
import { createOutbox } from './outbox.js';

const form = find('#composer', HTMLFormElement);
const input = find('#message', HTMLInputElement);
const send = find('#composer .send', HTMLButtonElement);
const connection = find('#connection', HTMLElement);
const words = form.dataset;

const log = createLog(find('#log', HTMLElement), { you: words.you ?? '', bot: words.bot ?? '' });
const outbox = createOutbox({
  onSent: (item) => log.showSending(item, words.sending ?? ''),
  onWaiting: (item, isTooFast) => log.showSending(item, (isTooFast ? words.tooFast : words.notSent) ?? ''),
  onRefused: (item) => log.showSending(item, words.refused ?? ''),
});

followChat({
  onReset: () => log.clear(),
  onMessage: (message) => log.show(message),
  onReady() {
    connection.textContent = '';
    log.announce();
    // On a phone this would open the keyboard over the page that the person came to see.
    if (matchMedia('(hover: hover)').matches && document.activeElement === document.body) input.focus();
    outbox.retryNow();
  },
  onLost() {
    connection.textContent = connection.dataset.reconnecting ?? '';
  },
});

/** The field is emptied first, so a second Enter finds nothing to send. */
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = input.value.trim();
  input.value = '';
  if (text !== '') outbox.say(text);
});

document.addEventListener('click', ({ target }) => {
  const control = target instanceof Element ? target.closest('[data-command], [data-fill], [data-button]') : null;
  if (!(control instanceof HTMLElement) || control.getAttribute('aria-disabled') === 'true') return;
  const { command, fill, button } = control.dataset;
  if (command) outbox.say(command);
  if (fill) {
    input.value = fill;
    input.focus();
  }
  if (button) {
    // Not `disabled`: that would take the keyboard's place away from under it.
    control.setAttribute('aria-disabled', 'true');
    outbox.press(button);
  }
});

// The last line: from now on the page listens.
send.disabled = false;
