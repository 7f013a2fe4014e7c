import { followChat } from './feed.js';
import { createLog } from './log.js';
import { createOutbox } from './outbox.js';

const form = document.querySelector('#composer');
const input = document.querySelector('#message');
const connection = document.querySelector('#connection');

const log = createLog(document.querySelector('#log'), form.dataset);
const outbox = createOutbox({
  onSent: (item) => log.showSending(item, form.dataset.sending),
  onWaiting: (item, isTooFast) => log.showSending(item, isTooFast ? form.dataset.tooFast : form.dataset.notSent),
  onRefused: (item) => log.showSending(item, form.dataset.refused),
});

followChat({
  onReset: () => log.clear(),
  onMessage: (message) => log.show(message),
  onReady() {
    connection.textContent = '';
    log.announce();
    outbox.retryNow();
  },
  onLost() {
    connection.textContent = connection.dataset.reconnecting;
  },
});

/** The field is emptied first, so a second Enter finds nothing to send. */
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = input.value.trim();
  input.value = '';
  if (text !== '') outbox.say(text);
});

document.addEventListener('click', (event) => {
  const target = event.target.closest('[data-command], [data-fill], [data-button]');
  if (!target || target.getAttribute('aria-disabled') === 'true') return;
  const { command, fill, button } = target.dataset;
  if (command) outbox.say(command);
  if (fill) {
    input.value = fill;
    input.focus();
  }
  if (button) {
    // Not `disabled`: that would take the keyboard's place away from under it.
    target.setAttribute('aria-disabled', 'true');
    outbox.press(button);
  }
});
