import { reportFaults, stormSize } from '../../../scripts/torture/faults.ts';
import { afterEach, expect, test, vi } from 'vitest';
import type { User } from 'grammy/types';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram, FakeTelegramOptions } from '../../fakes/telegram/start.ts';
import type { PaceLimits } from '../../../core/chats/chats.ts';
import { receiptView, runTelegram, startWorld, until, type RunningTelegram, listening } from './telegram-harness.ts';

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram;
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

async function go(limits: FakeTelegramOptions['limits'], pace?: PaceLimits): Promise<void> {
  telegram = await startWorld({ limits });
  api = await startFakeApi();
  running = await runTelegram({ apiUrl: api.url, telegram, ...(pace ? { pace } : {}) });
  await listening(telegram);
}

/** An edit whose answer was lost is made again, and refused where the first had come through. */
const isThere = (outcome: ReturnType<FakeTelegram['refused']>[number]['outcome']) =>
  outcome.kind === 'refused' && outcome.description.includes('message is not modified');

const percentile = (values: number[], share: number) =>
  Math.round(values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? NaN);

test('commands at once are answered, each once, and how fast is printed', async () => {
  const count = stormSize(30);
  await go(null);
  const people = Array.from({ length: count }, () => telegram.createUser({ started: true }));
  const said = people.map((user, index) => ({
    user,
    update: telegram.say(user, user, `/tip x:jack${index} 1`).update,
  }));
  const ended = (user: User) => telegram.fromBot(user, user).filter(({ text }) => text.startsWith('Sent')).length;
  // Looked at rarely: what the test itself does would be measured else.
  const isOver = () => expect(people.filter((user) => ended(user) !== 1)).toEqual([]);
  await vi.waitFor(isOver, { timeout: 400_000, interval: 1_500 });
  const firstMs: number[] = [];
  const lastMs: number[] = [];
  for (const { user, update } of said) {
    const [deliveredMs = 0] = update ? telegram.deliveries(update) : [];
    const versions = telegram.fromBot(user, user)[0]?.versions ?? [];
    firstMs.push((versions[0]?.atMs ?? 0) - deliveredMs);
    lastMs.push((versions.at(-1)?.atMs ?? 0) - deliveredMs);
  }
  const row = (values: number[]) => `p50 ${percentile(values, 0.5)} · p99 ${percentile(values, 0.99)} ms`;
  console.info(`${count} tips without limits: first word ${row(firstMs)} · end ${row(lastMs)}`);
  expect(telegram.refused().filter(({ outcome }) => !isThere(outcome))).toEqual([]);
  expect(new Set(api.seen.map(({ key }) => key)).size).toBe(count);
  reportFaults({ 'Telegram at once': count });
}, 450_000);

/** Telegram's limits, and a pace within them, in a world where time passes sixty times as fast. */
const FASTER = 60;
const FAST_LIMITS = {
  burstPerChat: 3,
  perChatPerSecond: FASTER,
  perGroupPerMinute: 20 * FASTER,
  overallPerSecond: 30 * FASTER,
};
const FAST_PACE: PaceLimits = {
  burstPerChat: 2,
  perChatPerSecond: 0.9 * FASTER,
  perGroupPerMinute: 19 * FASTER,
  keptPerGroupPerMinute: 4 * FASTER,
  overallPerSecond: 27 * FASTER,
  overallBurst: 14 * FASTER,
};

/** Two seconds' worth of what a group takes, so that all of it waits for its turn. */
const PEOPLE = 16;
const RECEIPTS = 6;

test('in one busy group first words, ends and receipts all get their turn', async () => {
  await go(FAST_LIMITS, FAST_PACE);
  const people = Array.from({ length: PEOPLE }, () => telegram.createUser({ started: true }));
  const group = telegram.createGroup({ members: people });
  people.forEach((user, index) => telegram.say(user, group, `/tip x:jack${index} 1`));
  await until(() => expect(telegram.history(group).filter(({ fromBot }) => fromBot).length).toBeGreaterThan(5));
  for (let number = 0; number < RECEIPTS; number++) {
    const view = receiptView(`Receipt ${number}.`);
    await running.post({ chatId: String(group.id), onceKey: `settled:p${number}:1`, view });
  }
  const shown = (pattern: RegExp) => telegram.history(group).filter(({ text }) => pattern.test(text));
  await until(() => expect(shown(/^Sent/)).toHaveLength(PEOPLE), 120_000);
  await until(() => expect(shown(/^Receipt \d+\./)).toHaveLength(RECEIPTS), 120_000);
  const begunAtMs = shown(/^Receipt/).map(({ versions }) => versions[0]?.atMs ?? 0);
  const endsAtMs = shown(/^Sent/).map(({ versions }) => versions.at(-1)?.atMs ?? 0);
  // Who came later had a turn before everybody else had had two.
  expect(Math.min(...begunAtMs)).toBeLessThan(Math.max(...endsAtMs));
  // Of all the steps of the tips, few were worth an edit.
  expect(telegram.calls('editMessageText').length).toBeLessThan(PEOPLE * 2 + RECEIPTS * 2);
});
