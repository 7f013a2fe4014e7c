/** A text with its entities as a method got it: parsed, trimmed, measured. */
import type { MessageEntity } from 'grammy/types';
import { badRequest } from '../refusal.ts';
import { detectEntities } from './detect.ts';
import { type FindUser, type Parsed, inOrder, parseHtml } from './html.ts';

export type Formatting = { parse_mode?: string; entities?: MessageEntity[] };

/** Bytes before parsing; more is refused without a look at it. */
const SOURCE_BYTES_MAX = 32_768;
const TEXT_CHARACTERS_MAX = 4096;
const CAPTION_CHARACTERS_MAX = 1024;
const ENTITIES_MAX = 100;

export function readText(source: string, formatting: Formatting, findUser: FindUser): Parsed {
  if (source === '') throw badRequest('message text is empty');
  const parsed = format(source, formatting, findUser);
  // What is left may be nothing: tags around blanks.
  if (parsed.text === '') throw badRequest('text must be non-empty');
  if (characters(parsed.text) > TEXT_CHARACTERS_MAX) throw badRequest('message is too long');
  return parsed;
}

export function readCaption(source: string, formatting: Formatting, findUser: FindUser): Parsed {
  const parsed = format(source, formatting, findUser);
  if (characters(parsed.text) > CAPTION_CHARACTERS_MAX) throw badRequest('message caption is too long');
  return parsed;
}

/** What a person typed: nothing but what Telegram finds in it, and the mentions that their client put in. */
export function typedText(text: string, entities: MessageEntity[] = []): Parsed {
  return { text, entities: inOrder([...entities, ...detectEntities(text, entities)]) };
}

function format(source: string, { parse_mode, entities }: Formatting, findUser: FindUser): Parsed {
  if (Buffer.byteLength(source, 'utf8') > SOURCE_BYTES_MAX) throw badRequest('Text is too long');
  const mode = parse_mode?.toLowerCase() ?? '';
  // Telegram knows Markdown too. Here nobody uses it, and a wrong parser would be worse than none.
  if (mode !== '' && mode !== 'html') throw badRequest('unsupported parse_mode (only HTML is modelled here)');
  const parsed = mode === 'html' ? parseHtml(source, findUser) : { text: source, entities: checked(source, entities) };
  const trimmed = trim(parsed);
  const all = inOrder([...trimmed.entities, ...detectEntities(trimmed.text, trimmed.entities)]);
  return { text: trimmed.text, entities: all.slice(0, ENTITIES_MAX) };
}

/** Given entities must lie within the text; the real one complains about the first that does not. */
function checked(text: string, entities: MessageEntity[] = []): MessageEntity[] {
  for (const { offset, length } of entities) {
    if (offset < 0 || length <= 0 || offset + length > text.length) {
      throw badRequest(`entity beginning at UTF-16 offset ${offset} ends after the end of the text`);
    }
  }
  return entities;
}

/** Blanks around a text disappear; entities move with it. */
function trim({ text, entities }: Parsed): Parsed {
  const start = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const moved = entities.flatMap((entity) => {
    const from = Math.max(0, entity.offset - start);
    const to = Math.min(trimmed.length, entity.offset + entity.length - start);
    return to > from ? [{ ...entity, offset: from, length: to - from }] : [];
  });
  return { text: trimmed, entities: moved };
}

/** Telegram counts code points, not what JavaScript calls length. */
export function characters(text: string): number {
  return Array.from(text).length;
}
