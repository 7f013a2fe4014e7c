/** Collecting in a chat, against the claims of the real API and its books. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createChatClaims, type ChatAccount } from '../../../bot/requests/chat-claims.ts';
import { microUsdc } from '../../../core/money.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { isOptedOut } from '../../../db/identities/identities.ts';
import { walletsSeenBy } from '../../../db/wallets/holders.ts';
import { BASE_URL, BOT_TOKEN, startWorld, type World } from '../../api/claims/world.ts';

const ACCOUNT: ChatAccount = { platform: 'discord', id: '175928847299117063' };
const HOLDER = `discord:${ACCOUNT.id}`;

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

function claimsWith(apiToken?: string) {
  const fetch = async (input: string | URL | Request, init?: RequestInit) =>
    world.app.request(input instanceof Request ? input.url : input.toString(), init);
  const closing = new AbortController().signal;
  return createChatClaims({ baseUrl: BASE_URL, fetch, closing, ...(apiToken === undefined ? {} : { apiToken }) });
}

describe('an account that the bot saw', () => {
  test('sees what waits, and keeps it by one word, said once or twice', async () => {
    await world.payTo('discord', ACCOUNT.id);
    const claims = claimsWith(BOT_TOKEN);
    const opened = await claims.open(ACCOUNT);
    expect(opened).toMatchObject({ kind: 'done', total: microUsdc(1_000_000n) });
    if (opened.kind !== 'done') throw new Error('not opened');
    expect(await world.payouts()).toEqual([]);
    expect(await claims.keep(opened.claimId, ACCOUNT)).toMatchObject({ kind: 'done' });
    expect(await claims.keep(opened.claimId, ACCOUNT)).toMatchObject({ kind: 'done' });
    expect((await world.payouts()).length).toBe(1);
    expect(await walletsSeenBy(world.store, HOLDER)).toMatchObject([{ walletId: HOLDER }]);
  });

  test('is told where no more may be kept for it, and what waits for that stays its own', async () => {
    await storePayoutSettings(world.store, {
      dailyMicroUsdc: { payer: null, recipient: null },
      purseMaxMicroUsdc: 500_000n,
      treasuries: {},
    });
    await world.payTo('discord', ACCOUNT.id);
    const claims = claimsWith(BOT_TOKEN);
    const opened = await claims.open(ACCOUNT);
    if (opened.kind !== 'done') throw new Error('not opened');
    expect(await claims.keep(opened.claimId, ACCOUNT)).toEqual({ kind: 'done', noRoom: true });
    expect(await world.payouts()).toEqual([]);
  });

  test('with nothing there still makes later tips come by themselves', async () => {
    const claims = claimsWith(BOT_TOKEN);
    const opened = await claims.open(ACCOUNT);
    expect(opened).toMatchObject({ kind: 'done', total: 0n });
    if (opened.kind !== 'done') throw new Error('not opened');
    expect(await claims.keep(opened.claimId, ACCOUNT)).toMatchObject({ kind: 'done' });
    await world.payTo('discord', ACCOUNT.id);
    expect((await world.payouts()).length).toBe(1);
  });

  test('refuses all tips, twice like once, and takes it back by keeping', async () => {
    const [line] = (await world.payTo('discord', ACCOUNT.id)).lines;
    const claims = claimsWith(BOT_TOKEN);
    expect(await claims.optOut(ACCOUNT)).toMatchObject({ kind: 'done' });
    expect(await claims.optOut(ACCOUNT)).toMatchObject({ kind: 'done' });
    expect(await isOptedOut(world.store, 'discord', ACCOUNT.id)).toBe(true);
    expect((await world.linesFor(line?.paymentId ?? '')).map(({ returnReason }) => returnReason)).toEqual(['declined']);
    const opened = await claims.open(ACCOUNT);
    if (opened.kind !== 'done') throw new Error('not opened');
    await claims.keep(opened.claimId, ACCOUNT);
    expect(await isOptedOut(world.store, 'discord', ACCOUNT.id)).toBe(false);
  });

  test('keeps no claim of another account', async () => {
    const claims = claimsWith(BOT_TOKEN);
    expect(await claims.keep('claim_of_nobody', ACCOUNT)).toMatchObject({ kind: 'refused', reason: 'claim_not_found' });
  });
});

test('without the token nobody is vouched for', async () => {
  await world.payTo('discord', ACCOUNT.id);
  expect(await claimsWith().open(ACCOUNT)).toEqual({ kind: 'refused', reason: 'platform_unavailable' });
  expect(await claimsWith('another').open(ACCOUNT)).toEqual({ kind: 'refused', reason: 'platform_unavailable' });
});
