import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';
import { listenForConsole } from '../../../service/console/listen.ts';
import type { OpenBeside } from '../../../service/options.ts';
import { createConsoleHarness, type ConsoleHarness } from './console-harness.ts';

const log = pino({ level: 'silent' });

let harness: ConsoleHarness;
let running: ReturnType<OpenBeside> | null = null;
beforeEach(async () => {
  harness = await createConsoleHarness();
});
afterEach(async () => {
  await running?.close();
  running = null;
  await harness.close();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function open(env: Record<string, string>): Promise<void> {
  const start = await listenForConsole({ config: parseConfig(env), log });
  running = start === null ? null : start({ store: harness.store, queue: { limits: createRateLimits(Date.now) } });
}

/** With whatever Host, as no `fetch` sends it. */
async function ask(port: number, host: string, path = '/sign-in'): Promise<{ status: number; text: string }> {
  const asked = request({ host: '127.0.0.1', port, path, headers: { host } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode ?? 0, text };
}

test('without ADMIN_PORT there is none', async () => {
  await open({});
  expect(running).toBeNull();
});

test('it answers by its own name alone, and has none of the service’s routes', async () => {
  const port = await freePort();
  await open({ ADMIN_PORT: String(port) });
  expect(await ask(port, `localhost:${port}`)).toMatchObject({
    status: 200,
    text: expect.stringContaining('Sign in') as string,
  });
  for (const host of ['evil.test', `evil.test:${port}`, 'localhost.evil.test', '10.0.0.1'])
    expect((await ask(port, host)).status).toBe(421);
  for (const path of ['/metrics', '/openapi.json', '/purse', '/payments/x/pay'])
    expect((await ask(port, `localhost:${port}`, path)).status).toBe(404);
});

test('a port in use is told in one line that names it', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  await expect(open({ ADMIN_PORT: String(port) })).rejects.toThrow(`ADMIN_PORT ${port} on 127.0.0.1 cannot be used.`);
  squatter.close();
});
