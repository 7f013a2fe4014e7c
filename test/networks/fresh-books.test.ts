/** The books are begun anew with the keys of an earlier installation: what came before is in the opening balances, once. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { boundNonce, requestHash } from '../../core/request-hash.ts';
import { microUsdc } from '../../core/money.ts';
import { spentOn } from '../../worker/evm/formers.ts';
import { recover } from '../../worker/evm/recover.ts';
import { makeProof } from '../support/pay.ts';
import type { EvmInstallation, EvmService } from './evm-world.ts';
import { createInstalledSuite } from './installed-suite.ts';
import type { Service } from './network.ts';
import { freshOrder, payAlready, present, USDC, type Order } from './orders.ts';
import { openSolana, type SolanaInstallation, type SolanaService, type SolanaWorld } from './solana-world.ts';
import { createSuite } from './suite.ts';

const seenIn = ({ store: { read, tables } }: Service) => read.select().from(tables.observedTransfers);

describe('on an EVM network', () => {
  const suite = createInstalledSuite('base');
  const { world, track, close, comeToRest, assertBooksAreTheChain } = suite;

  /** The only kind that counts although it landed before it was presented. */
  async function boundProof({ treasury }: EvmService, order: Order) {
    const signer = await world().chain.createAccount({ usdc: microUsdc(3n * USDC), wei: 0n });
    const hash = requestHash('rest.pay', { platform: 'x' }, order);
    const nonce = `0x${boundNonce(hash, randomBytes(16).toString('hex'))}` as const;
    const from = signer.address;
    return {
      nonce,
      from,
      header: await makeProof({ from, signer, payTo: treasury as `0x${string}`, value: USDC, nonce }),
    };
  }

  /** A payment that the earlier books have, and the new ones have as a balance. */
  async function paidBefore() {
    const [before, first] = [suite.installation(), suite.service()];
    const order = freshOrder();
    const proof = await boundProof(first, order);
    expect((await present(first, proof.header, order)).status).toBe(200);
    await comeToRest(first);
    await close(first);
    const anew: EvmInstallation = world().install();
    Object.assign(anew.keys, before.keys);
    const next = await track(anew.start());
    return { order, proof, next, key: { authorizer: proof.from.toLowerCase() as `0x${string}`, nonce: proof.nonce } };
  }

  test('a payment from before is refused when it is presented again and not booked a second time, and a payout of its name is left to the operator', async () => {
    const { order, proof, next, key } = await paidBefore();
    const { number } = await next.base.rpc.latest();
    expect(await recover(next.base, key, number)).toBe('before');
    const payout = { toAddress: next.treasury, amountMicroUsdc: USDC } as Parameters<typeof spentOn>[1];
    expect(await spentOn(next.base, payout, key, number)).toBe('doubtful');
    expect(await seenIn(next)).toEqual([]);
    const again = await present(next, proof.header, order);
    expect([again.status, again.body['error']]).toEqual([402, 'invalid_transaction_state']);
    expect(await seenIn(next)).toEqual([]);
    await payAlready(next, await world().createPayer(USDC), freshOrder());
    await comeToRest(next);
    await assertBooksAreTheChain(next);
  });
});

describe('on Solana', () => {
  let before: SolanaInstallation;
  const suite = createSuite<SolanaService, SolanaWorld>('solana', async () => {
    const opened = await openSolana();
    before = opened.install();
    const unused = [before];
    return { ...opened, install: (accounts) => unused.pop() ?? opened.install(accounts) };
  });
  const { world, track, close, comeToRest, assertBooksAreTheChain } = suite;

  test('a payment from before is refused when it is presented again, and is not booked a second time', async () => {
    const first = suite.service();
    const [payer, order] = [await world().createPayer(3n * USDC), freshOrder()];
    const proof = await payer.prove(first, { microUsdc: USDC });
    expect((await present(first, proof, order)).status).toBe(200);
    // Its blockhash is still good, and its block is final.
    await world().holdBlocks();
    await world().finalize();
    await close(first);
    const anew: SolanaInstallation = world().install();
    Object.assign(anew.keys, before.keys);
    const next = await track(anew.start());
    const again = await present(next, proof, order);
    expect([again.status, again.body['error']]).toEqual([402, 'invalid_transaction_state']);
    expect(await seenIn(next)).toEqual([]);
    await world().releaseBlocks();
    await payAlready(next, payer, freshOrder());
    await comeToRest(next);
    await assertBooksAreTheChain(next);
  });
});
