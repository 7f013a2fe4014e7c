/**
 * The log of a run at its most talkative, over every page of receipts and claims and with a database that breaks: nothing
 * in it lets a reader in, or says who was paid and why.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../service/log.ts';
import type { Service } from '../../../service/start.ts';
import { startLocalService } from '../../support/local-service.ts';
import { payFrom } from '../../support/payers.ts';

const NOTE = 'canary-note-for-nobody-else';
const SENDER = 'canary-sender';
const ADDRESS = 'canary-address@example.com';

let service: Service;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-canaries-'));
  service = await startLocalService({ log: createLog({ level: 'trace', dataDir: dir, secrets: () => [] }) });
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true, force: true });
});

const readLog = (): string => readFileSync(join(dir, 'pennypost.log'), 'utf8');

async function get(path: string, accept = 'text/html'): Promise<number> {
  const answer = await fetch(new URL(path, service.url), { headers: { accept }, redirect: 'manual' });
  await answer.body?.cancel();
  return answer.status;
}

async function payForReceipt(): Promise<string> {
  const order = { receiver: ADDRESS, amount: 0.5, description: NOTE, meta: { agent_name: SENDER } };
  const { receipt } = await payFrom(service, 'base', 'email', order);
  return receipt.slice(receipt.lastIndexOf('/') + 1);
}

/** Every page that such a link leads to. */
async function readAll(slug: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const accept of ['text/html', 'application/json', 'text/event-stream']) {
    statuses.push(await get(`/receipts/${slug}`, accept));
  }
  const claim = `/claim/email/${encodeURIComponent(ADDRESS)}?receipt=${slug}`;
  for (const path of [`/receipts/${slug}/preview.png`, claim, `/claim/email?receipt=${slug}`]) {
    statuses.push(await get(path));
  }
  return statuses;
}

test('holds no link of a receipt or a mail, no name, note or sender, also where requests fail', async () => {
  const slug = await payForReceipt();
  expect(slug).toMatch(/^[\w-]{22}$/);
  expect(await readAll(slug)).toEqual([200, 200, 200, 200, 200, 200]);
  const fields = { platform: 'email', handle: ADDRESS, choice: 'keep', receipt: slug };
  const opened = await fetch(new URL('/claims', service.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', origin: new URL(service.url).origin },
    body: new URLSearchParams(fields),
  });
  expect(opened.status).toBe(303);
  const secret = 'canary'.padEnd(43, 'x');
  await get(`/claims/mail/${secret}`);
  // From here on everything that reads a line fails.
  await service.store.tx((db) => db.run(sql`alter table lines rename to lines_away`));
  await service.store.tx((db) => db.run(sql`alter table code_mails rename to code_mails_away`));
  expect(await readAll(slug)).toEqual([500, 500, 500, 200, 500, 500]);
  expect(await get(`/claims/mail/${secret}`)).toBe(500);
  await service.store.tx((db) => db.run(sql`alter table lines_away rename to lines`));
  await service.store.tx((db) => db.run(sql`alter table code_mails_away rename to code_mails`));
  const log = readLog();
  // It did say what failed, and where.
  expect(log).toContain('"route":"/receipts/:slug"');
  expect(log).toContain('no such table: lines');
  for (const canary of [slug, NOTE, SENDER, ADDRESS, encodeURIComponent(ADDRESS), secret]) {
    expect([canary, log.includes(canary)]).toEqual([canary, false]);
  }
});
