/** Every switch that makes the chain misbehave is seen to do so, and to count it. */
import type { Keypair, PublicKey } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { FAULT_KINDS } from '../../../local/solana/rpc/faults.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';
import { randomAddress, toTransaction, toWire, usdcTransfer } from './transfers.ts';

let chain: SolanaChain;
let alice: Keypair;
let bob: PublicKey;
let nextAmount: bigint;

beforeEach(async () => {
  chain = await startSolanaChain();
  alice = await chain.createKeypair({ usdc: microUsdc(5_000_000n), lamports: 1_000_000_000n });
  bob = randomAddress();
  await chain.fundUsdc(bob, microUsdc(1n));
  chain.finalize();
  nextAmount = 1n;
});
afterEach(() => chain.close());

/** 1, 2, 4, … so that the sum tells which of them landed. */
async function toPayment(): Promise<string> {
  const { value } = (await chain.rpc('getLatestBlockhash')) as { value: { blockhash: string } };
  const instructions = [usdcTransfer(alice.publicKey, bob, nextAmount)];
  nextAmount *= 2n;
  return toWire(toTransaction({ payer: alice, instructions, blockhash: value.blockhash }));
}

const send = (wire: string) => chain.rpc('sendTransaction', wire, { encoding: 'base64' });
const landed = async () => (await chain.usdcBalance(bob)) - 1n;

describe('a transaction', () => {
  test('that is dropped is accepted, does not land, and lands when it is sent again', async () => {
    await chain.setFault({ kind: 'drop', times: 2 });
    const payments = [await toPayment(), await toPayment(), await toPayment()];
    for (const payment of payments) expect(await send(payment)).toMatch(/^\w{64,90}$/);
    expect(await landed()).toBe(4n);
    expect(await chain.fired('drop')).toBe(2);
    for (const payment of payments.slice(0, 2)) await send(payment);
    expect(await landed()).toBe(7n);
  });

  test('that is held lands when it is released', async () => {
    await chain.setFault({ kind: 'hold', times: 1 });
    await send(await toPayment());
    await send(await toPayment());
    expect(await landed()).toBe(2n);
    expect(await chain.waiting()).toEqual({ held: 1, late: 0 });
    chain.mine(100);
    expect(await chain.release()).toBe(1);
    expect(await landed()).toBe(3n);
    expect([await chain.fired('hold'), await chain.waiting()]).toEqual([1, { held: 0, late: 0 }]);
  });

  test('that is held too long, or has landed meanwhile, does not land when it is released', async () => {
    await chain.setFault({ kind: 'hold', times: 2 });
    const first = await toPayment();
    await send(first);
    await send(await toPayment());
    await send(first);
    chain.expireBlockhashes();
    expect(await chain.release()).toBe(0);
    expect(await landed()).toBe(1n);
  });

  test('that is late lands so many blocks later, by itself', async () => {
    await chain.setFault({ kind: 'late', times: 1, blocks: 10 });
    await send(await toPayment());
    chain.mine(9);
    expect([await landed(), await chain.waiting()]).toEqual([0n, { held: 0, late: 1 }]);
    chain.mine();
    expect([await landed(), await chain.waiting(), await chain.fired('late')]).toEqual([1n, { held: 0, late: 0 }, 1]);
  });

  test('that is too late is dead', async () => {
    await chain.setFault({ kind: 'late', times: 1, blocks: 160 });
    await send(await toPayment());
    chain.mine(200);
    expect([await landed(), await chain.waiting()]).toEqual([0n, { held: 0, late: 0 }]);
  });
});

describe('an answer', () => {
  test('that is lost leaves the transaction landed', async () => {
    await chain.setFault({ kind: 'lose_reply', times: 1, method: 'sendTransaction' });
    const payment = await toPayment();
    await expect(send(payment)).rejects.toThrow('does not answer');
    expect(await landed()).toBe(1n);
    expect(await chain.fired('lose_reply')).toBe(1);
    await expect(chain.connection().getSlot()).resolves.toBeGreaterThan(0);
  });

  test('of 503 leaves nothing done', async () => {
    const payment = await toPayment();
    await chain.setFault({ kind: 'unavailable', times: 2 });
    await expect(send(payment)).rejects.toThrow('does not answer');
    const response = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' }),
    });
    expect(response.status).toBe(503);
    expect(await landed()).toBe(0n);
    expect(await chain.fired('unavailable')).toBe(2);
  });

  test('is only lost for the method that is named, alone or in a batch', async () => {
    await chain.setFault({ kind: 'unavailable', method: 'getSlot' });
    expect(await chain.rpc('getBlockHeight')).toBeGreaterThan(0);
    const call = (...methods: string[]) =>
      fetch(chain.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(methods.map((method, id) => ({ jsonrpc: '2.0', id, method }))),
      });
    expect((await call('getHealth', 'getBlockHeight')).status).toBe(200);
    expect((await call('getHealth', 'getSlot')).status).toBe(503);
  });

  test('about the faults themselves always comes', async () => {
    await chain.setFault({ kind: 'unavailable' });
    await chain.setFault({ kind: 'lose_reply' });
    await expect(chain.rpc('getSlot')).rejects.toThrow('does not answer');
    expect(await chain.fired('unavailable')).toBe(1);
    await chain.clearFaults();
    expect(await chain.rpc('getHealth')).toBe('ok');
    expect(await chain.fired('unavailable')).toBe(1);
  });
});

describe('chance', () => {
  test('strikes in about the wanted share, and the same for the same seed', async () => {
    const strikes = async (seed: number) => {
      await chain.setFault({ kind: 'unavailable', percent: 30, seed, method: 'getHealth' });
      const results: boolean[] = [];
      for (let index = 0; index < 200; index += 1) {
        results.push(
          await chain.rpc('getHealth').then(
            () => false,
            () => true,
          ),
        );
      }
      expect(await chain.fired('unavailable')).toBe(results.filter(Boolean).length);
      return results;
    };
    const first = await strikes(1);
    expect(first.filter(Boolean).length).toBeGreaterThan(30);
    expect(first.filter(Boolean).length).toBeLessThan(90);
    expect(await strikes(1)).toEqual(first);
    expect(await strikes(2)).not.toEqual(first);
  });
});

describe('time', () => {
  test('stands still while slots are frozen', async () => {
    const [frozen, other] = [await startSolanaChain({ slotMs: 5 }), await startSolanaChain({ slotMs: 5 })];
    const slotOf = (of: SolanaChain) => of.chain.blocks.last().slot;
    try {
      await frozen.freezeSlots(true);
      const [before, otherBefore] = [slotOf(frozen), slotOf(other)];
      await expect.poll(() => slotOf(other), { interval: 5 }).toBeGreaterThan(otherBefore + 10);
      expect(slotOf(frozen)).toBe(before);
      await frozen.freezeSlots(false);
      await expect.poll(() => slotOf(frozen), { interval: 5 }).toBeGreaterThan(before);
    } finally {
      await Promise.all([frozen.close(), other.close()]);
    }
  });

  test('jumps by blocks, or by slots without any', async () => {
    const height = async () => (await chain.rpc('getBlockHeight', { commitment: 'processed' })) as number;
    const before = await height();
    const { slot } = (await chain.rpc('local_warpSlots', 25)) as { slot: number };
    expect(await height()).toBe(before + 25);
    const skipped = (await chain.rpc('local_skipSlots', 500)) as { slot: number };
    expect([skipped.slot - slot >= 501, await height()]).toEqual([true, before + 26]);
  });
});

describe('play money', () => {
  test('comes by transactions that the history shows', async () => {
    const carol = randomAddress();
    const receipt = (await chain.fundUsdc(carol, microUsdc(7n))) as { signature: string };
    await chain.fundSol(carol, 2_000_000n);
    expect([await chain.usdcBalance(carol), await chain.lamports(carol)]).toEqual([7n, 2_000_000n]);
    const transaction = await chain.connection().getParsedTransaction(receipt.signature);
    expect(transaction?.transaction.message.instructions).toMatchObject([
      { parsed: { type: 'createIdempotent', info: { wallet: carol.toBase58() } } },
      { parsed: { type: 'mintTo', info: { amount: '7' } } },
    ]);
  });

  test('that is frozen can neither leave nor arrive, until it is thawed', async () => {
    await chain.freezeUsdc(bob);
    // The finalized view, which preflight takes, does not know yet: it lands as a failure.
    await send(await toPayment());
    chain.finalize();
    await expect(send(await toPayment())).rejects.toThrow('custom program error: 0x11');
    await chain.thawUsdc(bob);
    chain.finalize();
    await send(await toPayment());
    expect(await landed()).toBe(4n);
  });

  test('and any account can be set', async () => {
    const carol = randomAddress().toBase58();
    const account = { lamports: '5', owner: bob.toBase58(), data: 'AQID' };
    await chain.rpc('local_setAccount', carol, account);
    const { value } = (await chain.rpc('getAccountInfo', carol, { encoding: 'base64', commitment: 'processed' })) as {
      value: object;
    };
    expect(value).toMatchObject({ lamports: 5, owner: bob.toBase58(), data: ['AQID', 'base64'], executable: false });
    await chain.rpc('local_setAccount', carol, null);
    expect(await chain.lamports(carol)).toBe(0n);
  });

  test('that cannot be given is refused in words', async () => {
    await chain.freezeUsdc(bob);
    await expect(chain.fundUsdc(bob, microUsdc(1n))).rejects.toThrow('the faucet of the local Solana network failed');
    await expect(chain.rpc('local_mintUsdc', bob.toBase58(), '0')).rejects.toThrow(
      'an amount is a whole number above zero',
    );
    await expect(chain.fundSol(randomAddress(), 1n)).rejects.toThrow('InsufficientFundsForRent');
  });
});

test('no fault has struck where none was set', async () => {
  await send(await toPayment());
  for (const kind of FAULT_KINDS) expect(await chain.fired(kind)).toBe(0);
});
