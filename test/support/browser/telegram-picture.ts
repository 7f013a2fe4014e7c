import type { MessageEntity } from 'grammy/types';
import type { Shown } from '../../fakes/telegram/driver/reading.ts';
import { escapeHtml, type PicturedMessage } from './chat-picture.ts';

/** A message as a client would draw it, from what Telegram was really given. */
export function toPicture(shown: Shown): PicturedMessage {
  const { message, fromBot, text, entities, buttons, reactions } = shown;
  const replied = message.reply_to_message;
  return {
    author: message.from.first_name,
    isBot: fromBot,
    isMine: false,
    html: toHtml(text, entities),
    ...(replied?.from === undefined ? {} : { above: `In reply to ${replied.from.first_name}` }),
    ...(shown.ephemeral ? { below: 'Only you can see this' } : {}),
    buttons: buttons.flat(),
    reactions: [...reactions.values()],
  };
}

const TAGS: Partial<Record<MessageEntity['type'], readonly [string, string]>> = {
  bold: ['<b>', '</b>'],
  code: ['<code>', '</code>'],
  italic: ['<span class="small">', '</span>'],
  text_mention: ['<span class="person">', '</span>'],
  text_link: ['<a>', '</a>'],
  mention: ['<span class="person">', '</span>'],
  bot_command: ['<a>', '</a>'],
  blockquote: ['<span class="small">', '</span>'],
};

/** Offsets count UTF-16 units, as strings do here; entities lie within each other or apart. */
function toHtml(text: string, entities: readonly MessageEntity[]): string {
  const marks = entities.flatMap(({ type, offset, length }) => {
    const [open = '', close = ''] = TAGS[type] ?? [];
    return [
      { at: offset, tag: open, order: -length },
      { at: offset + length, tag: close, order: -1_000_000 + offset },
    ];
  });
  const sorted = marks.toSorted((one, other) => one.at - other.at || one.order - other.order);
  let html = '';
  let at = 0;
  for (const mark of sorted) {
    html += escapeHtml(text.slice(at, mark.at)) + mark.tag;
    at = mark.at;
  }
  return html + escapeHtml(text.slice(at));
}
