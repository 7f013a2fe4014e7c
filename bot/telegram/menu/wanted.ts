import { createHash } from 'node:crypto';
import type { BotCommand, BotCommandScope } from 'grammy/types';
import { LANGUAGE_TAGS, type Language } from '../../../core/languages.ts';
import { allowedBy } from '../../commands/offered.ts';
import type { BotRight } from '../../shared/messenger.ts';
import { COMMANDS, groupLists, type IsOffered } from './commands.ts';

export type Audience = { scope: BotCommandScope; language: Language | null };
/** Null: the audience has no list of its own. */
export type List = Audience & { commands: BotCommand[] | null };

/** What decides a group's menu, beside the bot's rights there. */
export type MenuFacts = {
  /** What a plain member lacks in every group. */
  plainLacks: () => readonly BotRight[];
  hasTreasury: (chat: number) => boolean;
  isHere: IsOffered;
};

/** What a group gets where the bot lacks these rights. */
export function menuFor(
  deps: MenuFacts,
  chat: number,
  lacks: readonly BotRight[],
): { commands: string; lists: List[]; menuHash: string } {
  const isOffered = offeredBy(deps, chat, lacks);
  const commands = nameAll(isOffered);
  const isPlain = commands === nameAll((name) => deps.isHere(name) && allowedBy(deps.plainLacks(), true)(name));
  const lists = listsOf(chat, isPlain ? null : isOffered);
  return { commands, lists, menuHash: createHash('sha256').update(JSON.stringify(lists)).digest('base64url') };
}

export function offeredBy({ isHere, hasTreasury }: MenuFacts, chat: number, lacks: readonly BotRight[]): IsOffered {
  const isAllowed = allowedBy(lacks, hasTreasury(chat));
  return (command) => isHere(command) && isAllowed(command);
}

export function nameAll(isOffered: IsOffered): string {
  return COMMANDS.flatMap(({ name }) => (isOffered(name) ? [name] : [])).join(' ');
}

/**
 * In each language: a list of the group without one hides those for all groups in every language, so its members would
 * read English. English itself is the list without a language. Administrators have a list of their own, because the
 * group's would hide theirs.
 */
function listsOf(chat: number, isOffered: IsOffered | null): List[] {
  const listFor = (type: 'chat' | 'chat_administrators', language: Language | null): List => {
    const lists = isOffered === null ? null : groupLists(isOffered, language);
    const commands = type === 'chat' ? lists?.members : lists?.administrators;
    return { scope: { type, chat_id: chat }, language, commands: commands ?? null };
  };
  const others = LANGUAGE_TAGS.filter((tag) => tag !== 'en');
  return [
    listFor('chat', null),
    ...others.flatMap((tag) => [listFor('chat', tag), listFor('chat_administrators', tag)]),
    listFor('chat_administrators', null),
  ];
}
