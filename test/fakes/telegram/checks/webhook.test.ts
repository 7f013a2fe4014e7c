import { Api, Bot, webhookCallback } from 'grammy';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../start.ts';

const SOON = { timeout: 60_000, interval: 10 };

let telegram: FakeTelegram;
let server: Server;
let url: string;
let failures: number;
let seen: number[];
let secrets: unknown[];

beforeEach(async () => {
  telegram = await startFakeTelegram();
  failures = 0;
  seen = [];
  secrets = [];
  const bot = new Bot(telegram.token, { client: { apiRoot: telegram.url } });
  bot.on('message', ({ update }) => void seen.push(update.update_id));
  const handle = webhookCallback(bot, 'http', { secretToken: 'our_secret' });
  server = createServer((request, response) => {
    secrets.push(request.headers['x-telegram-bot-api-secret-token']);
    failures -= 1;
    if (failures >= 0) response.writeHead(500).end();
    else void handle(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterEach(async () => {
  await telegram.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const api = () => new Api(telegram.token, { apiRoot: telegram.url });

test('updates go to the webhook with its secret, also those from before, and again until it answers 200', async () => {
  const alice = telegram.createUser();
  const before = telegram.say(alice, alice, 'before').update!;
  failures = 1;
  await api().setWebhook(url, { secret_token: 'our_secret' });
  const after = telegram.say(alice, alice, 'after').update!;
  await vi.waitFor(() => expect(new Set(seen)).toEqual(new Set([before.update_id, after.update_id])), SOON);
  expect(secrets).toEqual(['our_secret', 'our_secret', 'our_secret']);
  await vi.waitFor(() => expect(telegram.unconfirmed()).toEqual([]), SOON);
  expect(await api().getWebhookInfo()).toMatchObject({
    url,
    pending_update_count: 0,
    last_error_message: expect.stringContaining('500'),
  });
});

test('each update comes three times when told so, and once more when redelivered', async () => {
  telegram.deliverThrice(true);
  await api().setWebhook(url, { secret_token: 'our_secret' });
  const alice = telegram.createUser();
  const { update_id: id, ...content } = telegram.say(alice, alice, 'hello').update!;
  await vi.waitFor(() => expect(seen).toEqual([id, id, id]), SOON);
  telegram.redeliver({ update_id: id, ...content });
  await vi.waitFor(() => expect(seen).toHaveLength(4), SOON);
});

test('while it is set nobody may poll; without it polling goes on where it stopped', async () => {
  const poll = api().getUpdates({ timeout: 30 });
  const refused = poll.then(
    () => null,
    (error: unknown) => error,
  );
  await vi.waitFor(() => expect(telegram.calls('getUpdates')).toHaveLength(1), SOON);
  await api().setWebhook('http://127.0.0.1:9/', {});
  expect(await refused).toMatchObject({ error_code: 409 });
  await expect(api().getUpdates()).rejects.toMatchObject({ error_code: 409 });
  const alice = telegram.createUser();
  const waiting = telegram.say(alice, alice, 'hello').update;
  await api().deleteWebhook();
  expect(await api().getUpdates()).toEqual([waiting]);
});
