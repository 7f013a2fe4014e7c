import { afterEach, beforeEach, expect, test } from 'vitest';
import { createIds } from '../../../core/ids.ts';
import { plainText } from '../../../core/view.ts';
import type { Store } from '../../../db/store/store.ts';
import { takeUpdate } from '../../../bot/telegram/intake.ts';
import { createNames } from '../../../bot/telegram/people.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';
import { createPersonRate } from '../../../bot/inbox/person-rate.ts';
import { openTestStore } from '../harness.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const [PRIVATE, GROUP] = [5, -100_200_300_400_500];

let store: Store;
beforeEach(async () => void (store = await openTestStore()));
afterEach(() => store.close());

/** What becomes of a command that was typed so long ago: the core takes it, or its person is told. */
async function saidBefore(minutes: number, text: string, chat: number) {
  const handled: string[] = [];
  const told: string[] = [];
  await takeUpdate(
    {
      store,
      bot: { handle: async (event) => void handled.push(event.text), press: async () => {} },
      outbox: {
        open: async ({ view }) => {
          told.push(plainText(view));
          return { isNew: true };
        },
        answerFirst: async () => {},
      },
      messenger: { open: async () => 'answer' },
      names: createNames(),
      ids: createIds((count) => new Uint8Array(count).fill(7)),
      addressOf: () => '0x5',
      isModerator: async () => undefined,
      menus: { note: () => {} },
      self: () => ({ id: 9, username: 'penny_bot' }),
      rate: createPersonRate(
        createRateLimits(() => NOW_MS),
        'telegram',
      ),
      nowMs: () => NOW_MS,
    },
    {
      update_id: 1,
      message: {
        message_id: 3,
        date: NOW_MS / 1_000 - minutes * 60,
        chat: { id: chat, type: chat < 0 ? 'supergroup' : 'private' },
        from: { id: 5, is_bot: false, first_name: 'Alice' },
        text,
      },
    },
    false,
  );
  return { handled, told: told.length };
}

test.each([
  ['/lock', PRIVATE],
  ['/lock@penny_bot', GROUP],
  ['Lock', PRIVATE],
])('%s stops spending however late it comes, as after an outage', async (text, chat) => {
  const { handled, told } = await saidBefore(23 * 60, text, chat);
  expect([handled.map((one) => one.trim().toLowerCase().replace('/', '')), told]).toEqual([['lock'], 0]);
});

test('/withdraw cancel keeps money where it is however late it comes', async () => {
  const { handled, told } = await saidBefore(23 * 60, '/withdraw cancel', PRIVATE);
  expect([handled.length, told]).toEqual([1, 0]);
});

test.each(['/unlock', '/tip x:alice 1', '/limits day 100', '/withdraw 5 0x12'])(
  '%s is not done a quarter of an hour later, and its person is told',
  async (text) => {
    expect(await saidBefore(16, text, PRIVATE)).toEqual({ handled: [], told: 1 });
    expect((await saidBefore(14, text, PRIVATE)).handled).toHaveLength(1);
  },
);

test('a member who floods the bot keeps the owner of the same account from no /lock, and may not flood it with those', () => {
  const rate = createPersonRate(
    createRateLimits(() => NOW_MS),
    'telegram',
  );
  const commands = Array.from({ length: 100 }, () => rate.take('5'));
  expect(commands.filter((pace) => pace === 'fine').length).toBeLessThan(100);
  expect(rate.take('5', true)).toBe('fine');
  const locks = Array.from({ length: 100 }, () => rate.take('5', true));
  expect(locks.filter((pace) => pace === 'fine').length).toBeLessThan(10);
});
