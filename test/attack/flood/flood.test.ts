/**
 * `npm run torture -- flood`: the whole service in a process of its own, while half-open sockets and connections on
 * pictures, pages and streams come from many addresses, and payers go on paying.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { reportFaults } from '../../../scripts/torture/faults.ts';
import { startMeasuredService, type MeasuredService } from '../../contract/requests/service.ts';
import { makeProof, post, type Reply } from '../../support/pay.ts';
import { openHalfRequests, startCrowd, type Wish } from './crowd.ts';

/** None: the torture sets them. */
const SOCKETS = Number(process.env['FLOOD_SOCKETS'] ?? 0);
const PAYMENTS = Number(process.env['FLOOD_PAYMENTS'] ?? 60);
/** How many times the limit a ratio may reach. 0: times are printed only, as in the slices, which run on any machine. */
const PATIENCE = Number(process.env['FLOOD_PATIENCE'] ?? 1);

const CONNECTIONS = 60;
const ADDRESSES = 8;
const PAYERS_AT_ONCE = 4;
const RATIO_MAX = 2;
const GONE_MS = 15_000;
/** What is held moves by as much without any leak; a socket that stayed would be some kilobytes. */
const FLUTTER_BYTES = 6_000_000;
const opened = z.object({ claim_id: z.string() });
const ORDER = { receiver: 'alice', amount: 0.01 };

let service: MeasuredService;
beforeAll(async () => {
  // The limit of production, so that what it refuses is refused here; payers are callers like any other.
  if (SOCKETS > 0) service = await startMeasuredService({ RATE_LIMIT_PER_MINUTE: '600' });
});
afterAll(() => service?.close());

test.runIf(SOCKETS > 0)(
  'a flood neither slows payers down, nor refuses one who paid, nor stays',
  { timeout: 600_000 },
  async () => {
    const url = new URL(service.url);
    const [first] = await pay(4);
    const receipt = new URL(first?.body.data.receipt ?? '').pathname;
    const quiet = await measure();
    const before = { sockets: openSockets(), bytes: await service.heldBytes() };

    const streams = startCrowd(url, await openClaim(), crowd);
    // First, because the others use up what their addresses may ask for.
    await eventually(async () => expect(streams.opened()).toBeGreaterThanOrEqual(CONNECTIONS), 60_000);
    const pictures = startCrowd(url, { path: `${receipt}/preview.png`, accept: 'image/png' }, crowd);
    const pages = startCrowd(url, { path: receipt, accept: 'text/html' }, crowd);
    let most = 0;
    const looking = setInterval(() => (most = Math.max(most, openSockets())), 250);
    const [halfOpen, flooded] = await Promise.all([openHalfRequests(url, SOCKETS, ADDRESSES), measure()]);
    clearInterval(looking);
    await Promise.all([pictures, pages, streams].map(({ stop }) => stop()));
    const stoppedMs = Date.now();
    const goneMs = await untilGone(before.sockets, stoppedMs);
    await halfOpen.stop();
    await sleep(2_000);
    const after = await service.heldBytes();

    const ratio = flooded.p95Ms / quiet.p95Ms;
    console.log(
      `payments: p95 ${quiet.p95Ms} ms quiet, ${flooded.p95Ms} ms in the flood of ${SOCKETS} (ratio ${ratio.toFixed(2)}), ` +
        `${flooded.refused.length} of ${PAYMENTS} refused; most sockets ${most}; all gone after ${goneMs} ms; heap ` +
        `${inMb(before.bytes)} → ${inMb(after)} MB; opened ${halfOpen.opened()} sockets and ${streams.opened()} streams; pictures ${JSON.stringify(pictures.statuses)}, ` +
        `pages ${JSON.stringify(pages.statuses)}, streams ${JSON.stringify(streams.statuses)}`,
    );
    reportFaults({
      'half-open socket': halfOpen.opened(),
      'picture asked for': sumOf(pictures.statuses),
      'page asked for': sumOf(pages.statuses),
      'stream held': streams.opened(),
    });
    expect(halfOpen.opened()).toBe(SOCKETS);
    expect(most - before.sockets).toBeGreaterThan(CONNECTIONS);
    expect([...quiet.refused, ...flooded.refused]).toEqual([]);
    if (PATIENCE > 0) {
      expect(ratio).toBeLessThan(RATIO_MAX * PATIENCE);
      expect(goneMs).toBeLessThan(GONE_MS);
    }
    expect(goneMs).toBeLessThan(2 * GONE_MS);
    expect(after - before.bytes).toBeLessThan(FLUTTER_BYTES);
    expect(service.complaints()).toEqual([]);
  },
);

const crowd = { count: CONNECTIONS, addresses: ADDRESSES };

async function measure(): Promise<{ p95Ms: number; refused: string[] }> {
  const tookMs: number[] = [];
  const replies: Reply[] = [];
  for (let made = 0; made < PAYMENTS; made += PAYERS_AT_ONCE) {
    const begunMs = performance.now();
    const paid = await Promise.all(
      Array.from({ length: PAYERS_AT_ONCE }, async (_, index) => {
        const reply = await payOnce(made + index);
        tookMs.push(performance.now() - begunMs);
        return reply;
      }),
    );
    replies.push(...paid);
  }
  const refused = replies.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.detail}`);
  const sorted = tookMs.toSorted((one, other) => one - other);
  return { p95Ms: Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0), refused };
}

/** A claim that waits for its code, so that its stream stays open. */
async function openClaim(): Promise<Wish> {
  const payout = { base: privateKeyToAccount(service.keys[0] ?? '0x').address };
  const order = { platform: 'email', handle: 'alice@example.com', payout };
  const { status, body, headers } = await post(`${service.url}/claims`, order);
  expect(status).toBe(201);
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const { claim_id: id } = opened.parse(body.data);
  return { path: `/claims/${id}`, accept: 'text/event-stream', cookie };
}

const pay = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => payOnce(index)));

async function payOnce(index: number): Promise<Reply> {
  const signer = privateKeyToAccount(service.keys[index % service.keys.length] ?? '0x');
  const { payTo } = service;
  const header = await makeProof({ from: signer.address, signer, payTo, value: 10_000n });
  const present = () => post(`${service.url}/payments/x/pay`, ORDER, { 'PAYMENT-SIGNATURE': header });
  // As every client does: on its way is no refusal, and the time until its 200 counts.
  for (let reply = await present(); ; reply = await present()) {
    if (reply.status !== 500 || reply.body.error !== 'settlement_pending') return reply;
    await sleep(1_000);
  }
}

/** Descriptors of the service that are sockets. */
function openSockets(): number {
  const dir = `/proc/${service.pid}/fd`;
  return readdirSync(dir).filter((name) => {
    try {
      return readlinkSync(`${dir}/${name}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}

/** The half-open ones are still held by their callers. Some of our own may come and go. */
async function untilGone(before: number, sinceMs: number): Promise<number> {
  while (openSockets() > before + 5 && Date.now() - sinceMs < 2 * GONE_MS) await sleep(100);
  return Date.now() - sinceMs;
}

const sumOf = (statuses: Record<number, number>): number => Object.values(statuses).reduce((sum, one) => sum + one, 0);
const inMb = (bytes: number): string => (bytes / 1e6).toFixed(1);
