/**
 * Everything that listens is asked what is nearly right, at its most talkative: no error of ours, flat memory, and nothing
 * that belongs to one person or caller in a log, an answer or a column that is not its own.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportFaults } from '../../../scripts/torture/faults.ts';
import { describeRequest, type TestRequest } from '../../contract/requests/request.ts';
import { send } from '../../contract/requests/send.ts';
import { startMeasuredService, type MeasuredService } from '../../contract/requests/service.ts';
import { jsonPost } from '../../contract/installation.ts';
import { startFakeTelegram, type FakeTelegram } from '../../fakes/telegram/start.ts';
import { makeProof } from '../../support/pay.ts';
import { columnsWith } from './columns.ts';
import { DEPTHS, FACES, fuzzed, type Face } from './faces.ts';
import { createKnown } from './known.ts';
import { BROUGHT, type Entrance } from './parts.ts';

/** `npm run torture -- fuzz` sets both, and its slice too. */
const COUNT = Number(process.env['FUZZ_COUNT'] ?? '240');
const SEED = Number(process.env['FUZZ_SEED'] ?? '20261123');
const PART = Math.min(2_000, Math.ceil(COUNT / 5));
const CALLERS = 12;
/**
 * As in the torture `requests`. Before a slice has ended, not every visitor has come, nor every statement and text been cached:
 * there it only finds what runs away.
 */
const FLUTTER_BYTES = COUNT < 5_000 ? 40_000_000 : 6_000_000;
const LEFT_BYTES_PER_REQUEST = 100;

const REST_SECONDS = 90;

const WEBHOOK_SECRET = 'a-secret-of-this-test';
const NOTE = 'canary-note-for-nobody-else';
const MAIL = 'canary-mail@example.com';

let telegram: FakeTelegram;
let service: MeasuredService;
let entrance: Entrance;
let slug: string;

beforeAll(async () => {
  telegram = await startFakeTelegram({ limits: null, botUsername: 'penny_bot' });
  service = await startMeasuredService({
    LOG_LEVEL: 'trace',
    TELEGRAM_TOKEN: telegram.token,
    TELEGRAM_API_URL: telegram.url,
    TELEGRAM_WEBHOOK_SECRET: WEBHOOK_SECRET,
    // So that visitors come from networks of their own.
    TRUSTED_PROXIES: '127.0.0.0/8',
  });
  entrance = { origin: new URL(service.url).origin, webhookSecret: WEBHOOK_SECRET };
  slug = await payForReceipt();
}, 120_000);
afterAll(async () => {
  await service?.close();
  await telegram?.close();
});

/** What the service knows of others while it is asked. */
async function payForReceipt(): Promise<string> {
  const [key] = service.keys;
  if (key === undefined) throw new Error('nobody has play money');
  const signer = privateKeyToAccount(key);
  const proof = await makeProof({ from: signer.address, signer, payTo: service.payTo, value: 500_000n });
  const order = { receiver: MAIL, amount: 0.5, description: NOTE };
  const reply = await fetch(`${service.url}/payments/email/pay`, jsonPost(order, { 'PAYMENT-SIGNATURE': proof }));
  const text = await reply.text();
  expect([reply.status, text]).toEqual([200, expect.any(String)]);
  return /\/receipts\/([\w-]{22})/.exec(text)?.[1] ?? '';
}

type Tally = {
  sent: number;
  wrong: string[];
  hits: Partial<Record<Face, number>>;
  /** What of `DEPTHS` was seen, and how often a status came. */
  reached: Set<string>;
  statuses: Map<string, number>;
};

test(
  'whatever any face is asked, it is no error of ours, stays in its memory, and tells nothing of others',
  { timeout: 240_000 + COUNT * 100 },
  async () => {
    expect(slug).not.toBe('');
    const tally: Tally = { sent: 0, wrong: [], hits: {}, reached: new Set(), statuses: new Map() };
    const known = createKnown();
    let before: number | null = null;
    let warm = 0;
    while (tally.sent < COUNT) {
      await runPart(SEED + tally.sent, Math.min(PART, COUNT - tally.sent), tally, known);
      if (before !== null || tally.sent < COUNT / 5) continue;
      before = await service.heldBytes();
      warm = tally.sent;
    }
    const bound = FLUTTER_BYTES + LEFT_BYTES_PER_REQUEST * (COUNT - warm);
    const grown = await grownAtRest(before ?? 0, bound);
    reportFaults(tally.hits);
    console.log(
      `${tally.sent} requests, seed ${SEED}: ${tally.wrong.length} wrong, heap ${(grown / 1e6).toFixed(1)} MB more\n${statusesOf(tally)}`,
    );
    expect(tally.wrong.slice(0, 10)).toEqual([]);
    expect(missedBy(tally)).toEqual([]);
    expect(grown).toBeLessThan(bound);
  },
);

test('nothing that a caller brought, and nothing of what others may not read, is in the log', () => {
  const log = service.log();
  expect(log).toContain('"level":');
  for (const canary of [...Object.values(BROUGHT), NOTE, MAIL, encodeURIComponent(MAIL), slug, ...service.keys]) {
    expect([canary, log.includes(canary)]).toEqual([canary, false]);
  }
  // That a network was waited for on a busy machine is no error.
  expect(service.complaints().filter((text) => /Error|"level":50/.test(text))).toEqual([]);
});

test('what a caller brought is in no column, and a note, a mail and a private link are in their own', async () => {
  for (const canary of [...Object.values(BROUGHT), ...service.keys]) {
    expect([canary, columnsWith(service.dataDir, canary)]).toEqual([canary, []]);
  }
  expect(columnsWith(service.dataDir, NOTE)).toEqual(['payments.description']);
  expect(columnsWith(service.dataDir, slug)).toEqual(['lines.slug', 'payments.answer']);
  expect(columnsWith(service.dataDir, MAIL).toSorted()).toEqual([
    'identities.display',
    'identities.key',
    'identities.stable_id',
    'lines.display',
    'lines.receiver',
    'lines.recipient_key',
    'payments.answer',
  ]);
});

/** Chats and webhooks are answered before their work is done: what waits for its turn is no leak. */
async function grownAtRest(before: number, bound: number): Promise<number> {
  for (let looks = 0; ; looks += 1) {
    const grown = (await service.heldBytes()) - before;
    if (grown < bound || looks >= REST_SECONDS) return grown;
    await sleep(1_000);
  }
}

async function runPart(
  seed: number,
  count: number,
  tally: Tally,
  known: ReturnType<typeof createKnown>,
): Promise<void> {
  const left = fc.sample(fuzzed(entrance, Math.floor(Date.now() / 1_000)), { numRuns: count, seed }).values();
  const caller = async () => {
    for (const { face, request: made } of left) {
      const request = known.fill(made);
      tally.sent += 1;
      tally.hits[face] = (tally.hits[face] ?? 0) + 1;
      const outcome = await send(request, service);
      if (outcome.kind === 'answer') {
        const { status, text, headers } = outcome.answer;
        const seen = { status, text, location: headers.get('location') ?? '' };
        known.note(request, seen);
        for (const [name, isSeen] of Object.entries(DEPTHS[face]))
          if (isSeen(seen)) tally.reached.add(`${face}: ${name}`);
        tally.statuses.set(`${face} ${status}`, (tally.statuses.get(`${face} ${status}`) ?? 0) + 1);
      }
      const problem = problemOf(request, outcome);
      if (problem !== null) tally.wrong.push(`${face}: ${problem} — ${describeRequest(request)}`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

/** A slice is too small for what takes two steps of one visitor. */
const TWO_STEPS = ['pages: a step of a claim', 'pages: an order of the purse', 'pages: a withdrawal on show'];

function missedBy({ reached }: Tally): string[] {
  const all = FACES.flatMap((face) => Object.keys(DEPTHS[face]).map((name) => `${face}: ${name}`));
  return all.filter((name) => !reached.has(name) && !(COUNT < 5_000 && TWO_STEPS.includes(name)));
}

function statusesOf({ statuses }: Tally): string {
  return FACES.map((face) => {
    const own = [...statuses]
      .filter(([name]) => name.startsWith(`${face} `))
      .toSorted((one, other) => other[1] - one[1]);
    return `${face}: ${own.map(([name, count]) => `${count} × ${name.slice(face.length + 1)}`).join(', ')}`;
  }).join('\n');
}

function problemOf({ target }: TestRequest, outcome: Awaited<ReturnType<typeof send>>): string | null {
  if (outcome.kind === 'none') return null;
  if (outcome.kind !== 'answer') return outcome.kind === 'wrong' ? outcome.why : 'hung';
  const { status, text } = outcome.answer;
  // What does not serve at a moment is what this page is for.
  if (status === 503 && target.split('?')[0] === '/health') return null;
  if (status >= 500 && !text.includes('"overloaded"')) return `${status} ${text.slice(0, 300)}`;
  const told = [NOTE, MAIL, slug, ...service.secrets].filter((canary) => text.includes(canary));
  return told.length === 0 ? null : `${status} tells ${told.join(', ')}`;
}
