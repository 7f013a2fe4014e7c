import type { User } from 'grammy/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../../db/audit/invariants.ts';
import type { Service } from '../../../service/start.ts';
import { refuseViolations } from '../../support/databases/refuse-violations.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { lastText, startWorld, texts, until } from './telegram-harness.ts';
import { startLocalService } from '../../support/local-service.ts';

let telegram: FakeTelegram;
let service: Service;

beforeAll(async () => {
  // With the limits of the real one: what the service says has to fit into them.
  telegram = await startFakes();
  service = await startLocalService({
    env: {
      NETWORKS: 'base',
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
    },
  });
});

afterAll(async () => {
  await eventually(async () => refuseViolations(await findViolations(service.store)));
  await service.close();
  await telegram.close();
});

const startFakes = () => startWorld({ limits: undefined });

async function takePlayMoney(user: User): Promise<void> {
  telegram.say(user, user, '/deposit');
  await until(() => expect(telegram.fromBot(user, user)[0]?.buttons.flat()).toHaveLength(1), 20_000);
  const [shown] = telegram.fromBot(user, user);
  if (!shown) throw new Error('no answer');
  telegram.press(user, shown.message, shown.buttons.flat()[0] ?? '');
  await until(() => expect(lastText(telegram, user, user)).toMatch(/\d\.\d\d/), 20_000);
}

test('with a token the service is a bot: money comes, goes, and its receipt comes once', async () => {
  const alice = telegram.createUser({ firstName: 'Alice', languageCode: 'en', started: true });
  const bob = telegram.createUser({ firstName: 'Bob' });
  await takePlayMoney(alice);
  const group = telegram.createGroup({ members: [alice, bob] });
  const { message } = telegram.say(bob, group, 'I made this');
  telegram.say(alice, group, '/tip 1 thanks', { replyTo: message });
  await until(() => expect(texts(telegram, bob, group)[0]).toMatch(/^Sent 1\.00 USDC to Bob/), 30_000);
  // Bob never spoke to the bot, so it is heard here: once, and by whom.
  const heard = /^Alice sent Bob 1\.00 USDC\.\nBob: type \/claim here/;
  await until(() => expect(lastText(telegram, bob, group)).toMatch(heard), 30_000);
  const ring = telegram.fromBot(bob, group).at(-1);
  expect([ring?.mentioned, ring?.buttons.flat()]).toEqual([
    expect.not.arrayContaining([alice.id]),
    ['Keep it', 'Read the note', 'Open the receipt'],
  ]);
  expect(texts(telegram, bob, group)).toHaveLength(2);

  telegram.say(alice, alice, '/tip x:jack 2 a secret');
  const receipts = () => telegram.fromBot(alice, alice).filter(({ text }) => text.includes('2.00 USDC is waiting'));
  await until(() => expect(receipts()).toHaveLength(1), 30_000);
  expect(receipts()[0]?.text).toContain('waiting for @\u2060jack on X');
  expect(receipts()[0]?.text).not.toContain('secret');
  expect(receipts()[0]?.buttons.flat()).toEqual(['Open the receipt', 'Take it back']);
  expect(receipts()[0]?.versions.at(-1)?.text).toContain('waiting');
  expect(telegram.refused()).toEqual([]);
});
