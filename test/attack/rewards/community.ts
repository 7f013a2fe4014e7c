import { formatUsdc } from '../../../core/money.ts';
import { countHits, type Hits } from '../../../scripts/torture/faults.ts';
import type { Discord } from '../../fakes/discord/server.ts';
import type { SeenMessage } from '../../fakes/discord/driver/reading.ts';
import type { Interaction, User } from '../../fakes/discord/state/world.ts';
import type { RewardPayer } from './payer.ts';
import type { RewardPlan } from './plan.ts';

const PATIENCE_MS = 600_000;
/** A moderator who presses and sees no change presses again, and one who is told that it failed asks again. */
const AGAIN_MS = 5_000;
const CARD = /wants to reward|^Paying|^Rewarded|[Tt]he reward of/;
const END = /^Rewarded|has rejected the reward|was not paid|is over/;

export type Community = ReturnType<typeof createCommunity>;

type Post = { url: string; names: readonly string[] };

/**
 * A guild on Discord whose owner asks for one reward, and whose two moderators decide about it in the same moment. `payer`:
 * who pays by the link of the card, where anyone does.
 */
export function createCommunity(discord: Discord, plan: RewardPlan, post: Post, payer: () => RewardPayer | null) {
  const { index, budget, people, way } = plan;
  const owner = discord.user(`owner${index}`);
  const moderators = [discord.user(`first${index}`), discord.user(`second${index}`)] as const;
  const guild = discord.guild({ name: `Rewarders ${index}`, owner });
  const channel = discord.channel(guild);
  const crew = discord.role(guild, 'crew', { permissions: discord.permissions.ManageGuild });
  for (const moderator of moderators) discord.join(guild, moderator, [crew]);
  const done: Interaction[] = [];
  const words = new Set<'Confirm' | 'Reject'>();

  const cards = (): SeenMessage[] =>
    discord
      .sees(owner, channel)
      .filter(({ author, isEphemeral, text }) => author.bot && !isEphemeral && CARD.test(text));
  const confirmable = () => cards().find(({ buttons }) => buttons.some(({ label }) => label?.startsWith('Confirm')));
  const untilOnline = () =>
    discord.until(() => discord.gateway.connected() > 0 && discord.commands().length > 0, 'the bot', PATIENCE_MS);

  /** What nobody has answered in time is typed again: nothing may come of it any more. */
  async function propose(): Promise<void> {
    const others = post.names.filter((name) => !people.includes(name));
    const values = { post: post.url, budget: formatUsdc(budget), without: others.join(' ') };
    while (cards().length === 0) {
      await untilOnline();
      const asked = discord.slash(owner, channel, 'reward', values);
      done.push(asked);
      await discord.answered(asked).catch(() => undefined);
      if (asked.answer === null) continue;
      await discord.until(() => discord.answerTo(asked)?.isLoading !== true, 'a word about it', PATIENCE_MS);
      await discord.until(() => cards().length > 0, 'a card', AGAIN_MS).catch(() => undefined);
    }
  }

  async function press(moderator: User, word: 'Confirm' | 'Reject'): Promise<void> {
    for (;;) {
      await untilOnline();
      const card = confirmable();
      const label = card?.buttons.find((button) => button.label?.startsWith(word))?.label ?? null;
      if (card === undefined || label === null) return;
      const pressed = discord.press(moderator, card, label);
      done.push(pressed);
      words.add(word);
      await discord.answered(pressed).catch(() => undefined);
      await discord.until(() => confirmable() === undefined, 'a decision', AGAIN_MS).catch(() => undefined);
    }
  }

  /** As long as the card can be paid, and once more whenever that did not work. */
  async function payByLink(by: RewardPayer): Promise<void> {
    for (;;) {
      await discord.until(() => payLink() !== null || cards().some(({ text }) => END.test(text)), 'money', PATIENCE_MS);
      const link = payLink();
      if (link === null) return;
      await by.pay(new URL(link).pathname).catch(() => undefined);
      await discord.until(() => payLink() === null, 'a payment', AGAIN_MS).catch(() => undefined);
    }
  }

  const payLink = (): string | null => {
    const links = confirmable()?.buttons.flatMap(({ label, url }) => (label?.startsWith('Pay ') ? [url] : []));
    return links?.[0] ?? null;
  };

  return {
    /** As the treasury of this guild is called. */
    walletId: `discord-guild:${guild.id}`,
    guildId: guild.id,
    /** Resolves when the card shows that it is decided. */
    async run(): Promise<void> {
      await propose();
      const [first, second] = moderators;
      const by = payer();
      await Promise.all([
        press(first, 'Confirm'),
        press(second, way === 'contest' ? 'Reject' : 'Confirm'),
        ...(by === null ? [] : [payByLink(by)]),
      ]);
    },
    /** Both words were pressed, about one card. */
    hits: (): Hits => countHits(words.size === 2 ? ['confirmed and rejected at once'] : []),
    /** All that was ever said, pressed and signed here, once more. */
    async deliverAgain(): Promise<void> {
      await untilOnline();
      for (const interaction of done) discord.redeliver(interaction);
      await payer()?.sendAgain();
    },
    /** What the cards here say at last; a card that is still worked on is none of these. */
    ends: (): string[] =>
      cards()
        .map(({ text }) => text)
        .filter((text) => END.test(text)),
    cardsShown: (): number => cards().length,
  };
}
