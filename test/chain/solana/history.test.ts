import { createHash } from 'node:crypto';
import type { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toBase58 } from '../../../chain/solana/messages/base58.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { createSolanaRpc } from '../../../chain/solana/rpc/rpc.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';
import { memo, randomAddress, toTransaction, toWire, usdcTransfer } from '../../local/solana/transfers.ts';
import { answeringAlone, startFakeNode } from '../evm/fake-node.ts';

const profile = solanaProfile('local');
const connect = (url: string) => createSolanaRpc({ url, timeoutMs: 5_000, profile, ownAccounts: [] });

const ACCOUNT = randomAddress().toBase58();
const names: string[] = [];
/** A signature for each number, the same every time: made once, because a node that is asked has thousands to name. */
const named = (number: number) => (names[number] ??= toBase58(createHash('sha512').update(String(number)).digest()));
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

type Range = { limit?: number; before?: string; until?: string; minContextSlot?: number; commitment?: string };

/** A node with so many transactions of one account, which answers as real ones do. `grow` adds one with each question. */
async function startNode(count: number, { knows, grow = 0 }: { knows?: () => boolean; grow?: number } = {}) {
  const asked: Range[] = [];
  let total = count;
  const node = await startFakeNode(
    answeringAlone(({ params }) => {
      const range = params[1] as Range;
      asked.push(range);
      const list = numbers(1, total)
        .toReversed()
        .map((number) => ({ signature: named(number), slot: number, err: null }));
      total += grow;
      const start = range.before === undefined ? 0 : list.findIndex(({ signature }) => signature === range.before) + 1;
      if (range.before !== undefined && (start === 0 || knows?.() === false)) return [];
      const end = list.findIndex(({ signature }) => signature === range.until);
      return list.slice(start, end === -1 ? undefined : end).slice(0, range.limit);
    }),
  );
  return { rpc: connect(node.url), asked };
}

const slotsOf = ({ found }: { found: { slot: number }[] }) => found.map(({ slot }) => slot);

describe('the signatures of an account', () => {
  test.each([
    ['none', 0, null, 10, [], false],
    ['all of a few', 5, null, 10, numbers(1, 5), false],
    ['as many as may be answered', 5, null, 5, numbers(1, 5), false],
    ['one more than that', 6, null, 5, numbers(1, 5), true],
    ['only the oldest', 5, null, 1, [1], true],
    ['the only one', 1, null, 1, [1], false],
    ['those after one', 5, 3, 10, [4, 5], false],
    ['the oldest after one', 5, 2, 1, [3], true],
    ['none after the newest', 5, 5, 10, [], false],
    ['exactly a page', 1_000, null, 2_000, numbers(1, 1_000), false],
    ['the oldest of exactly a page', 1_000, null, 7, numbers(1, 7), true],
    ['a page and one', 1_001, null, 2_000, numbers(1, 1_001), false],
    ['exactly two pages with their overlap', 1_999, null, 2_000, numbers(1, 1_999), false],
    ['three pages', 2_500, null, 5_000, numbers(1, 2_500), false],
    ['the oldest of three pages', 2_500, null, 7, numbers(1, 7), true],
    ['the oldest of the third page', 2_500, 10, 3, [11, 12, 13], true],
    ['the oldest one of five pages', 4_800, null, 1, [1], true],
  ] as const)('are %s (%i, after %s, at most %i)', async (_name, count, until, max, expected, more) => {
    const { rpc } = await startNode(count);
    const options = { until: until === null ? null : named(until), minContextSlot: 0, max };
    const list = await rpc.signaturesFor(ACCOUNT, options);
    expect(slotsOf(list)).toEqual(expected);
    expect(list.more).toBe(more);
    expect(list.found.map(({ signature }) => signature)).toEqual(expected.map(named));
  });

  test('are read to the end without a gap, whatever a caller takes at once', async () => {
    const { rpc } = await startNode(2_345);
    const read: number[] = [];
    let until: string | null = null;
    for (let more = true; more;) {
      const list: Awaited<ReturnType<typeof rpc.signaturesFor>> = await rpc.signaturesFor(ACCOUNT, {
        until,
        minContextSlot: 0,
        max: 1_100,
      });
      read.push(...slotsOf(list));
      until = list.found.at(-1)?.signature ?? until;
      more = list.more;
    }
    expect(read).toEqual(numbers(1, 2_345));
  });

  test('have no gap and none twice while new ones arrive between the pages', async () => {
    const { rpc } = await startNode(2_500, { grow: 3 });
    const list = await rpc.signaturesFor(ACCOUNT, { until: null, minContextSlot: 0, max: 5_000 });
    expect(slotsOf(list)).toEqual(numbers(1, 2_500));
  });

  test('are not believed to end where a node has lost the place', async () => {
    let pages = 0;
    const { rpc } = await startNode(2_500, { knows: () => (pages += 1) > 1 });
    const asked = () => rpc.signaturesFor(ACCOUNT, { until: null, minContextSlot: 0, max: 5_000 });
    await expect(asked()).rejects.toMatchObject({ name: 'ChainUnavailable', fault: 'inconsistent' });
    expect(slotsOf(await asked())).toEqual(numbers(1, 2_500));
  });

  test('are asked for confirmed, of a node that is not behind', async () => {
    const { rpc, asked } = await startNode(1_500);
    await rpc.signaturesFor(ACCOUNT, { until: named(2), minContextSlot: 77, max: 10 });
    const shared = { commitment: 'confirmed', limit: 1_000, minContextSlot: 77, until: named(2) };
    expect(asked).toEqual([shared, { ...shared, before: named(502) }]);
  });

  test('are refused where a node answers more than was asked for', async () => {
    const entries = numbers(1, 1_001).map((number) => ({ signature: named(number), slot: 1, err: null }));
    const node = await startFakeNode(answeringAlone(() => entries));
    const asked = connect(node.url).signaturesFor(ACCOUNT, { until: null, minContextSlot: 0, max: 10 });
    await expect(asked).rejects.toMatchObject({ fault: 'malformed' });
  });
});

describe('on the local chain', () => {
  let chain: SolanaChain;
  let alice: Keypair;
  beforeAll(async () => {
    chain = await startSolanaChain();
    alice = await chain.createKeypair({ lamports: 10_000_000_000n });
  });
  afterAll(() => chain?.close());

  async function landMemos(count: number): Promise<string[]> {
    const { blockhash } = await connect(chain.rpcUrl).latestBlockhash();
    const signatures: string[] = [];
    for (const number of numbers(1, count)) {
      const transaction = toTransaction({ payer: alice, blockhash, instructions: [memo(`${blockhash}/${number}`)] });
      const options = { encoding: 'base64', skipPreflight: true };
      signatures.push((await chain.rpc('sendTransaction', toWire(transaction), options)) as string);
    }
    chain.mine();
    return signatures;
  }

  test('everything that touched the account is listed in its order', async () => {
    const rpc = connect(chain.rpcUrl);
    const account = alice.publicKey.toBase58();
    const [first] = (await rpc.signaturesFor(account, { until: null, minContextSlot: 0, max: 10 })).found;
    const until = first?.signature ?? null;
    const signatures = await landMemos(30);
    const { found, more } = await rpc.signaturesFor(account, { until, minContextSlot: 0, max: 30 });
    expect(found.map(({ signature }) => signature)).toEqual(signatures);
    expect(more).toBe(false);
    const oldest = await rpc.signaturesFor(account, { until, minContextSlot: 0, max: 20 });
    expect(oldest.found.map(({ signature }) => signature)).toEqual(signatures.slice(0, 20));
    expect(oldest.more).toBe(true);
  });

  test('what failed is listed as failed, and what is not confirmed is not listed', async () => {
    const rpc = connect(chain.rpcUrl);
    const account = alice.publicKey.toBase58();
    const [until = null] = (await landMemos(1)).slice(-1);
    const { blockhash } = await rpc.latestBlockhash();
    const instructions = [usdcTransfer(alice.publicKey, randomAddress(), 1n)];
    await rpc.sendRaw(toWire(toTransaction({ payer: alice, blockhash, instructions })));
    const options = { until, minContextSlot: 0, max: 10 };
    expect(await rpc.signaturesFor(account, options)).toEqual({ found: [], more: false });
    chain.mine();
    expect((await rpc.signaturesFor(account, options)).found).toMatchObject([{ failed: true }]);
  });

  test('a node that is behind is not asked', async () => {
    const rpc = connect(chain.rpcUrl);
    const minContextSlot = (await rpc.slot('confirmed')) + 1;
    const asked = rpc.signaturesFor(ACCOUNT, { until: null, minContextSlot, max: 10 });
    await expect(asked).rejects.toMatchObject({ fault: 'refused', code: -32_016 });
  });

  test('the newest one is that of the finalized view', async () => {
    const rpc = connect(chain.rpcUrl);
    const [final] = await landMemos(1);
    chain.finalize();
    await landMemos(1);
    expect(await rpc.newestSignature(alice.publicKey.toBase58())).toMatchObject({ signature: final, failed: false });
    expect(await rpc.newestSignature(ACCOUNT)).toBe(null);
  });
});
