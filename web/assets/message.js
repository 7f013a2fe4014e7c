import { make } from './elements.js';

/**
 * @typedef {import('./feed.js').Message} Message
 * @typedef {import('../../core/view.ts').Action} Action
 */

/**
 * @param {Pick<Message, 'author' | 'position' | 'view'>} message
 * @param {{ you: string, bot: string }} names
 */
export function renderMessage({ author, position, view }, names) {
  const element = make('div', `message ${author} ${view.state}`);
  element.dataset.position = String(position);
  element.append(make('span', 'visually-hidden', `${author === 'bot' ? names.bot : names.you}: `));
  for (const paragraph of view.paragraphs) {
    const line = make('p');
    for (const { text, style } of paragraph) line.append(style ? make(TAGS[style], style, text) : text);
    element.append(line);
  }
  if (view.actions.length === 0) return element;
  const row = make('div', 'actions');
  row.append(...view.actions.map(renderAction));
  element.append(row);
  return element;
}

const TAGS = /** @type {const} */ ({ strong: 'strong', code: 'code', muted: 'span' });

/** @param {Action} action */
function renderAction(action) {
  if (action.kind === 'link') return renderLink(action.label, action.url);
  const button = make('button', action.kind === 'command' ? 'button quiet small command' : 'button quiet small');
  button.type = 'button';
  if (action.kind === 'command') {
    button.dataset.command = action.command;
    button.append(make('code', '', action.command));
  } else {
    button.dataset.button = action.id;
    button.textContent = action.label;
  }
  return button;
}

/**
 * @param {string} label
 * @param {string} url
 */
function renderLink(label, url) {
  const link = make('a', 'button quiet small', label);
  // Any other scheme could run code.
  if (/^https?:$/.test(new URL(url, location.href).protocol)) link.href = url;
  return link;
}
