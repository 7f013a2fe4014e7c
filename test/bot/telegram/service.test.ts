import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from 'grammy/types';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../../core/config.ts';
import { findViolations } from '../../../db/invariants.ts';
import { startService, type Service } from '../../../service/start.ts';
import { refuseViolations } from '../../support/test-roles.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { lastText, startWorld, texts, until } from './telegram-harness.ts';

let dataDir: string;
let telegram: FakeTelegram;
let service: Service;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-telegram-'));
  // With the limits of the real one: what the service says has to fit into them.
  telegram = await startFakes();
  service = await startService({
    config: parseConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      NETWORKS: 'base',
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
    }),
    roles: ['api', 'worker', 'bot'],
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    failpoint: () => undefined,
    progress: () => undefined,
    addSecrets: () => undefined,
    blockTimeMs: 500,
  });
});

afterAll(async () => {
  await eventually(async () => refuseViolations(await findViolations(service.store)));
  await service.close();
  await telegram.close();
  rmSync(dataDir, { recursive: true, force: true });
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
  await until(() => expect(lastText(telegram, bob, group)).toMatch(/Bob .*1\.00 USDC[^]*\/claim/), 30_000);

  telegram.say(alice, alice, '/tip x:jack 2 a secret');
  const receipts = () => telegram.fromBot(alice, alice).filter(({ text }) => text.startsWith('2.00 USDC is waiting'));
  await until(() => expect(receipts()).toHaveLength(1), 30_000);
  expect(receipts()[0]?.text).toContain('waiting for x:jack');
  expect(receipts()[0]?.text).not.toContain('secret');
  expect(receipts()[0]?.buttons.flat()).toEqual(['Open the receipt']);
  expect(receipts()[0]?.versions.map(({ text }) => text.includes('waiting'))).toEqual([false, true]);
  expect(telegram.refused()).toEqual([]);
});
