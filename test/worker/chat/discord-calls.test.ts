import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createDiscordCall, Unreachable } from '../../../worker/chat/discord-calls.ts';

async function openDiscord(status: 400 | 401 | 403 | 404 | 500, code: number) {
  const app = new Hono();
  app.all('*', (context) => context.json({ code, message: 'no' }, status));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return createDiscordCall({ token: 'token', apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

// 50083: an archived thread takes no reactions. Asked again each minute it would say so for years.
test.each([
  [400, 50_083],
  [403, 50_007],
  [404, 10_003],
] as const)('%i is an answer for good', async (status, code) => {
  const call = await openDiscord(status, code);
  await expect(call('PUT', '/channels/1/messages/2/reactions/x/@me')).rejects.toMatchObject({ status, code });
  await expect(call('PUT', '/channels/1')).rejects.toBeInstanceOf(Unreachable);
});

test.each([401, 500] as const)('%i may be another answer the next time', async (status) => {
  const call = await openDiscord(status, 0);
  await expect(call('POST', '/channels/1/messages', {})).rejects.not.toBeInstanceOf(Unreachable);
});
