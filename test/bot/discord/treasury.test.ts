import { expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { treasuryWalletOf } from '../../../core/treasury/treasury.ts';
import { addressesOf } from '../../../db/treasury/treasury-addresses.ts';
import { withdrawalsOfWallet } from '../../../db/withdrawals/find.ts';
import { openPlace } from './discord-harness.ts';

const DAY_MS = 24 * 3_600_000;
const SAFE = `0x${'cd'.repeat(20)}`;

/** A guild of its owner's, in which one role moderates. */
async function openGuild(chosen: Parameters<typeof openPlace>[0] = {}) {
  const place = await openPlace(chosen);
  const { discord } = place;
  const [owner, moderator] = [discord.user('boss'), discord.user('helper')];
  const guild = discord.guild({ name: 'Treasurers', owner });
  const channel = discord.channel(guild);
  const crew = discord.role(guild, 'crew', { permissions: discord.permissions.ManageGuild });
  discord.join(guild, moderator, [crew]);
  discord.join(guild, place.alice);
  return { ...place, guild, channel, owner, moderator, crew };
}

/** As if the day were over for which an address waits. */
function waitADay({ clock }: Awaited<ReturnType<typeof openPlace>>['bot']): void {
  clock.pass(Math.max(0, Date.now() - clock.now()) + DAY_MS + 60_000);
}

test('a guild’s money leaves once its owner and a moderator press the card that all of them see', async () => {
  const { discord, guild, channel, owner, moderator, alice, store, bot } = await openGuild();
  const wallet = treasuryWalletOf({ transport: 'discord', communityId: guild.id }) ?? '';
  const said = async (person: typeof alice, step: string, values: Parameters<typeof discord.slash>[3] = {}) => {
    const asked = await discord.answered(discord.slash(person, channel, `treasury ${step}`, values));
    await discord.until(() => !(discord.answerTo(asked)?.isLoading ?? true), step);
    return asked;
  };
  const textsFor = (person: typeof alice) => discord.sees(person, channel).map(({ text }) => text);

  // What concerns one person alone nobody else sees.
  await said(alice, 'balance');
  expect([textsFor(alice).length, textsFor(owner).length]).toEqual([1, 0]);

  await said(owner, 'address', { address: SAFE });
  expect(textsFor(alice).at(-1)).toContain(shownAddress(SAFE));
  const moment = () => ({ nowMs: bot.clock.now(), botSinceMs: null });
  const addresses = () => addressesOf(store, { walletId: wallet, network: 'base' }, moment());
  await expect.poll(async () => (await addresses()).waiting).not.toBeNull();
  waitADay(bot);

  const card = await said(moderator, 'withdraw', { amount: '5', network: 'base' });
  const message = discord.answerTo(card);
  expect(textsFor(alice).at(-1)).toContain(`<@${moderator.id}>`);
  for (const [person, answer] of [
    [alice, 'those who moderate'],
    [moderator, null],
  ] as const) {
    await discord.answered(discord.press(person, { id: message?.id ?? '' }, 'Confirm 5.00 USDC'));
    if (answer !== null) await discord.until(() => textsFor(person).at(-1)?.includes(answer) === true, answer);
  }
  await discord.until(() => discord.answerTo(card)?.text.includes('Confirmed by') === true, 'the first word');
  expect(await withdrawalsOfWallet(store, wallet)).toEqual([]);
  await discord.answered(discord.press(owner, { id: message?.id ?? '' }, 'Confirm 5.00 USDC'));
  await expect.poll(async () => (await withdrawalsOfWallet(store, wallet)).length).toBe(1);
  await discord.until(() => textsFor(alice).some((text) => text.includes('Sending')), 'the card');
  expect(discord.refusals()).toEqual([]);
});

test('Discord says now who runs a guild', async () => {
  const { discord, guild, owner, moderator, alice, crew, bot } = await openGuild({ rateLimits: 'off' });
  const { standing } = bot.deps.messengers['discord'] ?? {};
  const ask = () =>
    standing?.(
      guild.id,
      [owner, moderator, alice].map(({ id }) => `discord:${id}`),
    );
  expect(await ask()).toMatchObject({
    ownerId: `discord:${owner.id}`,
    moderatorIds: [`discord:${moderator.id}`],
    isOwnerAlone: false,
    botSinceMs: expect.any(Number),
  });
  // Has left, and is no member any more.
  discord.leave(guild, moderator);
  expect(await ask()).toMatchObject({ moderatorIds: [], isOwnerAlone: false });
  // No role is left that could make anybody a moderator.
  guild.roles.set(crew.id, { ...crew, permissions: 0n });
  expect(await ask()).toMatchObject({ moderatorIds: [], isOwnerAlone: true });
  discord.leave(guild, discord.bot);
  await expect(ask()).rejects.toThrow();
});
