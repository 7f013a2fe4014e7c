import type { Action, Paragraph, Span, View } from '../../core/view.ts';
import type { Names } from './people.ts';

export type Button = { text: string } & ({ callback_data: string } | { url: string });
export type Rendered = { text: string; keyboard: Button[][] };
/** `isQuiet` names people without notifying them. */
type Mentions = Pick<Names, 'find'> & { isQuiet: boolean };

/** Telegram accepts 4,096 characters and refuses the whole message beyond that. */
const CHARACTERS_MAX = 3_900;
const LABEL_CHARACTERS_MAX = 64;
const BUTTONS_MAX = 100;
/** What a narrow screen shows side by side without cutting labels. */
const ROW_BUTTONS_MAX = 4;
const ROW_CHARACTERS_MAX = 28;
/** A person whom the core knows by number: the only kind of mention that is meant to notify. */
const PERSON = /\btelegram:(\d{1,16})\b/g;

/** Whom a view names by number, each once. */
export function peopleNamedIn({ paragraphs, opening = [], actions }: View): number[] {
  const spans = [...paragraphs, opening].flat().filter(({ style }) => style !== 'code');
  const texts = [...spans.map(({ text }) => text), ...actions.flatMap((action) => buttonOf(action)?.label ?? [])];
  return [...new Set(texts.flatMap((text) => Array.from(text.matchAll(PERSON), ([, id]) => Number(id))))];
}

/** A view in Telegram's HTML. All text is data: nothing that a person wrote becomes a tag, a mention or a button. */
export function renderView(view: View, known: Pick<Names, 'find'>, { isQuiet = false } = {}): Rendered {
  const names = { find: known.find, isQuiet };
  const commands = view.actions.flatMap((action) =>
    action.kind === 'command' && !isSaidWhole(action.button) ? [action.command] : [],
  );
  const links = view.actions.flatMap((action) => (action.kind === 'link' ? [action] : []));
  const unusable = links.filter(({ url }) => !isUsableLink(url));
  const lines: Paragraph[] = [
    ...view.paragraphs,
    ...unusable.map(({ label, url }) => [{ text: `${label}: ` }, { text: url, style: 'code' as const }]),
    ...commands.map((command) => [{ text: command, style: 'code' as const }]),
  ];
  const text = renderParagraphs(lines, names);
  return { text: text === '' ? '…' : text, keyboard: keyboardOf(view.actions, known) };
}

function renderParagraphs(paragraphs: readonly Paragraph[], names: Mentions): string {
  let left = CHARACTERS_MAX;
  const lines: string[] = [];
  for (const paragraph of paragraphs) {
    let html = '';
    for (const span of paragraph) {
      const kept = cut(span.text, left);
      left -= kept.length;
      html += renderSpan({ ...span, text: kept }, names);
    }
    lines.push(html);
    if (--left <= 0) break;
  }
  return lines.join('\n');
}

/** Never splits a character. */
function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const kept = text.slice(0, Math.max(0, charactersMax - 1)).replace(/[\uD800-\uDBFF]$/, '');
  return charactersMax < 1 ? '' : `${kept}…`;
}

function renderSpan({ text, style, isQuiet }: Span, known: Mentions): string {
  if (text === '') return '';
  const names = { ...known, isQuiet: isQuiet === true || known.isQuiet };
  switch (style) {
    case 'code':
      return `<code>${escapeHtml(text)}</code>`;
    case 'strong':
      return `<b>${renderText(text, names)}</b>`;
    case 'muted':
      return `<i>${renderText(text, names)}</i>`;
    case undefined:
      return renderText(text, names);
  }
}

function renderText(text: string, names: Mentions): string {
  let html = '';
  let at = 0;
  for (const match of text.matchAll(PERSON)) {
    const [written, id = ''] = match;
    html += escapeWords(text.slice(at, match.index));
    const name = escapeWords(names.find(Number(id)) ?? written);
    html += names.isQuiet ? name : `<a href="tg://user?id=${id}">${name}</a>`;
    at = match.index + written.length;
  }
  return html + escapeWords(text.slice(at));
}

/** Where Telegram would see a mention and notify that person, or a Mini App, an invisible joiner breaks the word. */
function escapeWords(text: string): string {
  const unlinked = text.replace(TELEGRAM_LINK, (link) => (opensMiniApp(link) ? breakLink(link) : link));
  return escapeHtml(unlinked.replace(/(?<![\p{L}\p{N}_/])@(?=[A-Za-z])/gu, '@\u2060'));
}

/** Links of Telegram's own, as people write them. */
const TELEGRAM_LINK = /(?<![\w.-])(?:tg:\/\/|(?:https?:\/\/)?(?:[\w-]+\.)*(?:t\.me|telegram\.(?:me|dog))\.?[/?#])\S*/gi;
const AFTER_LINK = /[.,:;!?)\]"'<>]+$/;
const TELEGRAM_HOST = /(?:^|\.)(?:t\.me|telegram\.(?:me|dog))\.?$/;
/** A chat, an invitation, or a message. */
const CHAT_PATH = /^\/(?:\+?[\w-]+|\w+(?:\/\d+)+)\/?$/;

/** What names an app in a link that clients alone read. */
const APP_KEYS = ['appname', 'startapp', 'startattach', 'attach'];

/** This bot has no Mini App, and opens nobody else's. Of Telegram's own links that leaves those to chats. */
function opensMiniApp(link: string): boolean {
  const bare = link.replace(AFTER_LINK, '');
  const whole = /^[a-z]+:\/\//i.test(bare) ? bare : `https://${bare}`;
  if (!URL.canParse(whole)) return false;
  const { protocol, hostname, pathname, searchParams } = new URL(whole);
  if (protocol === 'tg:') return APP_KEYS.some((name) => searchParams.has(name));
  if (!TELEGRAM_HOST.test(hostname)) return false;
  const isPlain = /^(?:t|telegram)\./.test(hostname) && [...searchParams.keys()].every((name) => name === 'start');
  return !isPlain || !CHAT_PATH.test(pathname);
}

const breakLink = (link: string): string => link.replace(/:(?=\/\/)|\.(?=(?:me|dog)\b)/gi, '$&\u2060');

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function keyboardOf(actions: readonly Action[], known: Pick<Names, 'find'>): Button[][] {
  const rows: Button[][] = [];
  for (const button of actions.slice(0, BUTTONS_MAX).flatMap((action) => toButton(action, known))) {
    const row = rows.at(-1);
    const characters = [...(row ?? []), button].reduce((sum, { text }) => sum + text.length, 0);
    if (row && row.length < ROW_BUTTONS_MAX && characters <= ROW_CHARACTERS_MAX) row.push(button);
    else rows.push([button]);
  }
  return rows;
}

/** The text of a button is not written out as well; text that does not fit on one has to be readable somewhere. */
function isSaidWhole(button: { label: string } | undefined): boolean {
  return button !== undefined && button.label.length <= LABEL_CHARACTERS_MAX;
}

const buttonOf = (action: Action) => (action.kind === 'command' ? action.button : action);

/** A button mentions nobody, so a name on it is only read. */
function toButton(action: Action, { find }: Pick<Names, 'find'>): Button[] {
  const button = buttonOf(action);
  if (button === undefined) return [];
  const label = button.label.replace(PERSON, (written, id: string) => find(Number(id)) ?? written);
  const text = cut(label, LABEL_CHARACTERS_MAX) || '…';
  if ('id' in button) return [{ text, callback_data: button.id }];
  return isUsableLink(button.url) ? [{ text, url: button.url }] : [];
}

/** Telegram refuses the whole message for a link to a host without a dot, such as localhost. */
function isUsableLink(url: string): boolean {
  if (!URL.canParse(url) || /\s/.test(url) || opensMiniApp(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && hostname.includes('.');
}
