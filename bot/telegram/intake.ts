import type { Ids } from '../../core/ids.ts';
import { ensureChatAccount } from '../../db/bot/chat-account.ts';
import type { Store } from '../../db/store.ts';
import type { Bot } from '../core/bot.ts';
import type { Origin } from '../core/messenger.ts';
import { privateView, publicView } from '../core/views.ts';
import { languageOf } from '../core/speech.ts';
import { payingWalletOf } from '../core/wallets.ts';
import type { Board } from './board.ts';
import { readPress, readText, type Incoming, type Self } from './event.ts';
import { answerKey } from './messenger.ts';
import { telegramTextsIn } from './languages.ts';
import type { Names } from './names.ts';
import { isGroup, readPlace, TELEGRAM_TRANSPORT } from './place.ts';
import type { KnownUpdate, TelegramPerson } from './update.ts';

export type IntakeDeps = {
  store: Store;
  bot: Pick<Bot, 'handle' | 'press'>;
  board: Pick<Board, 'open'>;
  names: Names;
  ids: Pick<Ids, 'identityId'>;
  addressOf: (walletId: string) => string | Promise<string>;
  isModerator: (chat: number, user: number) => Promise<boolean | undefined>;
  self: () => Self;
  nowMs: () => number;
};

/** Older than this, somebody who typed a command has given it up or typed it again: paying then would surprise. */
const FRESH_LIMIT_MS = 15 * 60_000;

/** Hands an update to the core. Run again for the same update, it leads to the same order and the same answer. */
export async function takeUpdate(deps: IntakeDeps, update: KnownUpdate): Promise<void> {
  learnNames(deps.names, update);
  const self = deps.self();
  const incoming = 'message' in update ? readText(update.message, self) : readPress(update.callback_query, self);
  if (incoming === null) return;
  if (incoming.kind === 'anonymous') return refuse(deps, incoming.event, 'anonymous');
  const isOld = 'message' in update && deps.nowMs() - update.message.date * 1_000 > FRESH_LIMIT_MS;
  if (isOld) return refuse(deps, incoming.event, 'tooLate');
  const { person } = incoming;
  const [walletId, moderates] = await Promise.all([walletOf(deps, person), moderatorOf(deps, incoming)]);
  const known = { walletId, ...(moderates === undefined ? {} : { isModerator: moderates }) };
  if (incoming.kind === 'press') return deps.bot.press({ ...incoming.event, ...known });
  await deps.bot.handle({ ...incoming.event, ...known });
}

function learnNames(names: Names, update: KnownUpdate): void {
  const people =
    'message' in update
      ? [
          update.message.from,
          update.message.reply_to_message?.from,
          ...(update.message.entities ?? []).map(({ user }) => user),
        ]
      : [update.callback_query.from];
  for (const person of people) if (person) names.learn(person.id, person.first_name);
}

/** What this person pays from now. */
async function walletOf(deps: IntakeDeps, person: TelegramPerson): Promise<string> {
  const { store, ids, nowMs, addressOf } = deps;
  const stableId = String(person.id);
  const id = `${TELEGRAM_TRANSPORT}:${stableId}`;
  const display = person.username === undefined ? person.first_name : `@${person.username}`;
  const walletAddress = await addressOf(id);
  const account = { platform: TELEGRAM_TRANSPORT, stableId, display, walletAddress } as const;
  await ensureChatAccount({ store, ids, nowMs: nowMs() }, account);
  return payingWalletOf(store, id);
}

/** No command asks yet who may moderate; buttons that were shown to moderators do. */
async function moderatorOf({ isModerator }: IntakeDeps, incoming: Incoming): Promise<boolean | undefined> {
  const place = readPlace(incoming.event.chatId);
  if (!isGroup(place) || incoming.kind === 'anonymous') return undefined;
  if (incoming.kind === 'text') return undefined;
  return isModerator(place.chat, incoming.person.id);
}

/** An order that is there already goes on without its event, and its message stays as it is. */
async function refuse(
  { store, board }: IntakeDeps,
  origin: Omit<Origin, 'walletId'>,
  reason: 'anonymous' | 'tooLate',
): Promise<void> {
  const { chatId, eventId, userId, language = null } = origin;
  const text = telegramTextsIn(await languageOf({ store }, origin))[reason]();
  // Who is anonymous has no place of his own to be told in.
  const toView = reason === 'anonymous' ? publicView : privateView;
  const view = toView('error', [[{ text }]]);
  await board.open({ key: answerKey(eventId), chatId, eventId, userId, language, view });
}
