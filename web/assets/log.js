import { make } from './elements.js';
import { renderMessage } from './message.js';

/**
 * @typedef {import('./feed.js').Message} Message
 * @typedef {import('./outbox.js').Item} Item
 */

/**
 * The conversation on the page: what the server has, in its order, and last what is still on its way there.
 * @param {HTMLElement} root
 * @param {{ you: string, bot: string }} names
 */
export function createLog(root, names) {
  /** @type {Map<string, HTMLElement>} */
  const shown = new Map();
  /** @type {Map<string, HTMLElement>} */
  const sending = new Map();

  /** @param {number} position */
  function firstAfter(position) {
    return Array.from(root.querySelectorAll('.message')).find((child) => positionOf(child) > position) ?? null;
  }

  return {
    /** @param {Message} message */
    show(message) {
      const element = renderMessage(message, names);
      // Until a message is there, the top of the page is what a visitor came to read.
      const stick = root.querySelector('.visitor') !== null && isAtEnd();
      const eventId = message.event_id ?? '';
      const old = shown.get(message.id) ?? sending.get(eventId);
      sending.delete(eventId);
      shown.set(message.id, element);
      if (old) old.replaceWith(element);
      else root.insertBefore(element, firstAfter(message.position));
      if (stick) scrollToEnd();
    },
    /**
     * A message on its way, with what is known about that.
     * @param {Item} item
     * @param {string} note
     */
    showSending({ id, text }, note) {
      if (text === null) return;
      const element = renderMessage({ author: 'visitor', position: Infinity, view: textView(text) }, names);
      element.append(make('p', 'sending', note));
      const old = sending.get(id);
      sending.set(id, element);
      if (old) old.replaceWith(element);
      else root.append(element);
      scrollToEnd();
    },
    /** From now on changes are read out; what was there before the page is not. */
    announce: () => root.setAttribute('aria-live', 'polite'),
    clear() {
      root.replaceChildren();
      shown.clear();
      sending.clear();
    },
  };
}

/**
 * @param {string} text
 * @returns {Message['view']}
 */
function textView(text) {
  return { state: 'working', audience: 'person', paragraphs: [[{ text }]], actions: [] };
}

/** @param {Element} element */
function positionOf(element) {
  return element instanceof HTMLElement ? Number(element.dataset.position) : Infinity;
}

/** The conversation scrolls in its own room; in a low window the whole page does. */
function scroller() {
  const main = document.querySelector('main');
  return main && main.scrollHeight > main.clientHeight ? main : document.documentElement;
}

function isAtEnd() {
  const { scrollHeight, scrollTop, clientHeight } = scroller();
  return scrollHeight - scrollTop - clientHeight < 120;
}

function scrollToEnd() {
  scroller().scrollTo({ top: scroller().scrollHeight });
}
