import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeTransfer } from '../../../chain/evm/authorization.ts';
import type { Cursor } from '../../../chain/evm/fork.ts';
import { readBlocks, type ScanRequest, type ScanResult, type ScanRpc } from '../../../chain/evm/scan.ts';
import type { Transfer } from '../../../chain/evm/transfers.ts';
import { microUsdc } from '../../../core/money.ts';
import { LOCAL_USDC_ABI } from '../../../local/evm/contracts.ts';
import { randomAddress, randomHash } from './authorizations.ts';
import {
  createPayer,
  lower,
  profile,
  sendAlone,
  type Settling,
  signTransfer,
  startSettling,
  testFees,
} from './settling.ts';

let settling: Settling;
let chain: Settling['chain'];
let rpc: Settling['rpc'];
let own: ScanRequest['ownAddresses'];
/** What a database would hold: the blocks that were applied, and how far. */
let known: Map<number, string>;
let cursor: Cursor;

beforeAll(async () => {
  settling = await startSettling();
  ({ chain, rpc } = settling);
  own = [settling.treasury.address];
});
afterAll(() => settling.close());

beforeEach(async () => {
  const { latest } = await rpc.head();
  cursor = { block: latest.number, hash: latest.hash };
  known = new Map([[latest.number, latest.hash]]);
});

function read(change: Partial<ScanRequest> = {}, from: ScanRpc = rpc): Promise<ScanResult> {
  const knownHash = (block: number) => known.get(block) ?? null;
  return readBlocks(from, { profile, ownAddresses: own, cursor, maxBlocks: 50, knownHash, ...change });
}

async function readNew(change: Partial<ScanRequest> = {}) {
  const result = await read(change);
  if (result.kind !== 'blocks') throw new Error(`expected blocks, found ${result.kind}`);
  return result;
}

/** Applies a result as the worker would. */
function apply({ blocks }: { blocks: readonly { number: number; hash: string }[] }): void {
  for (const { number, hash } of blocks) {
    known.set(number, hash);
    cursor = { block: number, hash };
  }
}

const proofs = (transfers: readonly Transfer[]) => transfers.map(({ value, nonce }) => [value, nonce]);
const toUs = () => settling.treasury.address;

/** A plain ERC-20 transfer by the holder. */
const plainTransfer = (to: Hex, value: bigint) =>
  encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'transfer', args: [to, value] });

describe('what a read reports', () => {
  test('nothing new at the head', async () => {
    const result = await read();
    expect(result).toMatchObject({ kind: 'nothing-new', head: { latest: { number: cursor.block } } });
  });

  test('a cursor hash with capital letters is the same hash', async () => {
    const hash = `0x${cursor.hash.slice(2).toUpperCase()}`;
    expect(await read({ cursor: { ...cursor, hash } })).toMatchObject({ kind: 'nothing-new' });
  });

  test('the authorizations of a batch, each with its own transfer, and not the one that failed', async () => {
    const payers = await Promise.all([createPayer(chain), createPayer(chain, 0n), createPayer(chain)]);
    const signed = await Promise.all(
      payers.map((payer, index) => signTransfer(payer, { to: toUs(), value: BigInt(index + 1) * 1_000n })),
    );
    const receipt = await settling.settle(signed.map(({ call }) => call));
    const { transfers } = await readNew();
    const [first, , third] = signed;
    expect(proofs(transfers)).toEqual([
      [1_000n, first!.authorization.nonce],
      [3_000n, third!.authorization.nonce],
    ]);
    expect(transfers[1]).toEqual({
      transaction: receipt.transaction,
      block: receipt.block,
      blockHash: receipt.blockHash,
      logIndex: 3,
      position: 3,
      from: lower(payers[2]!.address),
      to: toUs(),
      value: 3_000n,
      authorizer: lower(payers[2]!.address),
      nonce: third!.authorization.nonce,
    });
  });

  test('a payment that another sender sent before us still proves its authorization', async () => {
    const payer = await createPayer(chain);
    const { authorization, call } = await signTransfer(payer, { to: toUs(), value: 500n });
    await sendAlone(settling, call);
    await chain.mine();
    // Ours comes too late, fails inside its batch, and leaves no log.
    await settling.settle([call]);
    const { transfers } = await readNew();
    expect(proofs(transfers)).toEqual([[500n, authorization.nonce]]);
  });

  test('a plain transfer has no authorizer', async () => {
    const payer = await createPayer(chain);
    await sendAlone(settling, plainTransfer(toUs(), 42n), payer);
    await chain.mine();
    const { transfers } = await readNew();
    expect(transfers).toMatchObject([{ value: 42n, position: 0, from: lower(payer.address) }]);
    expect(transfers[0]).not.toHaveProperty('authorizer');
    expect(transfers[0]).not.toHaveProperty('nonce');
  });

  test('payouts of ours, from us; a transfer between two of our addresses once; foreign and zero transfers never', async () => {
    const [second, stranger, payer] = [randomAddress(), randomAddress(), await createPayer(chain)];
    await chain.fundUsdc(settling.treasury.address, microUsdc(1_000n));
    await readNew().then(apply);
    const window = { generation: 0, validAfter: 0, validBefore: 4_000_000_000 };
    const payout = async (payoutId: string, to: Hex, value: bigint) => {
      const { authorization, signature } = await settling.treasury.signPayout({ payoutId, to, value, ...window });
      return encodeTransfer(authorization, signature);
    };
    await settling.settle([await payout('to-stranger', stranger, 10n), await payout('to-second', second, 20n)]);
    await sendAlone(settling, plainTransfer(stranger, 30n), payer);
    await chain.mine();
    await sendAlone(settling, plainTransfer(toUs(), 0n), payer);
    await chain.mine();
    const { transfers } = await readNew({ ownAddresses: [toUs(), second] });
    expect(transfers.map(({ from, value }) => [from, value])).toEqual([
      [toUs(), 10n],
      [toUs(), 20n],
    ]);
  });

  test('of a transaction that also moves other money, only what is ours', async () => {
    const payer = await createPayer(chain);
    const ours = await signTransfer(payer, { to: toUs(), value: 6n });
    const foreign = await signTransfer(payer, { value: 7n });
    const zero = await signTransfer(payer, { to: toUs(), value: 0n });
    const receipt = await settling.settle([foreign.call, zero.call, ours.call]);
    const { transfers } = await readNew();
    expect(proofs(transfers)).toEqual([[6n, ours.authorization.nonce]]);
    expect(transfers[0]?.position).toBe(receipt.logs.length - 1);
    expect(receipt.logs.length).toBeGreaterThanOrEqual(5);
  });

  test('a contract payer is the authorizer, not the key that signed', async () => {
    const owner = await createPayer(chain, 0n);
    const wallet = await chain.deploySmartWallet(owner.address);
    await chain.fundUsdc(wallet, microUsdc(9n));
    const { call } = await signTransfer(owner, { from: wallet, to: toUs(), value: 9n });
    await settling.settle([call], { gasLimit: 400_000n });
    const { transfers } = await readNew();
    expect(transfers).toMatchObject([{ from: lower(wallet), authorizer: lower(wallet), value: 9n }]);
  });

  test('an authorization spent on another recipient leaves no trace here, whatever its state says', async () => {
    const payer = await createPayer(chain);
    const { authorization, call } = await signTransfer(payer, { value: 5n });
    await settling.settle([call]);
    const key = { authorizer: payer.address, nonce: authorization.nonce };
    expect(await rpc.authorizationStates([key], 'latest')).toEqual([true]);
    expect((await readNew()).transfers).toEqual([]);
  });
});

describe('chunks', () => {
  test('a restart from an old cursor reads on in chunks, without a gap and without reading anything twice', async () => {
    const nonces: Hex[] = [];
    const payer = await createPayer(chain);
    for (let index = 0; index < 5; index += 1) {
      const { authorization, call } = await signTransfer(payer, { to: toUs(), value: 1n });
      await settling.settle([call]);
      await chain.mine(3);
      nonces.push(authorization.nonce);
    }
    const start = cursor.block;
    const found: Transfer[] = [];
    const numbers: number[] = [];
    for (let result = await read({ maxBlocks: 7 }); result.kind === 'blocks'; result = await read({ maxBlocks: 7 })) {
      expect(result.blocks.length).toBeLessThanOrEqual(7);
      numbers.push(...result.blocks.map(({ number }) => number));
      found.push(...result.transfers);
      apply(result);
    }
    const { latest } = await rpc.head();
    expect(numbers).toEqual(Array.from({ length: latest.number - start }, (_, index) => start + 1 + index));
    expect(found.map(({ nonce }) => nonce)).toEqual(nonces);
  });

  test('two transfers in one block come in the order of the block', async () => {
    const [cheap, dear] = await Promise.all([createPayer(chain), createPayer(chain)]);
    await sendAlone(settling, plainTransfer(toUs(), 1n), cheap);
    await sendAlone(settling, plainTransfer(toUs(), 2n), dear);
    await chain.mine();
    const { transfers } = await readNew();
    expect(transfers.map(({ logIndex, position }) => [logIndex, position])).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });
});

describe('reorganisations', () => {
  /** A payment that is read, in a block that is then replaced by an empty one. */
  async function payAndReorganise(depth: number) {
    const payer = await createPayer(chain);
    await readNew().then(apply);
    const before = cursor;
    const { call, authorization } = await signTransfer(payer, { to: toUs(), value: 77n });
    await settling.settle([call]);
    await chain.mine(depth - 1);
    const seen = await readNew();
    apply(seen);
    expect(proofs(seen.transfers)).toEqual([[77n, authorization.nonce]]);
    await chain.reorg(depth);
    return { before, call, authorization, landed: seen.transfers[0]! };
  }

  test('the last block that both share is reported, and reading goes on from there', async () => {
    const { before, call, authorization, landed } = await payAndReorganise(3);
    const result = await read();
    expect(result).toMatchObject({ kind: 'reorganised', forkCandidate: before });

    cursor = before;
    expect((await readNew()).transfers).toEqual([]);
    // The same signed payment lands again: another block, the same place among the logs of its transaction.
    await settling.settle([call]);
    const again = (await readNew()).transfers;
    expect(proofs(again)).toEqual([[77n, authorization.nonce]]);
    expect(again[0]?.position).toBe(landed.position);
    expect(again[0]?.blockHash).not.toBe(landed.blockHash);
  });

  test('control: a reader that trusts the height alone keeps a payment that is gone', async () => {
    const { landed } = await payAndReorganise(2);
    const { latest } = await rpc.head();
    // By height nothing is new, so the transfer that was read would stay credited.
    expect(latest.number).toBe(cursor.block);
    expect(await rpc.receipts([landed.transaction])).toEqual([null]);
    expect(await read()).toMatchObject({ kind: 'reorganised' });
  });

  test('blocks that are not remembered are skipped: the fork is the highest known one', async () => {
    await chain.mine(4);
    await readNew().then(apply);
    const older = cursor;
    await chain.mine(2);
    apply(await readNew());
    known.delete(cursor.block - 1);
    await chain.reorg(1);
    expect(await read()).toMatchObject({ kind: 'reorganised', forkCandidate: older });
  });

  test('a memory that knows no block of this chain is told so', async () => {
    const elsewhere = { block: cursor.block, hash: randomHash() };
    expect(await read({ cursor: elsewhere, knownHash: () => randomHash() })).toMatchObject({
      kind: 'reorganised',
      forkCandidate: null,
    });
  });

  test('hashes may come from a database', async () => {
    await chain.mine(2);
    apply(await readNew());
    const parent = { block: cursor.block - 1, hash: known.get(cursor.block - 1)! };
    const elsewhere = { block: cursor.block, hash: randomHash() };
    const knownHash = async (block: number) => known.get(block) ?? null;
    expect(await read({ cursor: elsewhere, knownHash })).toMatchObject({ forkCandidate: parent });
  });
});

describe('a view that does not fit together is read again later', () => {
  /** Two blocks with one payment each, not read yet. */
  async function payTwice() {
    const payer = await createPayer(chain);
    await readNew().then(apply);
    const receipts = [];
    for (const value of [1n, 2n]) {
      receipts.push(await settling.settle([(await signTransfer(payer, { to: toUs(), value })).call]));
    }
    return receipts;
  }

  /** Our reader over a node with one fault. The same read without it must succeed, or the test proves nothing. */
  async function kindWith(fault: Partial<ScanRpc>) {
    expect((await readNew()).transfers).toHaveLength(2);
    return (await read({}, { ...rpc, ...fault })).kind;
  }

  test('a node that lags behind the one asked before', async () => {
    await payTwice();
    apply(await readNew());
    const behind = await rpc.blocks(cursor.block - 1, cursor.block - 1);
    const head = await rpc.head();
    const lagging = async () => ({ ...head, latest: behind[0]! });
    const blocks: ScanRpc['blocks'] = async (from, to) => rpc.blocks(from, Math.min(to, cursor.block - 1));
    expect((await read({}, { ...rpc, head: lagging, blocks })).kind).toBe('unsettled-view');
  });

  test('control: a chain that is shorter and different is a reorganisation, not a lagging node', async () => {
    await payTwice();
    apply(await readNew());
    const head = await rpc.head();
    const other = { ...head.safe, hash: randomHash() };
    const blocks: ScanRpc['blocks'] = async (from, to) =>
      (await rpc.blocks(from, Math.min(to, other.number))).map((found) =>
        found.number === other.number ? other : found,
      );
    const result = await read({}, { ...rpc, head: async () => ({ ...head, latest: other }), blocks });
    expect(result).toMatchObject({ kind: 'reorganised', forkCandidate: { block: other.number - 1 } });
  });

  test("headers that are not each other's children", async () => {
    await payTwice();
    const blocks: ScanRpc['blocks'] = async (from, to) => {
      const found = await rpc.blocks(from, to);
      return from === cursor.block ? found : found.map((header) => ({ ...header, parentHash: randomHash() }));
    };
    expect(await kindWith({ blocks })).toBe('unsettled-view');
  });

  test('a header that is not there', async () => {
    await payTwice();
    const blocks: ScanRpc['blocks'] = async (from, to) => rpc.blocks(from, from === to ? to : to - 1);
    expect(await kindWith({ blocks })).toBe('unsettled-view');
  });

  test('a transaction without a receipt', async () => {
    await payTwice();
    expect(await kindWith({ receipts: async (hashes) => hashes.map(() => null) })).toBe('unsettled-view');
  });

  test("a receipt from a block that is not the header's", async () => {
    await payTwice();
    const elsewhere = randomHash();
    const receipts: ScanRpc['receipts'] = async (hashes) =>
      (await rpc.receipts(hashes)).map(
        (receipt) =>
          receipt && {
            ...receipt,
            blockHash: elsewhere,
            logs: receipt.logs.map((log) => ({ ...log, blockHash: elsewhere })),
          },
      );
    expect(await kindWith({ receipts })).toBe('unsettled-view');
  });

  test('logs and receipts that agree on a block which the header does not have', async () => {
    await payTwice();
    const elsewhere = randomHash();
    const moved = <T extends object>(entry: T): T => ({ ...entry, blockHash: elsewhere });
    const fault: Partial<ScanRpc> = {
      transfersTouching: async (...range) => (await rpc.transfersTouching(...range)).map(moved),
      transfersInBlock: async (...range) => (await rpc.transfersInBlock(...range)).map(moved),
      receipts: async (hashes) =>
        (await rpc.receipts(hashes)).map((receipt) => receipt && { ...moved(receipt), logs: receipt.logs.map(moved) }),
    };
    expect(await kindWith(fault)).toBe('unsettled-view');
  });

  test('a log that one of the questions left out although its transaction is there', async () => {
    const payer = await createPayer(chain);
    await readNew().then(apply);
    const pair = await Promise.all([1n, 2n].map((value) => signTransfer(payer, { to: toUs(), value })));
    await settling.settle(pair.map(({ call }) => call));
    const transfersInBlock: ScanRpc['transfersInBlock'] = async (...asked) =>
      (await rpc.transfersInBlock(...asked)).slice(1);
    expect(await kindWith({ transfersInBlock })).toBe('unsettled-view');
  });
});

describe('completeness of the newest blocks', () => {
  test('they are asked for by hash, and a node that does not have such a block refuses', async () => {
    await expect(rpc.transfersInBlock(own, randomHash())).rejects.toMatchObject({ fault: 'refused' });
  });

  test('control: asked by height, a node that lacks the newest blocks leaves out a payment without a word', async () => {
    const payer = await createPayer(chain);
    await readNew().then(apply);
    await settling.settle([(await signTransfer(payer, { to: toUs(), value: 1n })).call]);
    const head = await rpc.head();
    // What many nodes answer for a range above their head. By hash, such a node would have refused.
    const transfersTouching: ScanRpc['transfersTouching'] = async () => [];
    const byHeight = async () => ({ ...head, safe: head.latest });
    expect(await read({}, { ...rpc, transfersTouching, head: byHeight })).toMatchObject({ transfers: [] });
    expect(await read({}, { ...rpc, transfersTouching })).toMatchObject({ transfers: [{ value: 1n }] });
  });

  test('only blocks up to safe are asked for by height', async () => {
    await chain.mine(6);
    const ranges: number[][] = [];
    const hashes: Hex[] = [];
    const watched: ScanRpc = {
      ...rpc,
      transfersTouching: (addresses, from, to) => (ranges.push([from, to]), rpc.transfersTouching(addresses, from, to)),
      transfersInBlock: (addresses, hash) => (hashes.push(hash), rpc.transfersInBlock(addresses, hash)),
    };
    const result = await read({}, watched);
    expect(ranges).toEqual([[cursor.block + 1, result.head.safe.number]]);
    expect(hashes).toEqual([result.head.latest.hash]);
  });
});

test('fees of our own batch are read from its receipt', async () => {
  const payer = await createPayer(chain);
  const { latest } = await rpc.head();
  const before = await rpc.nativeBalance(settling.lane);
  const { raw, hash } = await settling.sign([(await signTransfer(payer, { value: 1n })).call], {
    fees: testFees(latest.baseFee),
  });
  await rpc.sendRaw(raw);
  await chain.mine();
  const [receipt] = await rpc.receipts([hash]);
  expect(before - (await rpc.nativeBalance(settling.lane))).toBe(receipt?.feeWei);
});
