import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Bot } from '../../../bot/commands/bot.ts';
import type { Equipment } from '../../../bot/commands/offered.ts';
import { createDiscordTransport } from '../../../bot/discord/start.ts';
import { DISCORD_TRANSPORT } from '../../../core/discord/chat.ts';
import type { Store } from '../../../db/store/store.ts';
import { openDiscord } from '../../fakes/discord/bot.ts';
import type { Discord } from '../../fakes/discord/server.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, openTestStore } from '../harness.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

export type Place = Awaited<ReturnType<typeof openPlace>>;
export type RunningBot = Awaited<ReturnType<typeof startBot>>;

/** A guild with two people in it, an API that takes every payment, and the bot between them. */
export async function openPlace(chosen: Parameters<typeof openDiscord>[0] = {}, options: Options = {}) {
  // Three seconds may pass on a busy machine; what happens after them has a test of its own.
  const discord = await openDiscord({ answerMs: 30_000, ...chosen });
  const api = await startFakeApi();
  onTestFinished(() => api.close());
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const guild = discord.guild({ name: 'Tippers' });
  const channel = discord.channel(guild);
  const [alice, bob] = [discord.user('alice'), discord.user('bob')];
  discord.join(guild, alice);
  discord.join(guild, bob);
  const bot = await startBot({ discord, api, store }, options);
  return { discord, api, store, guild, channel, alice, bob, bot };
}

type World = { discord: Discord; api: FakeApi; store: Store };
type Options = {
  now?: () => number;
  harness?: Partial<Parameters<typeof createHarness>[0]>;
  /** What this installation has beside the least. */
  equipment?: Equipment;
  /** Stands in for the core. */
  core?: Pick<Bot, 'handle' | 'press'>;
};

/** One process of the bot: started again on the same store, it is the next one. */
export async function startBot(
  { discord, api, store }: World,
  { now = Date.now, harness: chosen, equipment = {}, core }: Options = {},
) {
  const harness = await createHarness({ apiUrl: api.url, store, ...chosen });
  const { deps, closing } = harness;
  const access = { token: discord.token, applicationId: discord.applicationId, apiUrl: discord.apiUrl };
  const clock = { ...harness.clock, now };
  const transport = createDiscordTransport({ access, store, clock, log: deps.log });
  // Hundreds of people need more ids than the harness has.
  Object.assign(deps, {
    ...equipment,
    random: randomBytes,
    messengers: { ...deps.messengers, [DISCORD_TRANSPORT]: transport.messenger },
  });
  // Whom people know is only written down when an event reaches the core, and how it is answered is decided before that.
  const acquainted = chosen?.careful === true ? {} : { faucet: async () => {} };
  const running = transport.start({
    ...deps,
    ...acquainted,
    limits: createRateLimits(deps.clock.now),
    bot: core ?? harness.bot,
  });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await running.close();
    closing.abort();
    await harness.bot.idle();
    await transport.close();
  };
  onTestFinished(close);
  await running.connected;
  await discord.until(() => discord.commands().length > 0, 'the commands');
  return { ...harness, close };
}

/** What a person sees in a channel, as texts. */
export function texts(discord: Discord, person: { id: string }, channel: { id: string }): string[] {
  return discord.sees(person, channel).map(({ text, isLoading }) => (isLoading ? '(thinking)' : text));
}

/** Until the answer says how a tip ended well. */
export async function untilEnd(discord: Discord, interaction: Parameters<Discord['answered']>[0]): Promise<void> {
  await discord.answered(interaction);
  await discord.until(() => discord.answerTo(interaction)?.text.startsWith('Sent'), 'the end', 60_000);
}
