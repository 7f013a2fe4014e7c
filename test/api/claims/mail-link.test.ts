import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Visitor } from './visitor.ts';
import { newAddress, startWorld, type World } from './world.ts';

/** The link in a mail: it lets in the reader of the mailbox, in any browser, and nobody else. */
let world: World;
let mallory: Visitor;
let reader: Visitor;
let count = 0;
let address: string;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  count += 1;
  address = `reader${count}@example.com`;
  mallory = world.newVisitor();
  reader = world.newVisitor();
  await world.payTo('email', address);
});
afterEach(() => world.assertSound());
afterAll(() => world.close());

const STRANGERS = newAddress();
const HOUR_MS = 3_600_000;

/** A stranger asks for a mail, with an address to be paid at. */
async function mailedLink(): Promise<{ link: string; claimId: string }> {
  const { claim_id: claimId } = await mallory.opened('email', address, { base: STRANGERS });
  const [link = ''] = /\/claims\/mail\/[\w-]{43}/.exec(await world.mailsTo(address)) ?? [];
  return { link, claimId };
}

const tokenOf = async (path: string, visitor: Visitor): Promise<string | null> =>
  /name="confirm_token" value="([^"]+)"/.exec(await (await visitor.page(path)).text())?.[1] ?? null;

async function collect(link: string, visitor: Visitor, to: string): Promise<number> {
  const opened = await visitor.submit(link, { choice: 'address', address: to });
  if (opened.status !== 303) return opened.status;
  const path = opened.headers.get('location') ?? '';
  const token = (await tokenOf(path, visitor)) ?? '';
  return (await visitor.submit(path.replace(/\?.*/, '/confirm'), { confirm_token: token })).status;
}

const paidTo = async (to: string) => (await world.payouts()).filter(({ toAddress }) => toAddress === to).length;

test('pays the reader where the reader says, and gives nothing to the stranger who asked for the mail', async () => {
  const { link, claimId } = await mailedLink();
  const mine = newAddress();
  expect(await collect(link, reader, mine)).toBe(303);
  expect([await paidTo(mine), await paidTo(STRANGERS)]).toEqual([1, 0]);
  expect((await mallory.read(claimId)).body.data).toMatchObject({ status: 'pending', total: null });
});

test('changes nothing when it is only opened, as mail programs do by themselves', async () => {
  const { link } = await mailedLink();
  const { claims } = world.store.tables;
  const before = (await world.store.read.select().from(claims)).length;
  const opened = await reader.page(link);
  expect([opened.status, opened.headers.get('set-cookie')]).toEqual([200, null]);
  expect(opened.headers.get('referrer-policy')).toBe('same-origin');
  expect((await world.store.read.select().from(claims)).length).toBe(before);
});

test('works again and in other browsers until it has collected, then in that one only', async () => {
  const { link } = await mailedLink();
  const app = world.newVisitor();
  expect((await app.submit(link, { choice: 'decline' })).status).toBe(303);
  const mine = newAddress();
  expect(await collect(link, reader, mine)).toBe(303);
  expect([(await app.page(link)).status, (await app.submit(link, { choice: 'keep' })).status]).toEqual([404, 404]);
  expect((await reader.page(link)).status).toBe(200);
});

test('is over after an hour, which a guess never begins', async () => {
  const { link } = await mailedLink();
  world.clock.nowMs += HOUR_MS - 1;
  expect((await reader.page(link)).status).toBe(200);
  world.clock.nowMs += 1;
  expect((await reader.page(link)).status).toBe(404);
  expect((await reader.submit(link, { choice: 'keep' })).status).toBe(404);
  for (const guess of ['A'.repeat(43), 'proof', 'A']) {
    expect((await reader.page(`/claims/mail/${guess}`)).status).toBe(404);
  }
});

test('keeps what was chosen wrongly on its page, and takes no form of another site', async () => {
  const { link } = await mailedLink();
  const wrong = await reader.submit(link, { choice: 'address', address: '0x12' });
  expect([wrong.status, (await wrong.text()).includes(`action="${link}"`)]).toEqual([400, true]);
  const init = { method: 'POST', body: new URLSearchParams({ choice: 'keep' }) };
  const foreign = await reader.ask(link, { ...init, headers: { origin: 'https://evil.example' } });
  const typed = await reader.ask(link, {
    method: 'POST',
    body: 'choice=keep',
    headers: { 'content-type': 'text/plain' },
  });
  expect([foreign.status, typed.status]).toEqual([403, 415]);
});

test('the books hold no secret that opens it', async () => {
  const { link } = await mailedLink();
  const { codeMails } = world.store.tables;
  const rows = JSON.stringify(await world.store.read.select().from(codeMails));
  expect(rows).not.toContain(link.slice('/claims/mail/'.length));
});

test('a claim of another browser reads when the last mail was sent, and where to look', async () => {
  await mailedLink();
  const sentAt = new Date(world.clock.nowMs).toISOString();
  world.clock.nowMs += 60_000;
  const { claim_id: id, email } = await reader.opened('email', address, { keep: true });
  expect(email).toEqual({ to: address, code_expires_at: null, tries_left: 5, last_mail_at: sentAt });
  const page = await (await reader.page(`/claims/${id}`)).text();
  expect(page).toContain('Open the link in the mail');
  expect(page).not.toContain('name="code"');
});
