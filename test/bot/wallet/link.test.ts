import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOLDER_WAIT_MS } from '../../../core/wallets/holder-wait.ts';
import { FILE_MINUTES, newPurseLink } from '../../../bot/conversation/files.ts';
import { dueItems } from '../../../db/store/outbox.ts';
import { addHolder, sessionsOf } from '../../../db/wallets/holders.ts';
import { START_MS } from '../harness.ts';
import { createWalletHarness, WALLET } from './wallet-harness.ts';

const ACCOUNT = 'discord:17';

let harness: Awaited<ReturnType<typeof createWalletHarness>>;
beforeEach(async () => {
  harness = await createWalletHarness();
  const { store } = harness;
  const own = { holderId: ACCOUNT, walletId: ACCOUNT, identityId: 'person_17', name: ACCOUNT };
  await store.tx((db) => addHolder(db, store.tables, own, START_MS));
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await harness.store.close();
});

/** As `/link` in the chat answers it. */
async function link(): Promise<string> {
  const action = await newPurseLink(harness.deps, ACCOUNT, 'Open the page');
  return new URL(action.kind === 'link' ? action.url : '').pathname.slice('/purse'.length);
}
const spendsFrom = async (walletId: string, holderId: string) =>
  (await sessionsOf(harness.store, walletId)).find((one) => one.holderId === holderId)?.fromMs;
const told = async () => (await dueItems(harness.store, START_MS, 10)).filter(({ topic }) => topic === 'holder_added');

describe('the page of /link', () => {
  test('lets a browser look at the money of the account at once, and send it a day later; all are told', async () => {
    const browser = await harness.openBrowser(null);
    const path = await link();
    const page = await (await browser.get(path)).text();
    expect(page).toContain('Never do it for someone who sent you the link');
    expect(await spendsFrom(ACCOUNT, browser.holderId)).toBeUndefined();
    expect((await browser.post(path, { into: '' })).status).toBe(303);
    expect(await spendsFrom(ACCOUNT, browser.holderId)).toBe(START_MS + HOLDER_WAIT_MS);
    expect(await told()).toHaveLength(1);
    expect((await browser.post(path, { into: '' })).status).toBe(404);
  });

  test('lets the account into what this browser may spend from, and into nothing else', async () => {
    const [owner, looker] = [await harness.openBrowser(), await harness.openBrowser(WALLET, START_MS + HOLDER_WAIT_MS)];
    const path = await link();
    expect(await (await looker.get(path)).text()).not.toContain('@alice');
    expect(await (await owner.get(path)).text()).toContain('use it: Kept for @alice on X');
    expect((await looker.post(path, { into: WALLET })).status).toBe(404);
    expect(await spendsFrom(WALLET, ACCOUNT)).toBeUndefined();
    await owner.post(await link(), { into: WALLET });
    expect(await spendsFrom(WALLET, ACCOUNT)).toBe(START_MS + HOLDER_WAIT_MS);
    // The browser itself got nothing of the account's.
    expect(await spendsFrom(ACCOUNT, owner.holderId)).toBeUndefined();
  });

  test('works for a while, from our own page only, and for no other kind of link', async () => {
    const browser = await harness.openBrowser(null);
    const path = await link();
    expect((await browser.post(path, { into: '' }, { origin: 'https://evil.test' })).status).toBe(403);
    harness.clock.pass(FILE_MINUTES * 60_000);
    expect((await browser.get(path)).status).toBe(404);
    expect((await browser.post(path, { into: '' })).status).toBe(404);
    expect(await spendsFrom(ACCOUNT, browser.holderId)).toBeUndefined();
  });
});
