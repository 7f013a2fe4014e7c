import { expect, test } from 'vitest';
import { openPlace } from './discord-harness.ts';

test('a member who floods the bot keeps the owner of the same account from no /lock, and may not flood it with those', async () => {
  const { discord, store, channel, alice } = await openPlace({ rateLimits: 'off' });
  const say = async (command: string, options: Record<string, string> = {}) => {
    const asked = await discord.answered(discord.slash(alice, channel, command, options));
    await discord.until(() => !(discord.answerTo(asked)?.isLoading ?? true), command);
    return discord.answerTo(asked)?.text ?? '';
  };
  await Promise.all(Array.from({ length: 30 }, () => say('help')));
  expect(await say('balance')).toContain('That was a lot at once');
  expect(await say('lock')).toContain('Locked. Nothing is spent');
  const { spendingLocks } = store.tables;
  expect(await store.read.select().from(spendingLocks)).toMatchObject([{ id: `discord:${alice.id}`, untilMs: null }]);
  // So is what calls a withdrawal off.
  expect(await say('withdraw', { amount: 'cancel' })).toContain('No withdrawal is waiting');
  const more = [await say('lock'), await say('lock'), await say('lock')];
  expect(more.filter((text) => text.includes('That was a lot at once'))).toHaveLength(2);
});
