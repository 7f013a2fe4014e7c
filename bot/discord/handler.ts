import { DISCORD_TRANSPORT } from '../../core/discord/chat.ts';
import { toDiscordMessage } from '../../core/discord/message.ts';
import { createIds } from '../../core/ids.ts';
import { ensureChatAccount } from '../../db/chats/chat-account.ts';
import { findOrderByEvent } from '../../db/tips/orders.ts';
import type { Bot } from '../commands/bot.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { GrammarContext } from '../../core/grammar/recipient.ts';
import type { Origin } from '../shared/messenger.ts';
import { EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import { speaking } from '../conversation/speech.ts';
import { findLanguage } from '../../core/languages.ts';
import type { RateLimits } from '../../queue/rate-limiter.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import { payingWalletOf } from '../shared/wallets.ts';
import { acknowledgePress, acknowledgeText } from './acknowledge.ts';
import { audienceOf } from './audience.ts';
import type { Calls } from './calls.ts';
import { peopleIn, tipForm } from './command-text.ts';
import type { Asked, Person, Question, Task } from './event.ts';
import type { Acknowledged, DiscordMessenger } from './messenger.ts';
import type { Accounts } from './accounts.ts';
import { suggestRecipients } from './suggestions.ts';
import { createPersonRate, isStop } from '../inbox/person-rate.ts';
import type { Turns } from '../inbox/turns.ts';
import type { Rushes } from '../outbox/rush.ts';
import { discordTextsFor } from '../../texts/discord/languages.ts';

const TYPED_PER_MINUTE = 240;

export type Work = {
  /** `isAgain`: an earlier process began it. */
  carryOut: (task: Task, isAgain: boolean) => Promise<void>;
  answer: (question: Question) => Promise<void>;
};

export type HandlerDeps = Pick<CoreDeps, 'store' | 'networks' | 'random' | 'clock' | 'log' | 'texts' | 'faucet'> & {
  calls: Calls;
  messenger: DiscordMessenger;
  accounts: Accounts;
  rushes: Pick<Rushes, 'idFor'>;
  turns: Turns;
  limits: Pick<RateLimits, 'perMinute'>;
  bot: Pick<Bot, 'handle' | 'press'>;
  /** The bot's own id, which is its application's. */
  applicationId: string;
};

/**
 * Brings what people do to the core. Each event is acknowledged before anything else happens: Discord waits for 3
 * seconds.
 */
export function createHandler(deps: HandlerDeps): Work {
  const rate = createPersonRate(deps.limits, DISCORD_TRANSPORT);
  const typing = deps.limits.perMinute('discord typing', TYPED_PER_MINUTE);
  return {
    async carryOut(task, isAgain) {
      const { id } = task.asked.user;
      // Nobody waits for an event that is taken up again, and Discord may already have its first word.
      const isAllowed = isAgain || rate.take(id, isStop(task)) === 'fine';
      if (!isAllowed) return refuseQuickly(deps, task.asked);
      return task.kind === 'press' ? takePress(deps, task) : takeText(deps, task);
    },
    async answer(question) {
      const { asked } = question;
      if (question.kind === 'suggest') {
        const isAllowed = typing.allows(asked.user.id);
        const choices = isAllowed ? await suggestRecipients(deps, userIdOf(asked), question.typed) : [];
        return void (await deps.calls.suggest(asked, choices));
      }
      return rate.take(asked.user.id) === 'fine' ? openForm(deps, question) : refuseQuickly(deps, asked);
    },
  };
}

async function refuseQuickly({ calls }: HandlerDeps, asked: Asked): Promise<void> {
  const { tooFast } = discordTextsFor(asked.locale);
  await calls.replyPrivately(asked, { content: tooFast, components: [] });
}

/** A form cannot be refused later, so a program is turned away before anyone types an amount for it. */
async function openForm(
  deps: HandlerDeps,
  { asked, person, messageId }: Extract<Question, { kind: 'menu' }>,
): Promise<void> {
  const { calls, applicationId } = deps;
  const { texts } = speaking(deps, findLanguage(asked.locale));
  const name = `discord:${person.id}`;
  const reasons = [
    ...(person.id === applicationId ? [texts.ownBotTip()] : person.isBot ? [texts.botTip(name)] : []),
    ...(person.id === asked.user.id ? [texts.selfTip(name)] : []),
  ];
  if (reasons.length === 0) {
    return void (await calls.showModal(asked, tipForm(discordTextsFor(asked.locale), person, messageId)));
  }
  await calls.replyPrivately(asked, toDiscordMessage(privateView('error', reasons, [tryCommand(EXAMPLE_TIP)])));
}

async function takeText(deps: HandlerDeps, incoming: Extract<Task, { kind: 'command' }>): Promise<void> {
  const { asked, people } = incoming;
  const known = people.filter(({ isBot }) => isBot).map(({ id }) => id);
  const acknowledged = await deps.turns.first(async () =>
    acknowledgeText(deps, asked, await audienceOf(deps, incoming, known)),
  );
  if (acknowledged === null) return;
  await deps.turns.later(() => carryOut(deps, incoming, acknowledged, known));
}

async function carryOut(
  deps: HandlerDeps,
  { asked, text, people, roles, tippedMessageId }: Extract<Task, { kind: 'command' }>,
  acknowledged: Acknowledged,
  known: readonly string[],
): Promise<void> {
  const typed = peopleIn(text).filter((id) => !people.some((person) => person.id === id));
  const accounts = await deps.accounts.among(typed);
  const programs = accounts.filter(({ isBot }) => isBot).map(({ id }) => id);
  const bots = [...known, ...programs].map((id) => `discord:${id}`);
  const named = [...people, ...accounts].map(({ id, name }) => ({ id: `discord:${id}`, name }));
  await deps.messenger.during(asked.id, acknowledged, async () => {
    try {
      const context = { bots, people: named, roles, ...repliedIn(people, tippedMessageId) };
      await deps.bot.handle({ ...(await originOf(deps, asked)), text, context });
    } catch (error) {
      await sayThatItFailed(deps, asked);
      throw error;
    }
  });
}

/** A tip by a message's menu is what a reply is elsewhere. */
function repliedIn([person]: readonly Person[], tippedMessageId: string | undefined): GrammarContext {
  if (person === undefined || tippedMessageId === undefined) return {};
  return {
    repliesTo: { platform: DISCORD_TRANSPORT, key: person.id, display: person.id },
    repliesToMessageId: tippedMessageId,
  };
}

/** Else Discord would show for 15 minutes that the bot is thinking. An existing order goes on, so it is not mentioned. */
async function sayThatItFailed(deps: HandlerDeps, asked: Asked): Promise<void> {
  if ((await findOrderByEvent(deps.store, DISCORD_TRANSPORT, asked.id)) !== null) return;
  await saySomethingWrong(deps, asked);
}

async function saySomethingWrong(deps: HandlerDeps, asked: Asked): Promise<void> {
  const { texts } = speaking(deps, findLanguage(asked.locale));
  const origin = { ...placeOf(deps, asked), userId: userIdOf(asked), walletId: userIdOf(asked) };
  await deps.messenger.open(origin, privateView('error', [texts.somethingWrong()]));
}

async function takePress(deps: HandlerDeps, incoming: Extract<Task, { kind: 'press' }>): Promise<void> {
  const { asked, buttonId } = incoming;
  const acknowledged = await deps.turns.first(() => acknowledgePress(deps, incoming));
  if (acknowledged === null) return;
  const press = async () => {
    try {
      await deps.bot.press({ ...(await originOf(deps, asked)), buttonId });
    } catch (error) {
      // The pressed message stays as it is, so without an answer it would look as if nobody had pressed.
      await saySomethingWrong(deps, asked);
      throw error;
    }
  };
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
  return { ...placeOf(deps, asked), userId, walletId: await payingWalletOf(store, userId, clock.now()) };
}

function placeOf({ applicationId }: HandlerDeps, asked: Asked): Omit<Origin, 'userId' | 'walletId'> {
  const { id: eventId, locale: language, chatId, chatName, communityId, isModerator } = asked;
  return {
    transport: DISCORD_TRANSPORT,
    eventId,
    chatId,
    language,
    botNames: [`discord:${applicationId}`],
    ...(chatName === null ? {} : { chatName }),
    ...(communityId === null ? {} : { communityId, isModerator }),
  };
}

function userIdOf({ user }: Asked): string {
  return `${DISCORD_TRANSPORT}:${user.id}`;
}
