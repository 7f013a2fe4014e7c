import { serve, type ServerType } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Bot } from 'grammy';
import { Hono } from 'hono';
import { createWebhook } from '../../../bot/telegram/webhook.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import {
  lastText,
  quiet,
  runTelegram,
  startWorld,
  texts,
  until,
  type RunningTelegram,
  listening,
} from './telegram-harness.ts';

const SECRET = 'a-secret_of_ours';

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram;
let server: ServerType;
let url: string;

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  const app = new Hono();
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  running = await runTelegram({ apiUrl: api.url, telegram, webhook: { url, secret: SECRET } });
  const { webhook } = running.adapter;
  if (webhook) app.route('/', webhook);
  await listening(telegram);
});
afterEach(async () => {
  await running.close();
  await new Promise((resolve) => server.close(resolve));
  await telegram.close();
  await api.close();
});

const post = (secret: string, body: unknown) =>
  fetch(`${url}/telegram/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
    body: JSON.stringify(body),
  });

test('with a secret Telegram calls, and nobody asks; an update that comes three times is one order', async () => {
  const alice = telegram.createUser({ started: true });
  telegram.deliverThrice(true);
  telegram.say(alice, alice, '/tip x:jack 1');
  await until(() => expect(lastText(telegram, alice, alice)).toMatch(/^Sent/));
  await until(() => expect(telegram.unconfirmed()).toEqual([]));
  await quiet(running);
  expect(texts(telegram, alice, alice)).toHaveLength(1);
  expect(telegram.calls('getUpdates')).toEqual([]);
  expect(new Set(api.seen.map(({ key }) => key)).size).toBe(1);
});

test('a caller without the secret is not heard', async () => {
  const alice = telegram.createUser({ started: true });
  const date = Math.floor(Date.now() / 1_000);
  const message = { message_id: 1, date, chat: { id: alice.id, type: 'private' }, from: alice, text: '/balance' };
  for (const secret of ['', 'wrong', `${SECRET}x`]) {
    expect((await post(secret, { update_id: 1, message })).status).toBe(401);
  }
  expect(texts(telegram, alice, alice)).toEqual([]);
  expect((await post(SECRET, { update_id: 1, message })).status).toBe(200);
  await until(() => expect(lastText(telegram, alice, alice)).toContain('20.00'));
});

test.each(['', 'update', '{"update_id":0x10}', '[]', '{"message":{}}'])(
  '%j is no update, and no error of ours',
  async (body) => {
    const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET };
    expect((await fetch(`${url}/telegram/webhook`, { method: 'POST', headers, body })).status).toBe(400);
  },
);

test('more than an update can be is refused unread', async () => {
  expect((await post(SECRET, { update_id: 1, text: 'x'.repeat(300_000) })).status).toBe(413);
});

test('what takes too long is answered 503, comes again, and does no harm where it fails after that', async () => {
  const failures: unknown[] = [];
  const note = (reason: unknown) => void failures.push(reason);
  process.on('unhandledRejection', note);
  try {
    const bot = new Bot(telegram.token, { client: { apiRoot: telegram.url } });
    await bot.init();
    let fail = () => {};
    bot.use(() => new Promise((_, reject) => (fail = () => reject(new Error('the database is gone')))));
    const app = createWebhook(bot, SECRET, 20);
    const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET };
    const answer = await app.request('/telegram/webhook', { method: 'POST', headers, body: '{"update_id":7}' });
    expect(answer.status).toBe(503);
    fail();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(failures).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
