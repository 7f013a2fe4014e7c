import type { Action, Paragraph, Span, View } from '../view.ts';

/** The two kinds of buttons in use, in the form of Discord's API. */
export type DiscordButton =
  | { type: 2; style: 1 | 2; label: string; custom_id: string }
  | { type: 2; style: 5; label: string; url: string };

export type DiscordMessage = {
  content: string;
  components: { type: 1; components: DiscordButton[] }[];
};

/** Discord refuses a message of more than 2,000 characters. */
const CONTENT_CHARACTERS_MAX = 2_000;
/** Space reserved for the suggested commands, which come last. */
const COMMANDS_CHARACTERS_MAX = 600;
const LABEL_CHARACTERS_MAX = 80;
const URL_CHARACTERS_MAX = 512;
const BUTTON_ID_CHARACTERS_MAX = 100;
const ROW_BUTTONS_MAX = 5;
const BUTTONS_MAX = 25;

/**
 * Renders a view for Discord, for the bot and for the worker. All text is data: nothing that a person wrote becomes
 * markup, a link, a mention that Discord sees, or a command.
 */
export function toDiscordMessage({ paragraphs, actions }: View): DiscordMessage {
  const commands = commandsLine(actions);
  const room = CONTENT_CHARACTERS_MAX - commands.length - 1;
  const content = [...cutLines(paragraphs, room), ...(commands === '' ? [] : [commands])].join('\n');
  return { content: content === '' ? '…' : content, components: rowsOf(actions) };
}

/** The people whom a view names as recipients: emphasised, alone or in a list, and not inside a sentence. */
export function namedPeople({ paragraphs }: View): string[] {
  const names = paragraphs.flat().flatMap(({ text, style }) => (style === 'strong' ? text.split(/, |、/) : []));
  const ids = names.flatMap((name) => /^discord:([1-9][0-9]{0,19})(?: |$)/.exec(name)?.[1] ?? []);
  return [...new Set(ids)];
}

/** As many whole lines as fit. A line that is too long by itself is cut, and keeps its words only. */
function cutLines(paragraphs: readonly Paragraph[], charactersMax: number): string[] {
  const lines: string[] = [];
  let left = charactersMax;
  for (const paragraph of paragraphs) {
    const rendered = renderParagraph(paragraph);
    // A first line that does not fit is cut, because otherwise nothing would be shown.
    const shown = rendered.length < left ? rendered : lines.length === 0 ? cutText(paragraph, left) : '…';
    if (shown.length < left) lines.push(shown);
    if (shown !== rendered) break;
    left -= shown.length + 1;
  }
  return lines;
}

/** An escape doubles a character at most. */
function cutText(paragraph: Paragraph, charactersMax: number): string {
  const text = paragraph.map((span) => span.text).join('');
  return `${escapeText(sliceWhole(text, Math.floor(charactersMax / 2) - 8))}…`;
}

function renderParagraph(paragraph: Paragraph): string {
  const [first] = paragraph;
  const body = escapeLineStart(paragraph.map(renderSpan).join(''));
  // Small grey print applies to whole lines only.
  return first?.style === 'muted' ? `-# ${body}` : body;
}

function renderSpan({ text, style }: Span): string {
  const words = oneLine(text);
  if (words === '') return '';
  if (style === 'code') return codeSpan(words);
  const shown = renderWords(words);
  return style === 'strong' ? `**${shown}**` : shown;
}

/** A numbered person is shown by name. A web address can be copied, but is no link. */
const SPECIAL = /\bdiscord:([1-9][0-9]{0,19})\b|[A-Za-z][A-Za-z0-9+.-]*:\/\/\S+/g;

function renderWords(text: string): string {
  let shown = '';
  let at = 0;
  for (const match of text.matchAll(SPECIAL)) {
    const [found, person] = match;
    shown += escapeText(text.slice(at, match.index));
    shown += person === undefined ? codeSpan(found) : `<@${person}>`;
    at = match.index + found.length;
  }
  return shown + escapeText(text.slice(at));
}

/** Escapes every character that can begin markup, a mention or an emoji, anywhere in a line. */
function escapeText(text: string): string {
  return text.replace(/[\\*_~`|<>[\]@#]/g, '\\$&');
}

/** Escapes what begins a list or small print at the start of a line. */
function escapeLineStart(text: string): string {
  return text.replace(/^(\s*)([-+=])/, '$1\\$2').replace(/^(\s*[0-9]+)([.)])(?=\s|$)/, '$1\\$2');
}

/** The fence is longer than any run of backticks inside, so that no text can close it. */
function codeSpan(text: string): string {
  const runs = Array.from(text.matchAll(/`+/g), ([run]) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  return runs.length === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

/** One line, without characters that reorder the text around them. */
function oneLine(text: string): string {
  return text.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function commandsLine(actions: readonly Action[]): string {
  let shown = '';
  for (const action of actions) {
    if (action.kind !== 'command' || action.button) continue;
    const next = `${shown === '' ? '' : `${shown} `}${codeSpan(oneLine(action.command))}`;
    if (next.length > COMMANDS_CHARACTERS_MAX) break;
    shown = next;
  }
  return shown;
}

function rowsOf(actions: readonly Action[]): DiscordMessage['components'] {
  const buttons = actions.flatMap((action) => toButton(action) ?? []).slice(0, BUTTONS_MAX);
  const [first] = buttons;
  // The first button is the likeliest choice.
  if (first !== undefined && first.style === 2) buttons[0] = { ...first, style: 1 };
  const rows: DiscordMessage['components'] = [];
  for (let at = 0; at < buttons.length; at += ROW_BUTTONS_MAX) {
    rows.push({ type: 1, components: buttons.slice(at, at + ROW_BUTTONS_MAX) });
  }
  return rows;
}

/** Null for a button for which Discord would refuse the whole message. */
function toButton(action: Action): DiscordButton | null {
  if (action.kind === 'command') return action.button ? toButton({ kind: 'button', ...action.button }) : null;
  const label = sliceWhole(oneLine(action.label), LABEL_CHARACTERS_MAX) || '…';
  if (action.kind === 'button') {
    return action.id.length > BUTTON_ID_CHARACTERS_MAX ? null : { type: 2, style: 2, label, custom_id: action.id };
  }
  const isUsable = action.url.length <= URL_CHARACTERS_MAX && /^https?:\/\/\S+$/.test(action.url);
  return isUsable ? { type: 2, style: 5, label, url: action.url } : null;
}

/** Cuts text, but never inside a surrogate pair. */
function sliceWhole(text: string, charactersMax: number): string {
  return text.slice(0, Math.max(0, charactersMax)).replace(/[\uD800-\uDBFF]$/, '');
}
