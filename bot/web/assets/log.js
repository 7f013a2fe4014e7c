/**
 * The conversation on the page. Everything a message says is set as text: nothing that came from a person or from the
 * server is ever read as HTML.
 */
export function createLog(root, names) {
  const shown = new Map();
  const sending = new Map();

  function show(message) {
    const element = renderMessage(message, names);
    const stick = isAtEnd();
    const own = message.event_id === null ? undefined : sending.get(message.event_id);
    const old = shown.get(message.id) ?? own;
    if (own) sending.delete(message.event_id);
    shown.set(message.id, element);
    if (old) old.replaceWith(element);
    else root.insertBefore(element, firstAfter(message.position));
    if (stick) scrollToEnd();
  }

  /** The first message that comes later; what is still being sent comes last. */
  function firstAfter(position) {
    return Array.from(root.children).find((child) => Number(child.dataset.position) > position) ?? null;
  }

  return {
    show,
    /** From now on changes are read out; what was there before the page is not. */
    announce: () => root.setAttribute('aria-live', 'polite'),
    clear() {
      root.replaceChildren();
      shown.clear();
      sending.clear();
    },
    /** A message on its way, with what is known about that. It stands last until the server has it. */
    showSending({ id, text }, note) {
      if (text === null) return;
      const view = { state: 'working', paragraphs: [[{ text }]], actions: [] };
      const element = renderMessage({ author: 'visitor', position: Infinity, view }, names);
      element.append(make('p', 'note', note));
      const old = sending.get(id);
      sending.set(id, element);
      if (old) old.replaceWith(element);
      else root.append(element);
      scrollToEnd();
    },
  };
}

function renderMessage({ author, position, view }, names) {
  const element = make('div', `message ${author} ${view.state}`);
  element.dataset.position = String(position);
  element.append(make('span', 'hidden', `${author === 'bot' ? names.bot : names.you}: `));
  for (const paragraph of view.paragraphs) {
    const line = make('p', '');
    for (const { text, style } of paragraph) line.append(style ? make(TAGS[style], style, text) : text);
    element.append(line);
  }
  if (view.actions.length > 0) element.append(renderActions(view.actions));
  return element;
}

const TAGS = { strong: 'strong', code: 'code', muted: 'span' };

function renderActions(actions) {
  const row = make('div', 'actions');
  for (const action of actions) row.append(renderAction(action));
  return row;
}

function renderAction(action) {
  if (action.kind === 'link') {
    const link = make('a', 'action', action.label);
    // Any other scheme could run code.
    if (/^https?:$/.test(new URL(action.url, location.href).protocol)) link.href = action.url;
    return link;
  }
  const button = make('button', action.kind === 'command' ? 'action command' : 'action', '');
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

function make(tag, className, text = '') {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}

function isAtEnd() {
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  return scrollHeight - scrollTop - clientHeight < 120;
}

function scrollToEnd() {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}
