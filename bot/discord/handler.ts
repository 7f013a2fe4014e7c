import { parseCommand } from '../core/grammar.ts';
import { formatRecipient } from '../../core/recipients/recipient.ts';
import { toDiscordMessage } from '../../core/discord/message.ts';
import { createIds } from '../../core/ids.ts';
import { ensureChatAccount } from '../../db/bot/chat-account.ts';
import { findOrderByEvent } from '../../db/bot/orders.ts';
import type { Bot } from '../core/bot.ts';
import type { CoreDeps } from '../core/dependencies.ts';
import type { Origin } from '../core/messenger.ts';
import { EXAMPLE_TIP } from '../core/mistakes.ts';
import { speaking } from '../core/speech.ts';
import { findLanguage } from '../core/texts/languages.ts';
import { privateView, tryCommand } from '../core/views.ts';
import { payingWalletOf } from '../core/wallets.ts';
import { createRate } from '../web/rate.ts';
import { acknowledgePress, acknowledgeText } from './acknowledge.ts';
import { WORDS } from './all-words.ts';
import type { Calls } from './calls.ts';
import { peopleIn } from './command-text.ts';
import { tipForm } from './form.ts';
import type { Asked, Incoming } from './incoming.ts';
import { DISCORD_TRANSPORT, type Acknowledged, type DiscordMessenger } from './messenger.ts';
import type { Programs } from './programs.ts';
import { suggestRecipients } from './suggestions.ts';
import type { Turns } from './turns.ts';
import { wordsFor } from './words.ts';

const COMMANDS_PER_MINUTE = 30;
const TYPED_PER_MINUTE = 240;

export type HandlerDeps = Pick<CoreDeps, 'store' | 'networks' | 'random' | 'clock' | 'log' | 'texts'> & {
  calls: Calls;
  messenger: DiscordMessenger;
  programs: Programs;
  turns: Turns;
  bot: Pick<Bot, 'handle' | 'press'>;
  /** The bot's own id, which is its application's. */
  applicationId: string;
};

export type Handle = (incoming: Incoming) => Promise<void>;

/** Brings what people do to the core. Each event is acknowledged before anything else: Discord waits for 3 seconds. */
export function createHandler(deps: HandlerDeps): Handle {
  const commands = createRate(COMMANDS_PER_MINUTE, deps.clock.now);
  const typing = createRate(TYPED_PER_MINUTE, deps.clock.now);
  return async (incoming) => {
    const { asked, kind } = incoming;
    if (kind === 'suggest') {
      const isAllowed = typing.allows(asked.user.id);
      const choices = isAllowed ? await suggestRecipients(deps, userIdOf(asked), incoming.typed) : [];
      return void (await deps.calls.suggest(asked, choices));
    }
    if (!commands.allows(asked.user.id)) return refuseQuickly(deps, asked);
    if (kind === 'menu') return openForm(deps, incoming);
    return kind === 'press' ? takePress(deps, incoming) : takeText(deps, incoming);
  };
}

async function refuseQuickly({ calls }: HandlerDeps, asked: Asked): Promise<void> {
  const { tooFast } = wordsFor(WORDS, asked.locale);
  await calls.replyPrivately(asked, { content: tooFast, components: [] });
}

/** A form cannot be refused later, so a program is turned away before anybody types an amount for it. */
async function openForm(deps: HandlerDeps, { asked, person }: Extract<Incoming, { kind: 'menu' }>): Promise<void> {
  const { calls, applicationId } = deps;
  const { texts } = speaking(deps, findLanguage(asked.locale));
  const name = `discord:${person.id}`;
  const reasons = [
    ...(person.id === applicationId ? [texts.ownBotTip()] : person.isBot ? [texts.botTip(name)] : []),
    ...(person.id === asked.user.id ? [texts.selfTip(name)] : []),
  ];
  if (reasons.length === 0) return void (await calls.showModal(asked, tipForm(wordsFor(WORDS, asked.locale), person)));
  await calls.replyPrivately(asked, toDiscordMessage(privateView('error', reasons, [tryCommand(EXAMPLE_TIP)])));
}

async function takeText(deps: HandlerDeps, incoming: Extract<Incoming, { kind: 'command' }>): Promise<void> {
  const { asked, people } = incoming;
  const known = people.filter(({ isBot }) => isBot).map(({ id }) => id);
  const isPublic = isForAll(deps, incoming, known);
  const acknowledged = await deps.turns.first(() => acknowledgeText(deps, asked, isPublic));
  if (acknowledged === null) return;
  await deps.turns.later(() => carryOut(deps, incoming, acknowledged, known));
}

async function carryOut(
  deps: HandlerDeps,
  { asked, text, people }: Extract<Incoming, { kind: 'command' }>,
  acknowledged: Acknowledged,
  known: readonly string[],
): Promise<void> {
  const typed = peopleIn(text).filter((id) => !people.some((person) => person.id === id));
  const bots = [...known, ...(await deps.programs.among(typed))].map((id) => `discord:${id}`);
  await deps.messenger.during(asked.id, acknowledged, async () => {
    try {
      await deps.bot.handle({ ...(await originOf(deps, asked)), text, context: { bots } });
    } catch (error) {
      await sayThatItFailed(deps, asked);
      throw error;
    }
  });
}

/** Else Discord would say for 15 minutes that the bot thinks. An order that exists goes on, so nothing is said of it. */
async function sayThatItFailed(deps: HandlerDeps, asked: Asked): Promise<void> {
  const { store, messenger } = deps;
  if ((await findOrderByEvent(store, DISCORD_TRANSPORT, asked.id)) !== null) return;
  const { texts } = speaking(deps, findLanguage(asked.locale));
  const origin = { ...placeOf(deps, asked), userId: userIdOf(asked), walletId: userIdOf(asked) };
  await messenger.open(origin, privateView('error', [texts.somethingWrong()]));
}

/**
 * Decided before the core has seen it, because an acknowledgement cannot be taken back: of all commands only a tip to
 * one person is for everybody to see. What looks wrong already, or has to be agreed to first, is between two; and so is an
 * e-mail address, since Discord shows with a public answer what was typed for it.
 */
function isForAll(
  { applicationId }: HandlerDeps,
  { asked, text }: Extract<Incoming, { kind: 'command' }>,
  bots: readonly string[],
): boolean {
  const command = parseCommand(text);
  if (asked.isDirect || command.kind !== 'tip' || command.recipients.length !== 1) return false;
  const [recipient] = command.recipients;
  const nobody = [applicationId, asked.user.id, ...bots].map((id) => `discord:${id}`);
  return recipient.platform !== 'email' && !nobody.includes(formatRecipient(recipient));
}

async function takePress(deps: HandlerDeps, incoming: Extract<Incoming, { kind: 'press' }>): Promise<void> {
  const { asked, buttonId } = incoming;
  const acknowledged = await deps.turns.first(() => acknowledgePress(deps, incoming));
  if (acknowledged === null) return;
  const press = async () => deps.bot.press({ ...(await originOf(deps, asked)), buttonId });
  await deps.turns.later(() => deps.messenger.during(asked.id, acknowledged, press));
}

/** The gateway vouches for who acts, so the person's own wallet is opened with the first event. */
async function originOf(deps: HandlerDeps, asked: Asked): Promise<Origin> {
  const { store, networks, random, clock } = deps;
  const { user } = asked;
  const [first] = networks;
  const userId = await ensureChatAccount(
    { store, ids: createIds(random), nowMs: clock.now() },
    {
      platform: DISCORD_TRANSPORT,
      stableId: user.id,
      display: user.name,
      walletAddress: await first.addressOf(userIdOf(asked)),
    },
  );
  return { ...placeOf(deps, asked), userId, walletId: await payingWalletOf(store, userId) };
}

function placeOf({ applicationId }: HandlerDeps, asked: Asked): Omit<Origin, 'userId' | 'walletId'> {
  const { id: eventId, locale: language, chatId, communityId, isModerator } = asked;
  return {
    transport: DISCORD_TRANSPORT,
    eventId,
    chatId,
    language,
    botNames: [`discord:${applicationId}`],
    ...(communityId === null ? {} : { communityId, isModerator }),
  };
}

function userIdOf({ user }: Asked): string {
  return `${DISCORD_TRANSPORT}:${user.id}`;
}
