import type { Ids } from '../../core/ids.ts';
import { treasuryWalletOf } from '../../core/treasury/treasury.ts';
import { ensureChatAccount } from '../../db/chats/chat-account.ts';
import { moveCommunity } from '../../db/communities/community-move.ts';
import { restartTreasuryAddresses } from '../../db/treasury/treasury-addresses.ts';
import { findOrderByEvent } from '../../db/tips/orders.ts';
import type { Store } from '../../db/store/store.ts';
import type { Bot } from '../commands/bot.ts';
import { COMMAND_FRESH_MS } from '../shared/card-time.ts';
import type { Messenger, Origin, TextEvent } from '../shared/messenger.ts';
import { privateView, publicView } from '../conversation/views.ts';
import { readGroupLanguage } from '../../db/communities/community-settings.ts';
import { cardLanguageOf, firstView, languageOf, speaking } from '../conversation/speech.ts';
import { textsEn } from '../../texts/en.ts';
import { payingWalletOf } from '../shared/wallets.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { isSettings, readPress, readText, type Incoming, type Self } from './event.ts';
import { answerKey } from './messenger.ts';
import type { GroupMenus } from './menu/groups.ts';
import type { IsModerator } from './moderators.ts';
import { telegramTextsIn } from '../../texts/telegram/languages.ts';
import { isStop, type PersonRate } from '../inbox/person-rate.ts';
import { meetPeople, peopleIn, type Names } from './people.ts';
import { isGroup, readPlace, TELEGRAM_TRANSPORT } from './place.ts';
import {
  hasCome,
  isMoved,
  isPlaced,
  type KnownUpdate,
  type PersonalUpdate,
  type PlacedUpdate,
  type TelegramPerson,
} from './update.ts';

export type IntakeDeps = {
  store: Store;
  bot: Pick<Bot, 'handle' | 'press'>;
  outbox: Pick<Outbox, 'open' | 'answerFirst'>;
  messenger: Pick<Messenger, 'open'>;
  names: Names;
  ids: Pick<Ids, 'identityId'>;
  addressOf: (walletId: string) => string | Promise<string>;
  isModerator: IsModerator;
  menus: Pick<GroupMenus, 'note'>;
  self: () => Self;
  rate: PersonRate;
  nowMs: () => number;
};

type Personal = Extract<Incoming, { person: TelegramPerson }>;

/**
 * Hands an update to the core. Run again for the same update, it leads to the same order and the same answer. `isAgain`: an
 * earlier process may have begun it.
 */
export async function takeUpdate(deps: IntakeDeps, update: KnownUpdate, isAgain: boolean): Promise<void> {
  if (isMoved(update)) {
    const { chat, migrate_to_chat_id: to } = update.message;
    deps.menus.note(to);
    return moveCommunity(deps.store, { transport: TELEGRAM_TRANSPORT, from: String(chat.id), to: String(to) });
  }
  if (isPlaced(update)) return notePlace(deps, update);
  const incoming = await readIncoming(deps, update);
  if (incoming === null) return;
  if (incoming.kind === 'anonymous') return refuse(deps, incoming.event, 'anonymous');
  const isOld =
    'message' in update && deps.nowMs() - update.message.date * 1_000 > COMMAND_FRESH_MS && !isStop(incoming.event);
  if (isOld) return isAgain ? tellInterrupted(deps, incoming.event) : refuse(deps, incoming.event, 'tooLate');
  if (incoming.kind === 'group') {
    // An anonymous sender: the wallet named here belongs to no account, and nothing can be paid from it.
    const { event } = incoming;
    const language = await readGroupLanguage(deps.store, event);
    // All read the answer.
    const heard = language === null ? {} : { language };
    return deps.bot.handle({ ...event, ...heard, walletId: event.userId, isModerator: true });
  }
  const { person } = incoming;
  // Nobody waits for an event that is taken up again, and its first word may stand there already.
  const pace = isAgain ? 'fine' : deps.rate.take(String(person.id), isStop(incoming.event));
  if (pace === 'first_too_many') return refuse(deps, incoming.event, 'tooFast');
  if (pace === 'too_many') return;
  const [walletId, moderates] = await Promise.all([
    walletOf(deps, person),
    moderatorOf(deps, incoming),
    incoming.kind === 'text' ? greet(deps, incoming.event) : null,
  ]);
  const known = { walletId, ...(moderates === undefined ? {} : { isModerator: moderates }) };
  if (incoming.kind === 'press') return deps.bot.press({ ...incoming.event, ...known });
  await deps.bot.handle({ ...incoming.event, ...known });
}

/** It is not taken up any more. Its sender may still be looking at a first word. */
export async function dropUpdate(deps: IntakeDeps, update: KnownUpdate): Promise<void> {
  if (isMoved(update) || isPlaced(update)) return;
  const incoming = await readIncoming(deps, update);
  if (incoming?.kind === 'text') await tellInterrupted(deps, incoming.event);
}

/** Null for updates that are not for this bot. */
async function readIncoming(deps: IntakeDeps, update: PersonalUpdate): Promise<Incoming | null> {
  for (const person of peopleIn(update)) deps.names.learn(person);
  const findPerson = await meetPeople(deps.store, update, deps.nowMs());
  const self = deps.self();
  return 'message' in update ? readText(update.message, self, findPerson) : readPress(update.callback_query, self);
}

/** Telegram says only now that the bot has come. While it was away nobody could stop an address of the group. */
async function notePlace({ store, menus }: IntakeDeps, update: PlacedUpdate): Promise<void> {
  const { chat, date } = update.my_chat_member;
  if (isGroup({ chat: chat.id }) && chat.type !== 'channel') menus.note(chat.id);
  const walletId = treasuryWalletOf({ transport: TELEGRAM_TRANSPORT, communityId: String(chat.id) });
  if (walletId !== null && hasCome(update)) await restartTreasuryAddresses(store, walletId, date * 1_000);
}

/**
 * Sends the first word while the rest is looked up, so in a rush nobody waits for work done for others. The core sends
 * the same to every command under the same key, so it appears there once.
 */
async function greet({ store, messenger }: IntakeDeps, event: Omit<TextEvent, 'walletId'>): Promise<void> {
  const deps = speaking({ store, texts: textsEn }, await languageOf({ store }, event));
  // A first word does not depend on the wallet that pays.
  await messenger.open({ ...event, walletId: event.userId }, await firstView(deps, event));
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
  return payingWalletOf(store, id, nowMs());
}

/** Asked now, whatever was true a moment ago. Most commands are for everyone, and do not wait for the answer. */
async function moderatorOf({ isModerator }: IntakeDeps, incoming: Personal): Promise<boolean | undefined> {
  const place = readPlace(incoming.event.chatId);
  if (!isGroup(place)) return undefined;
  if (incoming.kind === 'text' && !isSettings(incoming.event)) return undefined;
  return isModerator(place.chat, incoming.person.id);
}

/**
 * An earlier process began this and did not finish. Without an order nothing was paid; nothing more is known. An order
 * goes on without its event and answers by itself.
 */
async function tellInterrupted({ store, outbox }: IntakeDeps, origin: Omit<Origin, 'walletId'>): Promise<void> {
  const { chatId, eventId, userId, language = null } = origin;
  if ((await findOrderByEvent(store, TELEGRAM_TRANSPORT, eventId)) !== null) return;
  const { texts } = speaking({ texts: textsEn }, await languageOf({ store }, origin));
  const view = privateView('error', [texts.somethingWrong()]);
  await outbox.answerFirst({ key: answerKey(eventId), chatId, eventId, userId, language, view });
}

/** Where an answer stands already, it stays as it is. */
async function refuse(
  { store, outbox }: IntakeDeps,
  origin: Omit<Origin, 'walletId'>,
  reason: 'anonymous' | 'tooFast' | 'tooLate',
): Promise<void> {
  const { chatId, eventId, userId, language = null } = origin;
  // An anonymous sender has no private place to be answered in.
  const isForAll = reason === 'anonymous';
  const text = telegramTextsIn(await (isForAll ? cardLanguageOf : languageOf)({ store }, origin))[reason]();
  const toView = isForAll ? publicView : privateView;
  const view = toView('error', [[{ text }]]);
  await outbox.open({ key: answerKey(eventId), chatId, eventId, userId, language, view });
}
