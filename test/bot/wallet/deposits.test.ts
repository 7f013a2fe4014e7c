import { afterEach, beforeEach, expect, test } from 'vitest';
import { lookForDeposits } from '../../../bot/wallets/deposits.ts';
import type { SeenDeposit } from '../../../core/wallets/deposits.ts';
import { START_MS, textEvent, usdc } from '../harness.ts';
import { createWalletHarness, WALLET } from './wallet-harness.ts';

let harness: Awaited<ReturnType<typeof createWalletHarness>>;
/** A chain as far as these questions see it. */
let chain: {
  newest: number;
  transfers: (SeenDeposit & { block: number })[];
  asked: [number, number][];
  fails: boolean;
};

beforeEach(async () => {
  harness = await createWalletHarness();
  chain = { newest: 1_000, transfers: [], asked: [], fails: false };
  harness.deps.networks[0].deposits = {
    knowsAll: false,
    addressesMax: 200,
    blocksMin: 1,
    blocksMax: 50,
    newestBlock: async () => {
      if (chain.fails) throw new Error('the node is away');
      return chain.newest;
    },
    blockBefore: async () => chain.newest - 5,
    depositsTo: async (addresses, from, to) => {
      chain.asked.push([from, to]);
      const found = chain.transfers.filter(
        ({ to: at, block }) => addresses.includes(at) && block >= from && block <= to,
      );
      return { found, upTo: to };
    },
  };
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await harness.store.close();
});

const DAY = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
const addressOf = async (walletId = WALLET) => harness.deps.networks[0].addressOf(walletId);
const look = () => lookForDeposits(harness.deps);

async function showAddress(userId: string): Promise<void> {
  await harness.bot.handle({ ...textEvent('/deposit', `deposit-${userId}`), userId, walletId: WALLET });
}

async function arrive(block: number, transaction: string, amount: number, to?: string): Promise<void> {
  const seen = { transaction, place: 0, to: to ?? (await addressOf()), amount: usdc(amount), atMs: START_MS + block };
  chain.transfers.push({ ...seen, block });
}

test('what was put in after its address was shown is in the statement, with its transaction', async () => {
  const owner = await harness.openBrowser();
  await look();
  expect(chain.asked).toEqual([]);
  await showAddress(owner.holderId);
  await arrive(998, `0x${'d1'.repeat(32)}`, 5);
  await arrive(999, `0x${'d2'.repeat(32)}`, 7, await addressOf('x:8'));
  await look();
  await look();
  // Each block once.
  expect(chain.asked).toEqual([[996, 1_000]]);
  const page = await (await owner.get('/movements?of=1')).text();
  for (const text of ['+$5.00', 'Added']) expect(page).toContain(text);
  expect(page).not.toContain('+$7.00');
  const [, row = ''] = (await (await owner.post('/statement', { wallet: WALLET })).text()).split('\r\n');
  expect(row).toContain(`,deposited,,5,,,,,,0x${'d1'.repeat(32)},`);
});

test('the statement says from which day on it lists what was put in, and that day does not move', async () => {
  const owner = await harness.openBrowser();
  const page = async () => (await owner.get('/movements?of=1')).text();
  const told = /listed from <time datetime="([^"]+)"[^>]*>([^<]+)<\/time> on/;
  // Its page alone begins it: a purse shows where money can be put in.
  const [, at, day] = told.exec(await page()) ?? [];
  expect(at).toBe(new Date(START_MS).toISOString());
  expect(day).toBe(new Date(START_MS).toLocaleDateString('en-GB', DAY));
  await arrive(998, `0x${'d1'.repeat(32)}`, 5);
  await look();
  harness.clock.pass(3 * 86_400_000);
  await showAddress(owner.holderId);
  expect(told.exec(await page())?.[1]).toBe(at);
  expect(await page()).toContain('+$5.00');
});

test('where a network knows all from the first day on, nothing is said of a day', async () => {
  const { deposits } = harness.deps.networks[0];
  if (deposits === undefined) throw new Error('no deposits are looked for');
  deposits.knowsAll = true;
  const owner = await harness.openBrowser();
  await showAddress(owner.holderId);
  expect(await (await owner.get('/movements?of=1')).text()).not.toContain('listed from');
});

test('blocks that were missed are made up for a piece at a time, and none twice', async () => {
  const owner = await harness.openBrowser();
  await showAddress(owner.holderId);
  await look();
  chain.fails = true;
  chain.newest = 1_170;
  await arrive(1_100, '0xlate', 2);
  await look();
  chain.fails = false;
  await look();
  expect(chain.asked).toEqual([
    [996, 1_000],
    [1_001, 1_050],
    [1_051, 1_100],
    [1_101, 1_150],
    [1_151, 1_170],
  ]);
  expect(await (await owner.get('/movements?of=1')).text()).toContain('+$2.00');
});
