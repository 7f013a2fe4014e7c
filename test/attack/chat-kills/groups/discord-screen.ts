import type { Discord } from '../../../fakes/discord/server.ts';
import type { Interaction, User } from '../../../fakes/discord/state/world.ts';
import { countKinds, kindOfPress, type Kind, type Member, type Screen } from './screen.ts';

const ONLINE_WITHIN_MS = 600_000;

/** A guild in which the other two have the role of drops. `roleId` is set in its settings. */
export function createDiscordScreen(discord: Discord, index: number): Screen & { roleId: string } {
  const people: Record<Member, User> = {
    giver: discord.user(`giver${index}`),
    first: discord.user(`first${index}`),
    second: discord.user(`second${index}`),
    loud: discord.user(`loud${index}`),
  };
  const guild = discord.guild({ name: `Group ${index}`, owner: people.giver });
  const channel = discord.channel(guild);
  const crew = discord.role(guild, 'crew');
  for (const member of ['first', 'second'] as const) discord.join(guild, people[member], [crew]);
  discord.join(guild, people.loud);
  const done: { kind: Kind; interaction: Interaction }[] = [];
  const untilOnline = () =>
    discord.until(
      () => discord.gateway.connected() > 0 && discord.commands().length > 0,
      'the bot on Discord',
      ONLINE_WITHIN_MS,
    );

  /** What nobody has answered in time is typed again: nothing may come of it any more. */
  async function say(
    member: Member,
    { kind, name, values }: { kind: Kind; name: string; values: Parameters<Discord['slash']>[3] },
  ): Promise<void> {
    for (;;) {
      await untilOnline();
      const interaction = discord.slash(people[member], channel, name, values);
      done.push({ kind, interaction });
      await discord.answered(interaction).catch(() => undefined);
      if (interaction.answer !== null) return;
    }
  }

  const shownTo = (member: Member) =>
    [channel, discord.direct(people[member])]
      .flatMap((place) => discord.sees(people[member], place))
      .filter(({ author }) => author.bot);

  return {
    transport: 'discord',
    communityId: guild.id,
    roleId: crew.id,
    userId: (member) => `discord:${people[member].id}`,
    drop: (sum) => say('giver', { kind: 'drop', name: 'drop', values: { amount: sum, people: '2', time: '6h' } }),
    bill: (sum) =>
      say('first', {
        kind: 'bill',
        name: 'request',
        values: { amount: `${sum} split`, user: people.giver, to: `<@${people.second.id}>`, note: 'pizza' },
      }),
    tip: (sum) => say('loud', { kind: 'block', name: 'tip', values: { amount: sum, user: people.second } }),
    top: (member, choice) => say(member, { kind: 'top', name: 'top', values: choice === '' ? {} : { choice } }),
    async press(member, label, text = /^/) {
      await untilOnline();
      for (const message of shownTo(member)) {
        if (!text.test(message.text)) continue;
        const found = message.buttons.find((button) => label.test(button.label ?? ''))?.label ?? null;
        if (found === null) continue;
        const pressed = [1, 2].map(() => discord.press(people[member], message, found));
        done.push(...pressed.map((interaction) => ({ kind: kindOfPress(found), interaction })));
        await Promise.all(pressed.map((one) => discord.answered(one).catch(() => undefined)));
        return;
      }
    },
    sees: (member) => shownTo(member).map(({ text, isLoading }) => (isLoading ? '(thinking)' : text)),
    async deliverAgain() {
      await untilOnline();
      for (const { interaction } of done) discord.redeliver(interaction);
      return countKinds(done.map(({ kind }) => kind));
    },
  };
}
