/** The bot as its hosts run it: a process of its own, beside one with the API and its worker. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User as TelegramUser } from 'grammy/types';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startKillable, type Killable } from '../../../scripts/torture/killable.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';

export type Bot = {
  url: string;
  /** What the bot's process says about itself. */
  metrics: () => Promise<string>;
  close: () => Promise<void>;
};

export async function startBot(env: Record<string, string>): Promise<Bot> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pennypost-bench-'));
  const running: Killable[] = [];
  const api = await startKillable({ dataDir, roles: ['api', 'worker'], env });
  const metricsPort = await freePort();
  const botEnv = { ...env, BASE_URL: api.url, METRICS_PORT: String(metricsPort) };
  running.push(api, await startKillable({ dataDir, roles: ['bot'], env: botEnv }));
  return {
    url: running[0]?.url ?? '',
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    close: async () => {
      for (const one of running.toReversed()) await one.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Free a moment ago, which is good enough here: METRICS_PORT cannot be any. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`expected a port, found ${String(address)}`);
  server.close();
  return address.port;
}

export async function takePlayMoneyOnTelegram(telegram: FakeTelegram, user: TelegramUser): Promise<void> {
  telegram.say(user, user, '/deposit');
  const shown = () => telegram.fromBot(user, user).at(-1);
  await eventually(async () => {
    if ((shown()?.buttons.flat().length ?? 0) === 0) throw new Error('no button for play money');
  }, 90_000);
  const card = shown()!;
  telegram.press(user, card.message, card.buttons.flat()[0] ?? '');
  await eventually(async () => {
    if (!/\d\.\d\d/.test(shown()?.text ?? '')) throw new Error('no play money');
  }, 90_000);
}
