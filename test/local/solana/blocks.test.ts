/** What LiteSVM does not have: slots, blockhashes that expire, a memory of what has landed, levels of commitment. */
import { type Keypair, NONCE_ACCOUNT_LENGTH, NonceAccount, type PublicKey, SystemProgram } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';
import { memo, randomAddress, toTransaction, toWire, usdcAccount, usdcTransfer } from './transfers.ts';

const LEVELS = ['processed', 'confirmed', 'finalized'] as const;
const ENCODED = { encoding: 'base64' } as const;

let chain: SolanaChain;
let alice: Keypair;
let bob: PublicKey;

beforeEach(async () => {
  chain = await startSolanaChain();
  alice = await chain.createKeypair({ usdc: microUsdc(5_000_000n), lamports: 1_000_000_000n });
  bob = randomAddress();
  await chain.fundUsdc(bob, microUsdc(1n));
  chain.finalize();
});
afterEach(() => chain.close());

type Latest = { value: { blockhash: string; lastValidBlockHeight: number }; context: { slot: number } };
const latest = async (commitment: string) => (await chain.rpc('getLatestBlockhash', { commitment })) as Latest;

async function payBob(amount: bigint, commitment = 'processed') {
  const { value } = await latest(commitment);
  const transaction = toTransaction({
    payer: alice,
    instructions: [usdcTransfer(alice.publicKey, bob, amount)],
    blockhash: value.blockhash,
  });
  return { wire: toWire(transaction), ...value };
}

const sendBlindly = (wire: string) => chain.rpc('sendTransaction', wire, { ...ENCODED, skipPreflight: true });

async function statusOf(signature: unknown) {
  const { value } = (await chain.rpc('getSignatureStatuses', [signature])) as { value: unknown[] };
  return value[0] as { confirmationStatus: string; confirmations: number | null; slot: number } | null;
}

describe('a blockhash', () => {
  test('is good for 150 blocks and no more', async () => {
    const [young, old] = [await payBob(1n), await payBob(2n)];
    expect(await chain.rpc('getBlockHeight', { commitment: 'processed' })).toBe(young.lastValidBlockHeight - 150);
    chain.mine(150);
    expect(await chain.rpc('getBlockHeight', { commitment: 'processed' })).toBe(young.lastValidBlockHeight);
    const isValid = async (blockhash: string) =>
      ((await chain.rpc('isBlockhashValid', blockhash, { commitment: 'processed' })) as { value: boolean }).value;
    expect(await isValid(young.blockhash)).toBe(true);
    await sendBlindly(young.wire);
    expect(await chain.usdcBalance(bob)).toBe(2n);
    chain.mine();
    expect(await isValid(old.blockhash)).toBe(false);
    await sendBlindly(old.wire);
    expect(await chain.usdcBalance(bob)).toBe(2n);
    const preflight = { ...ENCODED, preflightCommitment: 'processed' };
    await expect(chain.rpc('sendTransaction', old.wire, preflight)).rejects.toThrow('Blockhash not found');
  });

  test('counts blocks, not slots', async () => {
    const payment = await payBob(1n);
    chain.skipSlots(1_000);
    await sendBlindly(payment.wire);
    expect(await chain.usdcBalance(bob)).toBe(2n);
  });

  test('of a newer block is not known to an older view', async () => {
    chain.mine();
    const payment = await payBob(1n, 'processed');
    const send = (preflightCommitment: string) =>
      chain.rpc('sendTransaction', payment.wire, { ...ENCODED, preflightCommitment });
    await expect(send('finalized')).rejects.toThrow('Blockhash not found');
    await expect(send('confirmed')).rejects.toThrow('Blockhash not found');
    await send('processed');
    expect(await chain.usdcBalance(bob)).toBe(2n);
  });

  test('is older the surer it is', async () => {
    chain.mine(40);
    const heights = await Promise.all(LEVELS.map(async (level) => (await latest(level)).value.lastValidBlockHeight));
    expect([heights[0]! - heights[1]!, heights[0]! - heights[2]!]).toEqual([1, 32]);
  });

  test('can be replaced by a nonce, which can be used once and at any time', async () => {
    const nonce = await chain.createKeypair();
    const { blockhash } = (await latest('processed')).value;
    const create = SystemProgram.createNonceAccount({
      fromPubkey: alice.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: alice.publicKey,
      lamports: 2_000_000,
    });
    const signers = [alice, nonce];
    await sendBlindly(toWire(toTransaction({ payer: alice, instructions: create.instructions, blockhash, signers })));
    chain.mine();
    const info = await chain.connection('processed').getAccountInfo(nonce.publicKey);
    expect(info?.data).toHaveLength(NONCE_ACCOUNT_LENGTH);
    const advance = SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: alice.publicKey });
    const toPayment = (amount: bigint) =>
      toWire(
        toTransaction({
          payer: alice,
          instructions: [advance, usdcTransfer(alice.publicKey, bob, amount)],
          blockhash: NonceAccount.fromAccountData(info!.data).nonce,
        }),
      );
    chain.expireBlockhashes();
    await sendBlindly(toPayment(3n));
    expect(await chain.usdcBalance(bob)).toBe(4n);
    chain.mine();
    await sendBlindly(toPayment(5n));
    expect(await chain.usdcBalance(bob)).toBe(4n);
  });
});

describe('the same transaction', () => {
  test('sent twice moves the money once', async () => {
    const payment = await payBob(1n);
    const first = await sendBlindly(payment.wire);
    expect(await sendBlindly(payment.wire)).toBe(first);
    chain.mine();
    await sendBlindly(payment.wire);
    expect(await chain.usdcBalance(bob)).toBe(2n);
  });

  test('is known to preflight and simulation where it has landed, and not in older views', async () => {
    chain.mine(40);
    const payment = await payBob(1n, 'finalized');
    await sendBlindly(payment.wire);
    const simulate = async (commitment: string) => {
      const answer = await chain.rpc('simulateTransaction', payment.wire, { ...ENCODED, commitment });
      return (answer as { value: { err: unknown } }).value.err;
    };
    expect(await Promise.all(LEVELS.map(simulate))).toEqual(['AlreadyProcessed', null, null]);
    chain.mine();
    expect(await Promise.all(LEVELS.map(simulate))).toEqual(['AlreadyProcessed', 'AlreadyProcessed', null]);
    chain.mine(31);
    expect(await simulate('finalized')).toBe('AlreadyProcessed');
    const preflight = { ...ENCODED, preflightCommitment: 'processed' };
    await expect(chain.rpc('sendTransaction', payment.wire, preflight)).rejects.toThrow('already been processed');
  });

  test('is any of identical content: only one of them lands, and a memo makes another of it', async () => {
    const { value } = await latest('processed');
    const instructions = [usdcTransfer(alice.publicKey, bob, 1n)];
    const twin = () => toWire(toTransaction({ payer: alice, instructions, blockhash: value.blockhash }));
    expect(twin()).toBe(twin());
    await sendBlindly(twin());
    await sendBlindly(twin());
    const third = toTransaction({
      payer: alice,
      instructions: [...instructions, memo('3')],
      blockhash: value.blockhash,
    });
    await sendBlindly(toWire(third));
    expect(await chain.usdcBalance(bob)).toBe(3n);
  });

  test('that has failed does not run again', async () => {
    const payment = await payBob(6_000_000n);
    const signature = await sendBlindly(payment.wire);
    expect(await statusOf(signature)).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] } });
    const before = await chain.lamports(alice.publicKey);
    await chain.fundUsdc(alice.publicKey, microUsdc(10_000_000n));
    await sendBlindly(payment.wire);
    expect(await chain.lamports(alice.publicKey)).toBe(before);
    expect(await chain.usdcBalance(bob)).toBe(1n);
  });
});

describe('commitment', () => {
  test('a landed transaction becomes confirmed after one block and finalized after 32', async () => {
    const payment = await payBob(1n);
    const signature = await sendBlindly(payment.wire);
    const isFound = async (commitment: string) =>
      (await chain.rpc('getTransaction', signature, { commitment, maxSupportedTransactionVersion: 0 })) !== null;
    expect(await statusOf(signature)).toMatchObject({ confirmationStatus: 'processed', confirmations: 0 });
    expect(await isFound('confirmed')).toBe(false);
    chain.mine();
    expect(await statusOf(signature)).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 1 });
    expect([await isFound('confirmed'), await isFound('finalized')]).toEqual([true, false]);
    chain.mine(30);
    expect(await statusOf(signature)).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 31 });
    chain.mine();
    expect(await statusOf(signature)).toMatchObject({ confirmationStatus: 'finalized', confirmations: null });
    expect(await isFound('finalized')).toBe(true);
    await expect(chain.rpc('getTransaction', signature, { commitment: 'processed' })).rejects.toThrow(
      'Method does not support commitment below `confirmed`',
    );
  });

  test('balances are as old as the level that is asked for', async () => {
    const account = usdcAccount(bob).toBase58();
    const balances = () =>
      Promise.all(
        LEVELS.map(async (commitment) => {
          const answer = await chain.rpc('getTokenAccountBalance', account, { commitment });
          return (answer as { value: { amount: string } }).value.amount;
        }),
      );
    await sendBlindly((await payBob(1n)).wire);
    expect(await balances()).toEqual(['2', '1', '1']);
    chain.mine();
    await sendBlindly((await payBob(1n)).wire);
    expect(await balances()).toEqual(['3', '2', '1']);
    chain.mine(31);
    expect(await balances()).toEqual(['3', '3', '2']);
    chain.mine();
    expect(await balances()).toEqual(['3', '3', '3']);
  });

  test('accounts that are new or gone are so only in newer views', async () => {
    const carol = randomAddress();
    const owned = async (commitment: string) => {
      const answer = await chain.rpc(
        'getTokenAccountsByOwner',
        carol.toBase58(),
        { mint: chain.usdcMint },
        { commitment, ...ENCODED },
      );
      return (answer as { value: unknown[] }).value.length;
    };
    await chain.fundUsdc(carol, microUsdc(1n));
    expect(await Promise.all(LEVELS.map(owned))).toEqual([1, 1, 0]);
    chain.finalize();
    await chain.rpc('local_setAccount', usdcAccount(carol).toBase58(), null);
    expect(await Promise.all(LEVELS.map(owned))).toEqual([0, 1, 1]);
    chain.finalize();
    expect(await Promise.all(LEVELS.map(owned))).toEqual([0, 0, 0]);
  });

  test('a simulation runs on the state of its level, and leaves the newest as it was', async () => {
    const carol = await chain.createKeypair({ lamports: 1_000_000_000n });
    await chain.fundUsdc(carol.publicKey, microUsdc(4n));
    const { value } = await latest('finalized');
    const instructions = [usdcTransfer(carol.publicKey, bob, 4n)];
    const wire = toWire(toTransaction({ payer: carol, instructions, blockhash: value.blockhash }));
    const simulate = async (commitment: string) => {
      const answer = await chain.rpc('simulateTransaction', wire, { ...ENCODED, commitment });
      return (answer as { value: { err: unknown } }).value.err;
    };
    expect(await simulate('processed')).toBe(null);
    expect(await simulate('finalized')).toEqual({ InstructionError: [0, 'InvalidAccountData'] });
    expect(await chain.usdcBalance(carol.publicKey)).toBe(4n);
  });

  test('an answer older than the caller has seen is refused', async () => {
    const slot = (await chain.rpc('getSlot', { commitment: 'processed' })) as number;
    const ask = (minContextSlot: number) =>
      chain.rpc('getBalance', bob.toBase58(), { commitment: 'processed', minContextSlot });
    expect(await ask(slot)).toMatchObject({ context: { slot } });
    await expect(ask(slot + 1)).rejects.toThrow('Minimum context slot has not been reached');
  });
});

describe('blocks', () => {
  test('heights trail slots, and a slot without a block is passed over', async () => {
    const at = async () => ({
      slot: (await chain.rpc('getSlot', { commitment: 'processed' })) as number,
      height: (await chain.rpc('getBlockHeight', { commitment: 'processed' })) as number,
    });
    const before = await at();
    chain.mine(200);
    const after = await at();
    expect(after.height - before.height).toBe(200);
    expect(after.slot - before.slot).toBeGreaterThan(200);
    chain.finalize();
    const slots = (await chain.rpc('getBlocks', before.slot, after.slot)) as number[];
    expect(slots).toHaveLength(201);
    const skipped = slots.find((slot, index) => index > 0 && slots[index - 1] !== slot - 1)! - 1;
    await expect(chain.rpc('getBlock', skipped)).rejects.toThrow(`Slot ${skipped} was skipped`);
    const limited = await chain.rpc('getBlocksWithLimit', before.slot, 3);
    expect(limited).toEqual(slots.slice(0, 3));
  });

  test('hold their transactions, in order, and point at each other', async () => {
    const first = await sendBlindly((await payBob(1n)).wire);
    const second = await sendBlindly((await payBob(2n)).wire);
    const slot = (await statusOf(first))!.slot;
    const read = (details: object) => chain.rpc('getBlock', slot, { maxSupportedTransactionVersion: 1, ...details });
    await expect(read({ commitment: 'confirmed' })).rejects.toThrow(`Block not available for slot ${slot}`);
    chain.finalize();
    const block = (await read({ transactionDetails: 'signatures' })) as Record<string, unknown>;
    expect(block['signatures']).toEqual([first, second]);
    const parent = (await chain.rpc('getBlock', block['parentSlot'])) as Record<string, unknown>;
    expect(parent['blockhash']).toBe(block['previousBlockhash']);
    expect((block['blockHeight'] as number) - (parent['blockHeight'] as number)).toBe(1);
    expect(await chain.rpc('getBlockTime', slot)).toBe(block['blockTime']);
    const full = (await read({})) as { transactions: { meta: { fee: number }; version: number }[] };
    expect(full.transactions.map(({ meta, version }) => [meta.fee, version])).toEqual([
      [5_000, 0],
      [5_000, 0],
    ]);
    const named = (await read({ transactionDetails: 'accounts' })) as {
      transactions: { transaction: { accountKeys: { pubkey: string }[] } }[];
    };
    expect(named.transactions[0]!.transaction.accountKeys[0]!.pubkey).toBe(alice.publicKey.toBase58());
    await expect(chain.rpc('getBlock', slot)).rejects.toThrow('Transaction version (0) is not supported');
    const oldest = (await chain.rpc('getFirstAvailableBlock')) as number;
    await expect(chain.rpc('getBlock', oldest - 1)).rejects.toThrow(`First available block: ${oldest}`);
  });
});

describe('the history of an address', () => {
  test('is newest first, in pages, with memos and failures', async () => {
    const signatures: unknown[] = [];
    for (let index = 1; index <= 5; index += 1) {
      const { value } = await latest('processed');
      const instructions = [usdcTransfer(alice.publicKey, bob, index === 3 ? 9_000_000n : 1n), memo(`p:${index}`)];
      signatures.unshift(
        await sendBlindly(toWire(toTransaction({ payer: alice, instructions, blockhash: value.blockhash }))),
      );
      if (index % 2 === 0) chain.mine();
    }
    chain.finalize();
    const list = async (config: object) =>
      ((await chain.rpc('getSignaturesForAddress', bobAccount(), config)) as { signature: string }[]).map(
        ({ signature }) => signature,
      );
    const all = await list({});
    expect(all.slice(0, 5)).toEqual(signatures);
    expect(await list({ limit: 2 })).toEqual(signatures.slice(0, 2));
    expect(await list({ limit: 2, before: signatures[1] })).toEqual(signatures.slice(2, 4));
    expect(await list({ until: signatures[2] })).toEqual(signatures.slice(0, 2));
    expect(await list({ until: signatures[4], before: signatures[1] })).toEqual(signatures.slice(2, 4));
    const unknown = '1'.repeat(64);
    expect(await list({ before: unknown })).toEqual([]);
    expect(await list({ until: unknown })).toEqual(all);
    const [newest, , failed] = (await chain.rpc('getSignaturesForAddress', bobAccount())) as Record<string, unknown>[];
    expect(newest).toMatchObject({ memo: '[3] p:5', err: null, confirmationStatus: 'finalized' });
    expect(failed).toMatchObject({ memo: '[3] p:3', err: { InstructionError: [0, { Custom: 1 }] } });
  });

  test('shows what is as sure as is asked for', async () => {
    const signature = await sendBlindly((await payBob(1n)).wire);
    const newest = async (commitment: string) => {
      const list = await chain.rpc('getSignaturesForAddress', bobAccount(), { commitment, limit: 1 });
      return (list as { signature: string }[])[0]!.signature;
    };
    expect(await newest('confirmed')).not.toBe(signature);
    chain.mine();
    expect([await newest('confirmed'), await newest('finalized')]).toEqual([
      signature,
      expect.not.stringMatching(String(signature)),
    ]);
    await expect(newest('processed')).rejects.toThrow('Method does not support commitment below `confirmed`');
  });

  test('a status of long ago is only found by searching', async () => {
    const signature = await sendBlindly((await payBob(1n)).wire);
    chain.mine(301);
    expect(await statusOf(signature)).toBe(null);
    const { value } = (await chain.rpc('getSignatureStatuses', [signature], { searchTransactionHistory: true })) as {
      value: unknown[];
    };
    expect(value[0]).toMatchObject({ confirmationStatus: 'finalized', err: null });
  });

  function bobAccount(): string {
    return usdcAccount(bob).toBase58();
  }
});
