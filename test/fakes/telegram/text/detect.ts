/**
 * Entities that Telegram finds by itself in what people and bots write. Its list of top-level domains is the real, long
 * one; here stand those that tests use. Phone numbers are not looked for.
 */
import type { MessageEntity } from 'grammy/types';

type Found = {
  type: 'mention' | 'bot_command' | 'url' | 'email' | 'hashtag' | 'cashtag';
  offset: number;
  length: number;
};

const DOMAINS = 'com|org|net|io|dev|app|me|co|xyz|eth|info|tips|social|fm|gg|tv|ai|uk|de|es|fr|br|pt|jp|ru|eu|us';

// The order decides: of two that overlap, the first stays.
const PATTERNS: { type: Found['type']; pattern: RegExp }[] = [
  { type: 'url', pattern: /\bhttps?:\/\/[^\s<>"']+/giu },
  { type: 'email', pattern: /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}\b/giu },
  {
    type: 'url',
    pattern: new RegExp(
      `(?<![\\w@./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+(?:${DOMAINS})(?![\\w-])(?:[/?#][^\\s<>"']*)?`,
      'giu',
    ),
  },
  { type: 'bot_command', pattern: /(?<![\w/<>@])\/[a-z0-9_]{1,64}(?:@[a-z0-9_]{3,32})?(?![\w/<>@])/giu },
  { type: 'mention', pattern: /(?<![\w@/])@[a-z][a-z0-9_]{3,31}(?!\w)/giu },
  { type: 'hashtag', pattern: /(?<![\p{L}\p{N}_#])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu },
  { type: 'cashtag', pattern: /(?<![\w$])\$[A-Z]{1,8}(?!\w)/gu },
];

export function detectEntities(text: string, taken: MessageEntity[] = []): MessageEntity[] {
  const found: Found[] = [];
  // In code and in links nothing is looked for; within bold it is.
  const closed = taken.filter((entity) => ['code', 'pre', 'text_link', 'text_mention'].includes(entity.type));
  for (const { type, pattern } of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const written = type === 'url' ? match[0].replace(/[.,:;!?)\]]+$/u, '') : match[0];
      const candidate: Found = { type, offset: match.index, length: written.length };
      if (![...closed, ...found].some((other) => overlaps(candidate, other))) found.push(candidate);
    }
  }
  return found;
}

function overlaps(one: { offset: number; length: number }, other: { offset: number; length: number }): boolean {
  return one.offset < other.offset + other.length && other.offset < one.offset + one.length;
}
