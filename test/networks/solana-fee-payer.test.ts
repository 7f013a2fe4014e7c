/** The fee payer of Solana is replaced while proofs still name the old one; docs/keys.md says that it may be, on any day. */
import { address } from '@solana/kit';
import { expect, test } from 'vitest';
import { eventually } from '../../scripts/torture/eventually.ts';
import { post } from '../support/pay.ts';
import { freshOrder, link, payAlready, present, USDC } from './orders.ts';
import { openSolana, type SolanaInstallation, type SolanaService, type SolanaWorld } from './solana-world.ts';
import { createSuite } from './suite.ts';
import { randomSolanaKey } from '../support/solana-service.ts';

/** By then a node that does not know a blockhash is no longer taken for one that is behind. */
const FRESH_MS = 5_000;

/** That of the suite's own service, which is impatient, and from some moment on sends nothing. */
let installation: SolanaInstallation;
let isMute = false;
const failpoint = (name: string) => {
  if (isMute) throw new Error(`the service ends at ${name}`);
};
const suite = createSuite<SolanaService, SolanaWorld>('solana', async () => {
  const opened = await openSolana();
  installation = opened.install();
  const start = () => installation.start({ settlementWaitMs: 300, failpoint });
  return { ...opened, install: () => ({ ...installation, start }) };
});
const { network, world, track, close, comeToRest } = suite;
const balance = (owner: string) => world().usdcBalance(owner);

test('after the fee payer was replaced, a payment that the old one has signed ends once, with its own signature; the terms name the new one, who pays for payments from then on; another one for the old one charges nobody; one that was taken for it and never sent keeps no other back, and is refused with its blockhash', async () => {
  const first = suite.service();
  const [payer, recipient] = [await world().createPayer(5n * USDC), await world().createRecipient()];
  const [signed, taken, order, late] = [freshOrder(), freshOrder(), freshOrder(), freshOrder()];
  const prove = () => payer.prove(first, { microUsdc: USDC });
  const [proof, waiting, unsigned] = [await prove(), await prove(), await prove()];
  await world().holdBlocks();
  expect((await present(first, proof, signed)).status).toBe(500);
  await eventually(async () => expect(await carriersOf(first)).toMatchObject([{ status: 'open' }]));
  isMute = true;
  expect((await present(first, waiting, taken)).status).toBe(500);
  await close(first);
  installation.keys.feePayerKey = randomSolanaKey();
  let skewMs = 0;
  const next = await track(installation.start({ now: () => Date.now() + skewMs }));
  expect(next.feePayer).not.toBe(first.feePayer);
  await world().releaseBlocks();
  // Its proof is known, so the stored answer comes, whichever fee payer it names.
  expect((await present(next, proof, signed)).status).toBe(200);
  expect(await balance(payer.address)).toBe(4n * USDC);
  expect(await carriersOf(next)).toHaveLength(1);
  await suite.assertBooksAreTheChain(next);

  // The operator takes away what the old one had left.
  world().chain.chain.setAccount(address(first.feePayer), null);
  const asked = await post(`${next.url}/payments/x/pay`, order);
  const named = asked.body.accepts.map(({ extra }) => (extra as { feePayer?: string }).feePayer);
  expect(new Set(named)).toEqual(new Set([next.feePayer]));
  const refused = await present(next, unsigned, late);
  expect([refused.status, refused.body['error']]).toEqual([402, 'invalid_exact_svm_fee_payer_mismatch']);
  expect(await balance(payer.address)).toBe(4n * USDC);
  await payAlready(next, payer, order);
  expect(await balance(payer.address)).toBe(3n * USDC);

  await world().expireProofs();
  skewMs = FRESH_MS;
  const over = await present(next, waiting, taken);
  expect([over.status, over.body['error']]).toEqual([402, 'payment_expired']);
  await payAlready(next, payer, taken);
  await link(next, network, order.receiver, recipient);
  await comeToRest(next);
  expect((await carriersOf(next)).filter(({ kind }) => kind === 'inbound')).toHaveLength(3);
  expect([await balance(payer.address), await balance(recipient)]).toEqual([2n * USDC, USDC]);
  await suite.assertCostsHaveCauses(next);
});

const carriersOf = ({ store: { read, tables } }: SolanaService) => read.select().from(tables.carriers);
