import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOLDER_WAIT_MS } from '../../../core/wallets/holder-wait.ts';
import { PASSKEY_WAIT_MS, WITHOUT_PASSKEY_MS } from '../../../core/wallets/passkeys.ts';
import { PROOF_FRESH_MS } from '../../../core/claims/claims.ts';
import { findOrder } from '../../../db/tips/orders.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { passkeysOf } from '../../../db/wallets/passkeys.ts';
import { newPurseLink } from '../../../bot/conversation/files.ts';
import { withdrawHelpView } from '../../../bot/wallets/withdraw-views.ts';
import { plainText } from '../../../core/view.ts';
import { dueItems } from '../../../db/store/outbox.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { createAuthenticator } from './authenticator.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { START_MS } from '../harness.ts';
import { STRANGER } from '../withdrawal-rows.ts';
import { createWalletHarness, WALLET } from './wallet-harness.ts';

const SITE = 'http://localhost';

let api: FakeApi;
let harness: Awaited<ReturnType<typeof createWalletHarness>>;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.seen.length = 0;
  api.script(({ header }) => ({ do: header ? 'paid' : 'challenge' }));
  harness = await createWalletHarness({ apiUrl: api.url });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await harness.store.close();
});

type Browser = Awaited<ReturnType<typeof harness.openBrowser>>;
type Authenticator = ReturnType<typeof createAuthenticator>;
const now = () => harness.clock.now();
const known = () => passkeysOf(harness.store.read, harness.store.tables, WALLET, now());
const optionsIn = (page: string): { challenge: string } =>
  JSON.parse((/data-options="([^"]+)"/.exec(page)?.[1] ?? 'null').replaceAll('&quot;', '"')) as { challenge: string };

async function ask(browser: Browser, fields: Record<string, string>): Promise<{ challenge: string }> {
  const answer = await browser.post('/passkeys/ask', fields);
  expect(answer.status).toBe(200);
  return (await answer.json()) as { challenge: string };
}

async function add(browser: Browser, authenticator: Authenticator = createAuthenticator(SITE)) {
  const wish = { for: 'add', wallet: WALLET };
  const signed = authenticator.create(await ask(browser, wish));
  return { authenticator, answer: await browser.post('/passkeys/add', { ...wish, signed }) };
}

async function review(browser: Browser) {
  const answer = await browser.post('/pay', { wallet: WALLET, platform: 'x', name: '@bob', amount: '1', note: '' });
  const path = (answer.headers.get('location') ?? '').slice('/purse'.length);
  const page = await (await browser.get(path)).text();
  return { path, page, order: /name="order" value="([^"]+)"/.exec(page)?.[1] ?? '' };
}

describe('adding one', () => {
  test('it counts at once where the money was kept and the name just proven; the next one later', async () => {
    const owner = await harness.openBrowser();
    expect((await add(owner)).answer.status).toBe(303);
    expect((await known()).map(({ holdsFromMs }) => holdsFromMs)).toEqual([now()]);
    harness.clock.pass(1);
    await add(owner);
    expect((await known()).map(({ holdsFromMs }) => holdsFromMs - now())).toEqual([-1, WITHOUT_PASSKEY_MS]);
    const told = (await dueItems(harness.store, now(), 10)).filter(({ topic }) => topic === 'passkey_changed');
    expect(told).toHaveLength(2);
  });

  test.each([
    ['a cookie whose proof is old', 0, PROOF_FRESH_MS],
    ['a place that came later', START_MS + HOLDER_WAIT_MS, HOLDER_WAIT_MS],
  ])('by %s it waits, and any place that may spend stops it', async (_who, spendsFromMs, passMs) => {
    const [owner, other] = [await harness.openBrowser(), await harness.openBrowser(WALLET, spendsFromMs)];
    harness.clock.pass(passMs);
    await add(other);
    expect((await known()).map(({ holdsFromMs }) => holdsFromMs - now())).toEqual([PASSKEY_WAIT_MS]);
    // Until then nothing changes.
    const { order } = await review(owner);
    expect((await owner.post('/pay/confirm', { order })).status).toBe(303);
    expect(await (await owner.get('')).text()).toContain('A passkey was added');
    expect((await owner.post('/end', { wallet: WALLET })).status).toBe(303);
    expect(await known()).toEqual([]);
  });

  test('one that only looks cannot, and neither can an answer to another browser, site or wish', async () => {
    const [owner, looker] = [await harness.openBrowser(), await harness.openBrowser(WALLET, START_MS + HOLDER_WAIT_MS)];
    const wish = { for: 'add', wallet: WALLET };
    expect((await looker.post('/passkeys/ask', wish)).status).toBe(403);
    const authenticator = createAuthenticator(SITE);
    const other = await harness.openBrowser();
    const foreign = [
      authenticator.create(await ask(other, wish)),
      authenticator.create(await ask(owner, wish), { from: 'http://evil.test' }),
      authenticator.create(await ask(owner, { for: 'open' })),
      '',
      '{}',
    ];
    for (const signed of foreign) expect((await owner.post('/passkeys/add', { ...wish, signed })).status).toBe(400);
    expect(await known()).toEqual([]);
  });
});

describe('once there is one', () => {
  test('every page says what goes without it, and how long that takes; before, none does', async () => {
    const [owner, looker] = [await harness.openBrowser(), await harness.openBrowser(WALLET, START_MS + HOLDER_WAIT_MS)];
    const account = { holderId: 'discord:17', walletId: 'discord:17', identityId: 'person_17', name: 'discord:17' };
    await harness.store.tx((db) => addHolder(db, harness.store.tables, account, START_MS));
    const link = await newPurseLink(harness.deps, 'discord:17', 'Open the page');
    const linkPath = new URL(link.kind === 'link' ? link.url : '').pathname.slice('/purse'.length);
    const said = async () => {
      const [own, looked, connect] = [await owner.get(''), await looker.get(''), await owner.get(linkPath)];
      const help = await withdrawHelpView(harness.deps, { text: '/withdraw', walletId: WALLET });
      return [await own.text(), await looked.text(), await connect.text(), plainText(help)];
    };
    const GUARDED = [
      ['With its passkey, up to $10.00 a day can leave at once', 'without its passkey waits 72 hours more'],
      ['and a passkey guards it. Sign in with that', 'can take out from'],
      ['so the account cannot send it: 24 hours later'],
      ['A passkey guards this money, and a chat cannot ask for it.'],
    ];
    const PLAIN = [
      ['Up to $10.00 a day can leave at once; more may wait 24 to 72 hours.', 'They can send it from'],
      ['you can send it from this browser too', 'can send from'],
      ['and send it 24 hours later. Your other places are told.'],
      ['a day leaves at once. More, and whatever goes to another new address, leaves after 24 hours, or up to 72'],
    ];
    for (const [index, text] of (await said()).entries()) {
      for (const words of PLAIN[index] ?? []) expect(text).toContain(words);
      for (const words of GUARDED[index] ?? []) expect(text).not.toContain(words);
    }
    await add(owner);
    for (const [index, text] of (await said()).entries()) {
      for (const words of GUARDED[index] ?? []) expect(text).toContain(words);
      for (const words of PLAIN[index] ?? []) expect(text).not.toContain(words);
    }
  });

  test('signing out as the last says what its passkey is for, and what the name alone takes', async () => {
    const owner = await harness.openBrowser();
    await add(owner);
    const page = await (await owner.get('/sign-out')).text();
    expect(page).toContain('With your passkey you come in again, and can send it at once.');
    expect(page).toContain('can ask to take it out 24 hours later, which then waits 72 hours');
  });

  test('a send goes with its signature over exactly this order, and not without', async () => {
    const owner = await harness.openBrowser();
    const { authenticator } = await add(owner);
    const [first, second] = [await review(owner), await review(owner)];
    expect(first.page).toContain('This money goes out with its passkey');
    const foreign = [
      '',
      authenticator.get(optionsIn(second.page)),
      authenticator.get(optionsIn(first.page), { from: 'http://evil.test' }),
      authenticator.get(optionsIn(first.page), { flags: 0x01 }),
      createAuthenticator(SITE).get(optionsIn(first.page)),
    ];
    for (const signed of foreign) {
      expect((await owner.post('/pay/confirm', { order: first.order, signed })).status).toBe(403);
    }
    expect((await findOrder(harness.store, first.order))?.status).toBe('proposed');
    const signed = authenticator.get(optionsIn(first.page));
    for (let time = 0; time < 2; time++) {
      expect((await owner.post('/pay/confirm', { order: first.order, signed })).status).toBe(303);
    }
    await harness.bot.idle();
    expect((await findOrder(harness.store, first.order))?.status).toBe('answered');
    expect(api.headers()).toHaveLength(1);
    // A copy of the key signs with a count that is over.
    const copied = authenticator.get(optionsIn(second.page), { counter: 1 });
    expect((await owner.post('/pay/confirm', { order: second.order, signed: copied })).status).toBe(403);
  });

  test('an order that was agreed to before it counted is not signed', async () => {
    const owner = await harness.openBrowser();
    const { order } = await review(owner);
    await add(owner);
    const { orders } = harness.store.tables;
    // As if the process had died between agreeing and pricing.
    await harness.store.tx((db) => db.update(orders).set({ status: 'drafted' }));
    await harness.bot.orders.run(order);
    await harness.bot.idle();
    expect(api.headers()).toEqual([]);
    expect(await findOrder(harness.store, order)).toMatchObject({ status: 'failed', failure: 'passkey_needed' });
  });

  test('what is taken out leaves at once with it, and after three days without, told to all', async () => {
    const owner = await harness.openBrowser();
    const { authenticator } = await add(owner);
    const fields = { address: STRANGER, amount: '1' };
    const page = await (await owner.review(fields)).text();
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const other = authenticator.get({ challenge: Buffer.from('b_another').toString('base64url') });
    expect((await owner.post('/send', { token, signed: other })).status).toBe(403);
    const signed = authenticator.get(optionsIn(page));
    expect((await owner.post('/send', { token, signed })).status).toBe(303);
    expect((await owner.post('/send', { token, signed })).status).toBe(303);
    expect(await harness.rows()).toMatchObject([{ notBeforeMs: START_MS, passkeyId: authenticator.id }]);
    const without = await owner.tokenIn(await owner.review(fields));
    expect((await owner.post('/send', { token: without })).status).toBe(303);
    const rows = (await harness.rows()).map(({ notBeforeMs, passkeyId }) => [notBeforeMs - START_MS, passkeyId]);
    expect(rows).toContainEqual([WITHOUT_PASSKEY_MS, null]);
    await harness.bot.idle();
    // The signer works it out anew, whatever a row says.
    const late = (await harness.rows()).find((row) => row.passkeyId === null)?.id ?? '';
    const { walletWithdrawals } = harness.store.tables;
    await harness.store.tx((db) =>
      db.update(walletWithdrawals).set({ notBeforeMs: START_MS, countedOn: '2027-01-15' }),
    );
    await expect(harness.deps.signer.signWithdrawal(late)).rejects.toThrow('passkey');
  });

  test('it is removed at once with it, and after three days without, unless that is stopped', async () => {
    const owner = await harness.openBrowser();
    const { authenticator } = await add(owner);
    const wish = { for: 'end', wallet: WALLET, passkey: authenticator.id };
    await owner.post('/passkeys/end', { ...wish, signed: '' });
    expect((await known()).map(({ endsAtMs }) => endsAtMs)).toEqual([now() + WITHOUT_PASSKEY_MS]);
    expect(await (await owner.get('')).text()).toContain('A passkey is to be removed');
    await owner.post('/end', { wallet: WALLET });
    expect((await known()).map(({ endsAtMs }) => endsAtMs)).toEqual([null]);
    await owner.post('/passkeys/end', { ...wish, signed: '' });
    harness.clock.pass(WITHOUT_PASSKEY_MS);
    const { order } = await review(owner);
    expect((await owner.post('/pay/confirm', { order })).status).toBe(303);
    const again = await add(owner);
    harness.clock.pass(PASSKEY_WAIT_MS);
    const signed = again.authenticator.get(await ask(owner, { ...wish, passkey: again.authenticator.id }));
    await owner.post('/passkeys/end', { ...wish, passkey: again.authenticator.id, signed });
    expect(await known()).toEqual([]);
  });
});

describe('signing in', () => {
  test('in a browser that never proved the name it opens the money, to spend at once', async () => {
    const owner = await harness.openBrowser();
    const { store } = harness;
    const person = { platform: 'x', stableId: '7', key: 'alice', display: '@alice' } as const;
    const identity = await store.tx((db) => ensureIdentity(db, store.tables, person, 'person_7', START_MS));
    expect(identity).toBeDefined();
    const { authenticator } = await add(owner);
    const stranger = await harness.openBrowser(null);
    const open = { for: 'open' };
    const foreign = authenticator.get(await ask(owner, open));
    expect((await stranger.post('/passkeys/open', { ...open, signed: foreign })).status).toBe(400);
    const signed = authenticator.get(await ask(stranger, open));
    expect((await stranger.post('/passkeys/open', { ...open, signed })).status).toBe(303);
    expect(await (await stranger.get('')).text()).toContain('Kept for @alice on X');
    const { page, order } = await review(stranger);
    const agreed = authenticator.get(optionsIn(page));
    expect((await stranger.post('/pay/confirm', { order, signed: agreed })).status).toBe(303);
  });
});
