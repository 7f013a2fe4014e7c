/**
 * Strangers claim for an address all the time, each with a cookie and a network of its own, or from where the owner is:
 * mails, codes and places are used up. The owner, who has the link of the receipt or any mail of the last hour, collects
 * at any moment. Virtual time; `npm run torture -- lockout` raises the counts.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportFaults } from '../../../scripts/torture/faults.ts';
import { newAddress, startWorld, type World } from '../../api/claims/world.ts';
import type { Visitor } from '../../api/claims/visitor.ts';

const OWNERS = Number(process.env['LOCKOUT_OWNERS'] ?? '2');
const STRANGERS_PER_HOUR = Number(process.env['LOCKOUT_STRANGERS'] ?? '40');

const HOUR_MS = 3_600_000;
/** What a person takes for a step: a page, a look into the mailbox. */
const STEP_MS = 12_000;
const COLLECTED_WITHIN_MS = 120_000;
const OWNERS_ADDRESS = '198.51.100.7';
const MINE = newAddress();
/** Twenty a minute, as the service has it. */
const LIMITS = { openedPerMinute: 20 };

let world: World;
beforeAll(async () => {
  world = await startWorld({}, LIMITS);
});
afterAll(() => world.close());

/** With `links` off the owner does what was possible before mails had any. */
type Way = { by: 'receipt' | 'mail' | 'name'; links: boolean };

const newNetwork = (): string => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;

type Storm = { address: string; owed: number; fromOwners: boolean; refused: number; unmailed: number };

/** Time goes on, and strangers with it. */
async function pass(storm: Storm, ms: number): Promise<void> {
  const pieceMs = HOUR_MS / STRANGERS_PER_HOUR;
  for (let leftMs = ms; leftMs > 0; leftMs -= pieceMs) {
    const stepMs = Math.min(pieceMs, leftMs);
    world.clock.nowMs += stepMs;
    storm.owed += stepMs / pieceMs;
    for (; storm.owed >= 1; storm.owed -= 1) await strangerClaims(storm);
  }
}

/** Every third comes from where the owner is; some guess, some ask for another code. */
async function strangerClaims(storm: Storm): Promise<void> {
  storm.fromOwners = !storm.fromOwners;
  const stranger = world.newVisitor(storm.fromOwners ? OWNERS_ADDRESS : newNetwork());
  const { status, body } = await stranger.open('email', storm.address, { base: MINE });
  if (status !== 201) {
    storm.refused += 1;
    return;
  }
  if (body.data.email?.code_expires_at === null) storm.unmailed += 1;
  const id = body.data.claim_id;
  await stranger.prove(id, { code: '00000000' });
  await stranger.send(`/claims/${id}/resend`, {});
  await stranger.submit(`/claims/mail/${randomBytes(32).toString('base64url')}`, { choice: 'keep' });
}

/** Uses up what one network address may ask for. */
async function useUpAddress(): Promise<void> {
  for (let count = 0; count < 25; count += 1) {
    const other = `other-${randomBytes(4).toString('hex')}@example.com`;
    await world.newVisitor(OWNERS_ADDRESS).open('email', other, { base: MINE });
  }
}

async function newestMail(address: string): Promise<{ code: string; link: string }> {
  const shown = await world.mailsTo(address);
  const [code = ''] = /\d{4} \d{4}/.exec(shown) ?? [];
  const [link = ''] = /\/claims\/mail\/[\w-]{43}/.exec(shown) ?? [];
  return { code, link };
}

/** How long the owner took; null when the money was not on its way in time. */
async function collect(storm: Storm, slug: string, { by, links }: Way): Promise<number | null> {
  const owner = world.newVisitor(OWNERS_ADDRESS);
  const startedMs = world.clock.nowMs;
  const to = newAddress();
  const fields = { choice: 'address', address: to };
  const page = async (path: string) => {
    await pass(storm, STEP_MS);
    return (await owner.page(path)).text();
  };
  const open = async () => {
    const named = {
      ...fields,
      platform: 'email',
      handle: storm.address,
      ...(by === 'receipt' ? { receipt: slug } : {}),
    };
    const answer = await owner.submit('/claims', named);
    const path = answer.headers.get('location') ?? '';
    if (!(await page(path)).includes('name="code"')) return null;
    const { code } = await newestMail(storm.address);
    await owner.submit(path.replace(/\?.*/, '/proof'), { code });
    return path;
  };
  const openLink = async () => {
    const { link } = await newestMail(storm.address);
    if (link === '' || !(await page(link)).includes('value="keep"')) return null;
    return (await owner.submit(link, fields)).headers.get('location');
  };
  while (world.clock.nowMs - startedMs < COLLECTED_WITHIN_MS) {
    const path = (by === 'mail' ? null : await open()) ?? (links ? await openLink() : null);
    if (path !== null && (await confirm(owner, path, page))) {
      const isOnItsWay = (await world.payouts()).some(({ toAddress }) => toAddress === to);
      return isOnItsWay ? world.clock.nowMs - startedMs : null;
    }
    await pass(storm, STEP_MS);
  }
  return null;
}

async function confirm(owner: Visitor, path: string, page: (path: string) => Promise<string>): Promise<boolean> {
  const token = /name="confirm_token" value="([^"]+)"/.exec(await page(path))?.[1];
  if (token === undefined) return false;
  return (await owner.submit(path.replace(/\?.*/, '/confirm'), { confirm_token: token })).status === 303;
}

let count = 0;

/** One owner under an hour and a half of it, then collecting at some moment. */
async function attackOne(way: Way, atMs: number) {
  count += 1;
  const address = `owner-${count}@example.com`;
  const paid = await world.payTo('email', address);
  const slug = paid.lines[0]?.slug ?? '';
  const storm = { address, owed: 0, fromOwners: false, refused: 0, unmailed: 0 };
  await pass(storm, HOUR_MS + atMs);
  await useUpAddress();
  return { storm, tookMs: await collect(storm, slug, way) };
}

test(`${OWNERS} owners under ${STRANGERS_PER_HOUR} strangers' claims an hour each collect in under two minutes`, async () => {
  const ways = ['receipt', 'mail'] as const;
  const late: string[] = [];
  let slowestMs = 0;
  for (let index = 0; index < OWNERS; index += 1) {
    const by = ways[index % ways.length] ?? 'mail';
    // At another minute of the hour each time.
    const atMs = ((index * 37) % 60) * 60_000 + (index % 60) * 1_000;
    const { storm, tookMs } = await attackOne({ by, links: true }, atMs);
    reportFaults({ 'no mail for a stranger': storm.unmailed, [`owner by ${by}`]: 1, 'caller used up': 1 });
    if (tookMs === null || tookMs >= COLLECTED_WITHIN_MS) late.push(`${by} at ${atMs}: ${tookMs}`);
    else slowestMs = Math.max(slowestMs, tookMs);
  }
  expect(late).toEqual([]);
  expect((await world.payouts()).filter(({ toAddress }) => toAddress === MINE)).toEqual([]);
  await world.assertSound();
  process.stdout.write(`${OWNERS} owners collected, the slowest in ${slowestMs / 1_000} s of virtual time\n`);
}, 3_600_000);

test.each([
  ['without links in mails, and only the pot that all share', { by: 'receipt', links: false }],
  ['without the link of a receipt, in limits that strangers used up', { by: 'name', links: false }],
] as const)('CONTROL: %s, the owner is kept out', async (_title, way) => {
  const { tookMs } = await attackOne(way, 5 * 60_000);
  expect(tookMs).toBeNull();
});

test('strangers who use up the sign-ins of a network address leave those of a receipt to its holder', async () => {
  const paid = await world.payTo('x', 'alice');
  await useUpAddress();
  const signIn = { platform: 'x', handle: 'alice', choice: 'address', address: newAddress() };
  const stranger = await world.newVisitor(OWNERS_ADDRESS).submit('/claims', signIn);
  const wrong = { ...signIn, receipt: 'A'.repeat(22) };
  const guessing = await world.newVisitor(OWNERS_ADDRESS).submit('/claims', wrong);
  const receipt = paid.lines[0]?.slug ?? '';
  const owner = await world.newVisitor(OWNERS_ADDRESS).submit('/claims', { ...signIn, receipt });
  expect([stranger.status, guessing.status, owner.status]).toEqual([429, 429, 303]);
});

test('CONTROL: without a limit on sign-ins strangers use up nothing, and open as many as they like', async () => {
  const limited = world;
  world = await startWorld();
  try {
    await useUpAddress();
    const signIn = { platform: 'x', handle: 'alice', choice: 'address', address: newAddress() };
    expect((await world.newVisitor(OWNERS_ADDRESS).submit('/claims', signIn)).status).toBe(303);
  } finally {
    await world.close();
    world = limited;
  }
});
