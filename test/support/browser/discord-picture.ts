import type { SeenMessage } from '../../fakes/discord/driver/reading.ts';
import { escapeHtml, type PicturedMessage } from './chat-picture.ts';

type Names = (userId: string) => string;

/** A message as a member's client would draw it, from what Discord was really given. */
export function toPicture(message: SeenMessage, nameOf: Names, command: string | undefined): PicturedMessage {
  return {
    author: message.author.username,
    isBot: message.author.bot,
    isMine: false,
    html: message.isLoading ? '<span class="small">thinking…</span>' : toHtml(message.content, nameOf),
    ...(command === undefined ? {} : { above: command }),
    ...(message.isEphemeral ? { below: 'Only you can see this' } : {}),
    buttons: message.buttons.map(({ label }) => label ?? ''),
    reactions: message.reactions.map(({ emoji, userIds }) => `${emoji} ${userIds.length}`),
  };
}

const MARKS =
  /\\(?<escaped>[^A-Za-z0-9\s])|`(?<code>[^`]+)`|<@!?(?<person>[0-9]+)>|\*\*(?<strong>(?:\\.|[^*\\])+)\*\*/g;

/** The few marks that the bot uses. Anything else that Discord reads as markup would show as it was sent. */
function toHtml(content: string, nameOf: Names): string {
  return content
    .split('\n')
    .map((text) => toLine(text, nameOf))
    .join('\n');
}

function toLine(text: string, nameOf: Names): string {
  const small = text.startsWith('-# ');
  const shown = toSpans(small ? text.slice(3) : text, nameOf);
  return small ? `<span class="small">${shown}</span>` : shown;
}

function toSpans(text: string, nameOf: Names): string {
  let shown = '';
  let at = 0;
  for (const match of text.matchAll(MARKS)) {
    const { escaped, code, person, strong } = match.groups ?? {};
    shown += escapeHtml(text.slice(at, match.index));
    if (escaped !== undefined) shown += escapeHtml(escaped);
    if (code !== undefined) shown += `<code>${escapeHtml(code)}</code>`;
    if (person !== undefined) shown += `<span class="person">@${escapeHtml(nameOf(person))}</span>`;
    if (strong !== undefined) shown += `<b>${toSpans(strong, nameOf)}</b>`;
    at = match.index + match[0].length;
  }
  return shown + escapeHtml(text.slice(at));
}
