/**
 * The HTML of `parse_mode`: a dozen tags, four named entities, and a refusal for everything else that looks like a tag.
 * Offsets in its complaints are bytes of the sent text, as in the real one; entities count UTF-16 units.
 */
import type { MessageEntity, User } from 'grammy/types';
import { badRequest } from '../refusal.ts';
import { isAcceptableUrl } from './url.ts';

export type Parsed = { text: string; entities: MessageEntity[] };

/** Answers the person of a tg://user link, if the bot has met them: others are no mention. */
export type FindUser = (id: number) => User | undefined;

type Tag = { name: string; start: number; attributes: Map<string, string> };

const STYLES: Record<string, 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler'> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
};
const TAGS = new Set([...Object.keys(STYLES), 'a', 'code', 'pre', 'blockquote', 'tg-emoji']);
const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

export function parseHtml(source: string, findUser: FindUser): Parsed {
  const open: Tag[] = [];
  const entities: MessageEntity[] = [];
  let text = '';
  let at = 0;

  while (at < source.length) {
    const character = source[at];
    if (character === '&') {
      const decoded = decodeEntity(source, at);
      text += decoded.text;
      at = decoded.next;
    } else if (character !== '<') {
      text += character;
      at += 1;
    } else if (source[at + 1] === '/') {
      at = closeTag(source, at, open, (tag) => addEntity(entities, tag, text, findUser));
    } else {
      const { tag, next } = readTag(source, at, text.length);
      open.push(tag);
      at = next;
    }
  }

  const unclosed = open.at(-1);
  if (unclosed) throw cannotParse(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  return { text, entities: inOrder(entities) };
}

export const cannotParse = (why: string) => badRequest(`can't parse entities: ${why}`);

/** Unknown names stay as they were written; so does a bare ampersand. */
function decodeEntity(source: string, at: number): { text: string; next: number } {
  const match = /^&(?:#(\d{1,8})|#x([0-9a-fA-F]{1,6})|([a-z]{2,6}));?/.exec(source.slice(at, at + 12));
  if (match) {
    const [whole, decimal, hexadecimal, name] = match;
    const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : 0;
    if (code > 0 && code <= 0x10ffff) return { text: String.fromCodePoint(code), next: at + whole.length };
    const named = name === undefined ? undefined : NAMED[name];
    if (named !== undefined) return { text: named, next: at + whole.length };
  }
  return { text: '&', next: at + 1 };
}

function readTag(source: string, at: number, start: number): { tag: Tag; next: number } {
  const byte = byteOffset(source, at);
  const rest = source.slice(at + 1);
  const name = /^[^\s>]*/.exec(rest)?.[0].toLowerCase() ?? '';
  if (!rest.includes('>')) throw cannotParse(`Unclosed start tag at byte offset ${byte}`);
  if (!TAGS.has(name)) throw cannotParse(`Unsupported start tag "${name}" at byte offset ${byte}`);

  const attributes = new Map<string, string>();
  let next = at + 1 + name.length;
  while (true) {
    next += /^\s*/.exec(source.slice(next))?.[0].length ?? 0;
    if (source[next] === '>') break;
    const read = readAttribute(source, next, name, byte);
    attributes.set(read.name, read.value);
    next = read.next;
  }
  if (name === 'span' && attributes.get('class') !== 'tg-spoiler') {
    throw cannotParse(`Tag "span" must have class "tg-spoiler" at byte offset ${byte}`);
  }
  return { tag: { name, start, attributes }, next: next + 1 };
}

function readAttribute(source: string, at: number, tag: string, byte: number) {
  const rest = source.slice(at);
  const bare = /^([a-zA-Z-]+)(?=[\s>])/.exec(rest);
  if (bare?.[1] === 'expandable' && tag === 'blockquote') {
    return { name: 'expandable', value: '', next: at + bare[0].length };
  }
  const name = /^[^\s=>]*/.exec(rest)?.[0] ?? '';
  if (name === '') throw cannotParse(`Empty attribute name in the tag "${tag}" at byte offset ${byte}`);
  const value = /^\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)(?=[\s>]))/.exec(rest.slice(name.length));
  if (!value) {
    throw cannotParse(`Expected equal sign and a value in an attribute of the tag "${tag}" at byte offset ${byte}`);
  }
  const written = value[1] ?? value[2] ?? value[3] ?? '';
  return { name: name.toLowerCase(), value: decodeAll(written), next: at + name.length + value[0].length };
}

function decodeAll(text: string): string {
  let decoded = '';
  for (let at = 0; at < text.length;) {
    if (text[at] !== '&') {
      decoded += text[at];
      at += 1;
      continue;
    }
    const entity = decodeEntity(text, at);
    decoded += entity.text;
    at = entity.next;
  }
  return decoded;
}

function closeTag(source: string, at: number, open: Tag[], close: (tag: Tag) => void): number {
  const byte = byteOffset(source, at);
  const tag = open.pop();
  if (!tag) throw cannotParse(`Unexpected end tag at byte offset ${byte}`);
  const end = /^<\/([^\s>]*)\s*>/.exec(source.slice(at));
  if (!end) throw cannotParse(`Unclosed end tag at byte offset ${byte}`);
  const name = (end[1] ?? '').toLowerCase();
  if (name !== '' && name !== tag.name) {
    throw cannotParse(`Unmatched end tag at byte offset ${byte}, expected "</${tag.name}>", found "</${name}>"`);
  }
  close(tag);
  return at + end[0].length;
}

function addEntity(entities: MessageEntity[], tag: Tag, text: string, findUser: FindUser): void {
  const place = { offset: tag.start, length: text.length - tag.start };
  // An empty tag marks nothing.
  if (place.length === 0) return;
  const style = STYLES[tag.name];
  if (style) entities.push({ type: style, ...place });
  else if (tag.name === 'a') addLink(entities, place, tag.attributes.get('href') ?? text.slice(tag.start), findUser);
  else if (tag.name === 'code') addCode(entities, place, tag.attributes.get('class'));
  else if (tag.name === 'pre') addPre(entities, place);
  else if (tag.name === 'blockquote') {
    entities.push({ type: tag.attributes.has('expandable') ? 'expandable_blockquote' : 'blockquote', ...place });
  }
  // A custom emoji needs a bot that bought a name; for all others its alternative text is what people see.
}

type Place = { offset: number; length: number };

function addLink(entities: MessageEntity[], place: Place, href: string, findUser: FindUser): void {
  const userId = /^tg:\/\/user\?id=(\d+)$/.exec(href)?.[1];
  if (userId !== undefined) {
    const user = findUser(Number(userId));
    if (user) entities.push({ type: 'text_mention', ...place, user });
  } else if (isAcceptableUrl(href)) {
    entities.push({ type: 'text_link', ...place, url: href });
  }
}

function addCode(entities: MessageEntity[], place: Place, className: string | undefined): void {
  const language = /^language-(.+)$/.exec(className ?? '')?.[1];
  // Remembered until </pre>: only there a language means something.
  if (language === undefined) entities.push({ type: 'code', ...place });
  else entities.push({ type: 'pre', ...place, language });
}

/** What lies within code or pre is shown as it is, so its entities go. */
function addPre(entities: MessageEntity[], place: Place): void {
  const last = entities.at(-1);
  const language =
    last?.type === 'pre' && last.offset === place.offset && last.length === place.length ? last.language : undefined;
  const outside = entities.filter((entity) => entity.offset < place.offset);
  entities.splice(0, entities.length, ...outside, {
    type: 'pre',
    ...place,
    ...(language === undefined ? {} : { language }),
  });
}

export function inOrder(entities: MessageEntity[]): MessageEntity[] {
  return entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length);
}

function byteOffset(source: string, at: number): number {
  return Buffer.byteLength(source.slice(0, at), 'utf8');
}
