import { reportFaults, stormSize } from '../../../scripts/torture/faults.ts';
import { expect, test } from 'vitest';
import { openPlace } from './discord-harness.ts';

const COUNT = stormSize(30);

/** All of it shares one process here, Discord included, so the times are printed and say little about 3 seconds. */
test('commands at once are all acknowledged, and each is paid once', { timeout: 700_000 }, async () => {
  const { discord, api, channel, guild, bot, store } = await openPlace({ answerMs: 300_000 });
  const people = Array.from({ length: COUNT }, (_, index) => discord.user(`person${index}`));
  for (const person of people) discord.join(guild, person);
  const startedMs = performance.now();
  const tips = people.map((person) => discord.slash(person, channel, 'tip', { to: 'x:carol', amount: '1' }));
  await Promise.all(tips.map((tip) => discord.answered(tip)));
  const times = discord.acknowledgements().map(({ afterMs }) => afterMs ?? Infinity);
  const shown = async () => {
    // What a busy process could not show, a later look does.
    await bot.bot.resume();
    const orders = await store.read.select().from(store.tables.orders);
    return orders.filter(({ shownAtMs }) => shownAtMs !== null).length;
  };
  await expect.poll(shown, { timeout: 300_000, interval: 500 }).toBe(COUNT);
  // The order has handed its message over by now; the chat shows it a moment later.
  const sent = () => tips.filter((tip) => discord.answerTo(tip)?.text.startsWith('Sent')).length;
  await expect.poll(sent, { timeout: 300_000 }).toBe(COUNT);
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))];
  const allMs = Math.round(performance.now() - startedMs);
  process.stdout.write(
    `${COUNT} commands: acknowledged p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; all paid in ${allMs} ms\n`,
  );
  expect(api.headers()).toHaveLength(COUNT);
  expect(bot.signed).toHaveLength(COUNT);
  expect(discord.refusals()).toEqual([]);
  reportFaults({ 'Discord at once': COUNT });
});
