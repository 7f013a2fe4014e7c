import { afterAll, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import type { ScreeningAnswer, ScreeningQuestion } from '../../../core/screening/screening.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { decide, standingOutcome } from '../../../db/screening/decisions.ts';
import { releaseByOperator } from '../../../db/operator/held.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startScreening } from '../../../worker/screening/screening.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createLoneHolder } from '../../worker/lone-holder.ts';

/**
 * The whole way of the money, with the answers of a list or service that the test sets, and with a limit of a day that all
 * payers but one keep.
 */
let chain: BaseChain;
let service: TestService;
let job: ReturnType<typeof startScreening>;
let skewMs = 0;
let asked: ScreeningQuestion[] = [];
let answers: Partial<Record<ScreeningQuestion['stage'], ScreeningAnswer['verdict']>> = {};

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  const now = () => Date.now() + skewMs;
  const screen = async (question: ScreeningQuestion) => {
    const { store } = service;
    const standing = await standingOutcome(store, question, now());
    if (standing !== null) return standing;
    asked.push(question);
    const answer = { verdict: answers[question.stage] ?? 'allowed', source: 'service', detail: null } as const;
    return decide(store, question, { answer, fails: 'closed', nowMs: now() });
  };
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    now,
    payouts: { dailyMicroUsdc: { payer: 1_000_000n, recipient: null }, treasuries: {} },
    decorate: (dependencies) => ({ ...dependencies, screen }),
    decorateWorker: (worker) => ({ ...worker, screen }),
  });
  const wake = () => service.worker?.wake();
  job = startScreening({ store: service.store, now, log: service.base.log, screen, wake }, createLoneHolder());
});
afterAll(async () => {
  await service.assertSound();
  await job.close();
  await service.close();
  await chain.close();
});

/** A person with a wallet, and a payer who pays them. */
async function begin(name: string) {
  [asked, answers] = [[], {}];
  const { store, base } = service;
  const recipient = parseRecipient('x', name);
  const person = { ...recipient, stableId: localUserId(recipient) };
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, base.ids.identityId(), 0));
  const { address } = await chain.createAccount({ wei: 0n });
  await linkWallet(store, { identityId, network: 'base', address, source: 'test' }, base.transferIdOf, 0);
  const payer = await chain.createAccount({ usdc: microUsdc(1_000_000n), wei: 0n });
  const payTo = service.parts.treasury.address;
  const header = await makeProof({ from: payer.address, signer: payer, payTo, value: 1_000_000n });
  const pay = (receiver = name) =>
    post(`${service.url}/payments/x/pay`, { receiver, amount: 1 }, { 'PAYMENT-SIGNATURE': header });
  const proofs = async () =>
    (await store.read.select().from(store.tables.proofs)).filter((row) => row.payer === payer.address.toLowerCase());
  return { address, payer: payer.address.toLowerCase(), pay, proofs };
}

test('who is refused is told neither why nor by whom, nothing is reserved, and nobody is asked twice', async () => {
  const { payer, pay, proofs } = await begin('ada');
  answers = { payment: 'refused' };
  const replies = [await pay(), await pay()];
  for (const { status, body } of replies) {
    expect([status, body.error]).toEqual([400, 'declined']);
    expect(JSON.stringify(body)).not.toMatch(/screen|list|sanction|refuse/i);
  }
  expect(asked).toMatchObject([
    { accounts: [{ network: 'base', address: payer }], names: ['x:ada'], amountMicroUsdc: 1_000_000n },
  ]);
  expect(await proofs()).toEqual([]);
});

test('a decision is about one request: the same proof for another person is asked about anew', async () => {
  const { pay } = await begin('annie');
  answers = { payment: 'refused' };
  expect((await pay('listed')).body.error).toBe('declined');
  answers = {};
  expect((await pay()).status).toBe(200);
  expect(asked.filter(({ stage }) => stage === 'payment').map(({ names }) => names)).toEqual([
    ['x:listed'],
    ['x:annie'],
  ]);
});

test('while nobody answers payments are paused, and the same proof pays afterwards', async () => {
  const { address, pay, proofs } = await begin('grace');
  answers = { payment: 'unanswered' };
  const paused = await pay();
  expect([paused.status, paused.body.error]).toEqual([500, 'service_paused']);
  expect(await proofs()).toEqual([]);
  answers = {};
  skewMs += 11_000;
  expect((await pay()).status).toBe(200);
  await eventually(async () => expect(await chain.usdcBalance(address)).toBe(1_000_000n));
});

test('a payout that is refused is held until the operator lets it go', async () => {
  const { address, pay, payer } = await begin('edsger');
  answers = { payout: 'refused' };
  expect((await pay()).status).toBe(200);
  const { store } = service;
  const heldId = await eventually(async () => {
    const rows = await store.read.select().from(store.tables.transfers);
    const row = rows.find(({ toAddress, status }) => toAddress === address.toLowerCase() && status === 'held');
    expect(row?.heldReason).toBe('screening');
    return row?.id ?? '';
  });
  expect(await chain.usdcBalance(address)).toBe(0n);
  const payoutAsked = asked.find(({ stage }) => stage === 'payout');
  expect(payoutAsked?.accounts.map((one) => one.address)).toEqual([address.toLowerCase(), payer]);
  expect(payoutAsked?.names).toEqual(['x:edsger']);
  const command = { name: 'release', arguments: [heldId], who: 'a test' };
  expect(await releaseByOperator(store, { payoutId: heldId }, command, Date.now())).toMatchObject({ count: 1 });
  service.worker?.wake();
  await eventually(async () => expect(await chain.usdcBalance(address)).toBe(1_000_000n));
});

test('a payout about which nobody answers waits, unsigned, and leaves once it is answered', async () => {
  const { address, pay } = await begin('barbara');
  answers = { payout: 'unanswered' };
  expect((await pay()).status).toBe(200);
  await eventually(async () => expect(asked.filter(({ stage }) => stage === 'payout')).not.toEqual([]));
  const { store } = service;
  const rows = await store.read.select().from(store.tables.transfers);
  expect(rows.filter(({ toAddress }) => toAddress === address.toLowerCase())).toMatchObject([
    { status: 'queued', signature: null },
  ]);
  answers = {};
  skewMs += 11_000;
  await eventually(async () => expect(await chain.usdcBalance(address)).toBe(1_000_000n), 20_000);
});

// The last one: a day passes.
test('what is over a payer’s day is accepted and held, and reaches its recipient the next day', async () => {
  const { address } = await begin('alice');
  const account = await chain.createAccount({ usdc: microUsdc(2_000_000n), wei: 0n });
  const payTo = service.parts.treasury.address;
  const pay = async (note: string) => {
    const header = await makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n });
    const body = { receiver: 'alice', amount: 1, description: note };
    return post(`${service.url}/payments/x/pay`, body, { 'PAYMENT-SIGNATURE': header });
  };
  const replies = [await pay('first'), await pay('second')];
  expect(replies.map(({ status, body }) => [status, body.data.status])).toEqual([
    [200, 'queued'],
    [200, 'held'],
  ]);
  await eventually(async () => expect(await chain.usdcBalance(address)).toBe(1_000_000n));
  skewMs += 24 * 3_600_000;
  await eventually(async () => expect(await chain.usdcBalance(address)).toBe(2_000_000n), 20_000);
});
