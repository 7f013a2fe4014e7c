/** The fee payer of Solana is replaced while proofs still name the old one; docs/keys.md says that it may be, on any day. */
import { address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../scripts/torture/eventually.ts';
import { post } from '../support/pay.ts';
import type { ServiceOptions } from './network.ts';
import { freshOrder, link, payAlready, present, USDC } from './orders.ts';
import { openSolana, type SolanaInstallation, type SolanaService, type SolanaWorld } from './solana-world.ts';
import { createSuite } from './suite.ts';
import { randomSolanaKey } from '../support/solana-service.ts';

const IMPATIENT = { settlementWaitMs: 300 };
/** By then a node that does not know a blockhash is no longer taken for one that is behind. */
const FRESH_MS = 5_000;

describe('after the fee payer was replaced', () => {
  const suite = createSuite<SolanaService, SolanaWorld>('solana', () => openSolana());
  const { network, world, track, close, comeToRest, untilNothingMoves, assertBooksAreTheChain } = suite;
  const balance = (owner: string) => world().usdcBalance(owner);

  async function replace(installation: SolanaInstallation, before: SolanaService, options: ServiceOptions = {}) {
    await close(before);
    installation.keys.feePayerKey = randomSolanaKey();
    const next = await track(installation.start(options));
    expect(next.feePayer).not.toBe(before.feePayer);
    return next;
  }

  /** The operator takes away what the old one had left. */
  const empty = ({ feePayer }: SolanaService) => world().chain.chain.setAccount(address(feePayer), null);

  test('a payment that the old one has signed ends once, with its own signature; the terms name the new one, who pays for payments from then on; another one for the old one charges nobody', async () => {
    const installation = world().install();
    const first = await track(installation.start(IMPATIENT));
    const [payer, recipient] = [await world().createPayer(5n * USDC), await world().createRecipient()];
    const [signed, order, late] = [freshOrder(), freshOrder(), freshOrder()];
    const proof = await payer.prove(first, { microUsdc: USDC });
    const unsigned = await payer.prove(first, { microUsdc: USDC });
    await world().holdBlocks();
    expect((await present(first, proof, signed)).status).toBe(500);
    await eventually(async () => expect(await carriersOf(first)).toMatchObject([{ status: 'open' }]));
    const next = await replace(installation, first);
    await world().releaseBlocks();
    // Its proof is known, so the stored answer comes, whichever fee payer it names.
    expect((await present(next, proof, signed)).status).toBe(200);
    await untilNothingMoves(next);
    expect(await balance(payer.address)).toBe(4n * USDC);
    expect(await carriersOf(next)).toHaveLength(1);
    await assertBooksAreTheChain(next);

    empty(first);
    const asked = await post(`${next.url}/payments/x/pay`, order);
    const named = asked.body.accepts.map(({ extra }) => (extra as { feePayer?: string }).feePayer);
    expect(new Set(named)).toEqual(new Set([next.feePayer]));
    const refused = await present(next, unsigned, late);
    expect([refused.status, refused.body['error']]).toEqual([402, 'invalid_exact_svm_fee_payer_mismatch']);
    expect(await balance(payer.address)).toBe(4n * USDC);
    await payAlready(next, payer, order);
    await link(next, network, order.receiver, recipient);
    await comeToRest(next);
    expect([await balance(payer.address), await balance(recipient)]).toEqual([3n * USDC, USDC]);
    await suite.assertCostsHaveCauses(next);
  });

  test('one that was taken for the old one and never signed is refused with its blockhash, and keeps no other back', async () => {
    const installation = world().install();
    const idle = await track(installation.start({ ...IMPATIENT, runWorker: false }));
    const payer = await world().createPayer(5n * USDC);
    const [order, other] = [freshOrder(), freshOrder()];
    const proof = await payer.prove(idle, { microUsdc: USDC });
    expect((await present(idle, proof, order)).status).toBe(500);
    let skewMs = 0;
    const next = await replace(installation, idle, { now: () => Date.now() + skewMs });
    empty(idle);
    await payAlready(next, payer, other);
    expect(await balance(payer.address)).toBe(4n * USDC);
    await world().expireProofs();
    skewMs = FRESH_MS;
    const over = await present(next, proof, order);
    expect([over.status, over.body['error']]).toEqual([402, 'payment_expired']);
    await payAlready(next, payer, order);
    await comeToRest(next);
    expect(await balance(payer.address)).toBe(3n * USDC);
  });
});

const carriersOf = ({ store: { read, tables } }: SolanaService) => read.select().from(tables.carriers);
