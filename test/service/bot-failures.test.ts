/** The pages beside the API: what fails there is an answer like any other, and is in the log, not on the terminal. */
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Service } from '../../service/start.ts';
import { startLocalService } from '../support/local-service.ts';

const lines: string[] = [];
let service: Service;
beforeAll(async () => {
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  service = await startLocalService({ env: { NETWORKS: 'base' }, log });
});
afterAll(() => service?.close());

async function ask(path: string, headers: Record<string, string>) {
  const response = await fetch(`${service.url}${path}`, { headers });
  const requestId = response.headers.get('x-request-id');
  return { status: response.status, requestId, text: await response.text() };
}

const GERMAN = { accept: 'text/html', 'accept-language': 'de' };

test.each([
  ['GET', '/purse/nothing'],
  ['DELETE', '/purse'],
  ['POST', `/pay/${'A'.repeat(22)}`],
])('%s %s is the page of an unknown address', async (method, path) => {
  const response = await fetch(`${service.url}${path}`, { method, headers: GERMAN });
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringContaining('So eine Seite gibt es hier nicht'),
  ]);
});

test.each(['/chat/nothing', '/telegram/nothing'])(
  'where %s is nothing, a page says so in the language of its reader, and a program reads the usual error',
  async (path) => {
    const page = await ask(path, GERMAN);
    expect(page).toMatchObject({ status: 404, requestId: expect.stringMatching(/^req_/) });
    expect(page.text).toContain('Unter dieser Adresse gibt es nichts.');
    const { status, text } = await ask(path, { accept: 'application/json' });
    expect([status, JSON.parse(text)]).toMatchObject([404, { error: 'not_found' }]);
  },
);

test('what breaks has a number that is in the log too, and nothing of it is on the terminal', async () => {
  const onTerminal = vi.spyOn(console, 'error').mockReturnValue();
  const cookie = (await fetch(`${service.url}/chat`)).headers.get('set-cookie')?.split(';')[0] ?? '';
  await service.store.tx((db) => db.run(sql`ALTER TABLE chat_messages RENAME TO gone`));
  const response = await fetch(`${service.url}/chat/messages`, {
    method: 'POST',
    headers: { cookie, origin: service.url, 'content-type': 'application/json' },
    body: JSON.stringify({ text: '/tip x:alice 1', event_id: 'edcdbf78ad9d6ea6e4ad8a' }),
  });
  await service.store.tx((db) => db.run(sql`ALTER TABLE gone RENAME TO chat_messages`));
  const requestId = response.headers.get('x-request-id');
  expect([response.status, await response.json()]).toMatchObject([500, { error: 'internal_error' }]);
  const logged = lines.map((line) => JSON.parse(line) as { requestId?: string });
  expect(logged.filter((line) => line.requestId === requestId)).toHaveLength(1);
  // Solana's client of another file in this process tries to reach its chain for ever, and says so there.
  expect(onTerminal.mock.calls.filter(([first]) => first !== 'ws error:')).toEqual([]);
  onTerminal.mockRestore();
});

/** The last one: where the rest of a body is not read within half a second, its connection is closed, also under a next request. */
test('what is too large is refused as such', async () => {
  const headers = { origin: service.url, 'content-type': 'application/json' };
  const body = JSON.stringify({ text: 'x'.repeat(1_000_000), event_id: 'edcdbf78ad9d6ea6e4ad8a' });
  expect((await fetch(`${service.url}/chat/messages`, { method: 'POST', headers, body })).status).toBe(413);
});
