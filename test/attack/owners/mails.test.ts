/**
 * Strangers ask for mails to addresses of their own until the day has none left for those who ask. Who holds the link of a
 * receipt, or of the notice that money waits, still gets a code.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { ensureStopSecret, toReaderToken } from '../../../db/notices/stop-token.ts';
import { startWorld, type World } from '../../api/claims/world.ts';

const DAILY = 20;
/** More than a day has for those who ask. */
const MAILS = 10;
const DAY_MS = 86_400_000;
const OWNER = 'owner@example.com';

let world: World;
afterEach(() => world.close());

const newNetwork = (): string => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;

async function attack(mailsDailyMax: number | null, mails: number): Promise<number> {
  world = await startWorld({ mailsDailyMax });
  let sent = 0;
  for (let index = 0; index < mails; index += 1) {
    const { status } = await world.newVisitor(newNetwork()).open('email', `mine-${index}@example.com`, { keep: true });
    if (status === 201) sent += 1;
  }
  return sent;
}

/** Which of the links the owner uses; `wrong`: another person's. */
type Held = 'receipt' | 'notice' | 'wrong notice' | 'nothing';

/** Each time by an owner of its own. */
async function ask(held: Held) {
  const owner = `${held.replace(' ', '-')}@example.com`;
  const { store } = world;
  const { slug, identityId } = (await world.payTo('email', owner)).lines[0] ?? {};
  const { identityId: other } = (await world.payTo('email', 'other@example.com')).lines[0] ?? {};
  const secret = await ensureStopSecret(store, () => randomBytes(16).toString('base64url'));
  const links: Record<Held, Record<string, string>> = {
    receipt: { receipt: slug ?? '' },
    notice: { reader: toReaderToken(secret, identityId ?? '') },
    'wrong notice': { reader: toReaderToken(secret, other ?? '') },
    nothing: {},
  };
  const fields = { platform: 'email', handle: owner, choice: 'keep', ...links[held] };
  const answer = await world.newVisitor(newNetwork()).submit('/claims', fields);
  return { status: answer.status, retryAfter: answer.headers.get('Retry-After'), mail: await world.mailsTo(owner) };
}

test('with the link of a receipt or a notice the owner gets a code; CONTROL: without, once the next day begins', async () => {
  expect(await attack(DAILY, MAILS)).toBe(DAILY * 0.4);
  for (const held of ['receipt', 'notice'] as const) {
    const { status, mail } = await ask(held);
    expect([held, status]).toEqual([held, 303]);
    expect(mail).toMatch(/\d{4} \d{4}/);
  }
  const leftMs = DAY_MS - (world.clock.nowMs % DAY_MS);
  for (const held of ['nothing', 'wrong notice'] as const) {
    const { status, retryAfter, mail } = await ask(held);
    expect([held, status, retryAfter]).toEqual([held, 429, String(Math.ceil(leftMs / 1_000))]);
    expect(mail).not.toMatch(/\d{4} \d{4}/);
  }
  world.clock.nowMs += Math.ceil(leftMs / 1_000) * 1_000;
  for (const held of ['nothing', 'wrong notice'] as const) expect((await ask(held)).status).toBe(303);
});

test('a notice’s page hands its link on to the form', async () => {
  world = await startWorld();
  const page = await world.newVisitor().page(`/claim/email/${encodeURIComponent(OWNER)}?reader=some-one.token`);
  expect(await page.text()).toContain('name="reader" value="some-one.token"');
});

test('CONTROL: without a budget strangers are sent all the mails that they ask for', async () => {
  expect(await attack(null, MAILS)).toBe(MAILS);
});

describe('one network that asks for mails to ever other addresses', () => {
  async function fromOne(mailsPerIpHourMax: number): Promise<number> {
    world = await startWorld({ mailsPerIpHourMax });
    const here = newNetwork();
    let sent = 0;
    for (let index = 0; index < 7; index += 1) {
      const { status } = await world.newVisitor(here).open('email', `mine-${index}@example.com`, { keep: true });
      if (status === 201) sent += 1;
    }
    return sent;
  }

  test('has so many an hour', async () => {
    expect(await fromOne(5)).toBe(5);
  });

  test('CONTROL: without a limit of its own it has as many as it asks for', async () => {
    expect(await fromOne(1_000)).toBe(7);
  });
});
