/** Keys of the treasury and of the task address on Solana are replaced while money and promises still name the old ones. */
import { address as toAddress } from '@solana/kit';
import { and, eq, ne } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openingBalance } from '../../core/ledger.ts';
import type { Failpoint } from '../../core/failpoints.ts';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { releaseByOperator } from '../../db/operator/held.ts';
import { readFormerStandings } from '../../db/rotations/standing.ts';
import { postEntry } from '../../db/ledger/ledger.ts';
import { scheduleRefund } from '../../db/refunds/return-transfer.ts';
import { findTask } from '../../db/tasks/find.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { SolanaWorker } from '../../worker/dependencies.ts';
import { compareWithChain } from '../../worker/solana/compare.ts';
import { dyingAt } from '../support/chains/dying.ts';
import { post } from '../support/pay.ts';
import { randomSolanaKey } from '../support/solana-service.ts';
import { mustOpen, offerOn } from '../support/tasks/tasks.ts';
import { freshHandle, freshOrder, link, payAlready, present, USDC } from './orders.ts';
import { openSolana, type SolanaInstallation, type SolanaService, type SolanaWorld } from './solana-world.ts';
import { createSuite } from './suite.ts';

/** A blockhash lives for 150 of them, longer than a service takes to start again; they are final after 32, with nobody in a hurry. */
const SLOT_MS = 150;
const DAY_MS = 24 * 3_600_000;

/** That of the suite's own service, whose keys are replaced first. */
let installation: SolanaInstallation;
const suite = createSuite<SolanaService, SolanaWorld>('solana', async () => {
  const opened = await openSolana(SLOT_MS);
  installation = opened.install();
  installation.keys.taskKey = randomSolanaKey();
  const unused = [installation];
  return { ...opened, install: (accounts) => unused.pop() ?? opened.install(accounts) };
});
const { network, world, track, close, soon, comeToRest } = suite;

const held = (address: string) => world().usdcBalance(address);

/** One that still has the terms of before. */
const withOld = (next: SolanaService, { treasury }: SolanaService): SolanaService => ({ ...next, treasury });

const payoutsTo = ({ store: { read, tables } }: SolanaService, address: string) =>
  read
    .select()
    .from(tables.transfers)
    .where(and(eq(tables.transfers.purpose, 'payout'), eq(tables.transfers.toAddress, address)));

async function untilSwept(next: SolanaService, ...formers: string[]): Promise<void> {
  await soon(next, async () => {
    for (const former of formers) expect(await held(former)).toBe(0n);
  });
  await comeToRest(next);
}

async function openTaskAt({ store, parts }: SolanaService, address: string) {
  const headBlock = (await parts.apiNetwork.transfers?.head()) ?? 0;
  return mustOpen(store, { receiver: freshHandle(), networks: [{ network, address, headBlock }] });
}

/** One rotation of both for all of these: what waits to be final for one of them is final for all. */
describe('after treasury and task address were replaced', () => {
  let first: SolanaService;
  let next: SolanaService;
  /** Who is paid by what the old one has signed, and who by what it has signed and can never land. */
  let recipients: { landed: string; lost: string };
  let lostId: string | undefined;
  let task: Awaited<ReturnType<typeof openTaskAt>> & { address: string };

  beforeAll(async () => {
    first = suite.service();
    recipients = { landed: await world().createRecipient(), lost: await world().createRecipient() };
    const payer = await world().createPayer(4n * USDC);
    const [landed, lost, rest] = [freshOrder(), freshOrder(), freshOrder(2)];
    for (const order of [landed, lost, rest]) await payAlready(first, payer, order);
    await comeToRest(first);
    const address = first.parts.task?.key.address ?? '';
    task = { ...(await openTaskAt(first, address)), address };
    await world().holdBlocks();
    const untilBroadcast = (to: string) =>
      eventually(async () => expect(await payoutsTo(first, to)).toMatchObject([{ status: 'broadcast' }]));
    const untilHeld = (to: string) => eventually(async () => expect(await held(to)).toBe(USDC));
    await link(first, network, landed.receiver, recipients.landed);
    await untilBroadcast(recipients.landed);
    // It is stored as sent before the node has it.
    await untilHeld(recipients.landed);
    const spoiled = await world().spoilBroadcasts('drop');
    await link(first, network, lost.receiver, recipients.lost);
    await untilBroadcast(recipients.lost);
    lostId = (await payoutsTo(first, recipients.lost))[0]?.id;
    await close(first);
    // What was not dropped lands, and the books do not know it.
    await world().stepBlock();
    await world().expireProofs();
    await world().finalize();
    await spoiled.heal();
    await world().releaseBlocks();
    installation.rotate('treasury');
    installation.rotate('task');
    // After each test the suite closes what it knows of.
    next = await installation.start();
  });
  afterEach(() => suite.assertBooksAreTheChain(next));
  afterAll(() => next?.close());

  const standingOfFirst = async (nowMs: number) =>
    (await readFormerStandings(next.store, nowMs)).find(({ address }) => address === first.treasury);

  test('a payout that the old one has signed ends once, with its own signature; one that can never land is paid by the new one, under the same id; the terms name the new one; a proof for the old one is taken, swept, and paid out by the new one; then it is retired', async () => {
    const [payer, address] = [await world().createPayer(USDC), await world().createRecipient()];
    const order = freshOrder();
    expect(next.treasury).not.toBe(first.treasury);
    const asked = await post(`${next.url}/payments/x/pay`, order);
    expect(new Set(asked.body.accepts.map((terms) => terms['payTo']))).toEqual(new Set([next.treasury]));
    const proof = await payer.prove(withOld(next, first), { microUsdc: USDC });
    expect((await present(next, proof, order)).status).toBe(200);

    await soon(next, async () => expect(await held(recipients.lost)).toBe(USDC));
    await untilSwept(next, first.treasury);
    const { landed, lost } = recipients;
    expect([await held(landed), await held(lost), await held(next.treasury)]).toEqual([USDC, USDC, 3n * USDC]);
    await link(next, network, order.receiver, address);
    await soon(next, async () => expect(await held(address)).toBe(USDC));
    await comeToRest(next);
    expect([await held(first.treasury), await held(next.treasury)]).toEqual([0n, 2n * USDC]);
    const signed = { fromAddress: first.treasury, generation: 0, status: 'final' };
    expect(await payoutsTo(next, landed)).toMatchObject([signed]);
    const paid = { fromAddress: next.treasury, status: 'final' };
    expect(await payoutsTo(next, lost)).toMatchObject([{ id: lostId, ...paid }]);
    expect(await payoutsTo(next, address)).toMatchObject([paid]);

    expect(await standingOfFirst(Date.now())).toMatchObject({ isRetired: false });
    expect(await standingOfFirst(Date.now() + DAY_MS)).toMatchObject({ held: 0n, isRetired: true });
  });

  test('the old key signs sweeps only, and nobody is paid at its address', async () => {
    const [former] = next.parts.formers;
    expect(former?.key.address).toBe(first.treasury);
    await expect(former?.key.sign('payout', new Uint8Array(64))).rejects.toThrow('signs no such thing');
    expect(next.parts.ownAddresses).toContain(first.treasury);
    expect(former?.account).toBe(tokenAccountOf(first.treasury, next.parts.profile));
  });

  test('of what comes to the old addresses, a task that was opened before is paid, all else goes back to its sender from the new one, and all is swept', async () => {
    expect(next.parts.task?.key.address).not.toBe(task.address);
    const [payer, before] = [await world().createPayer(2n * USDC), await held(next.treasury)];
    const { amountMicroUsdc } = offerOn(task.offers, network);
    await payer.send(task.address, amountMicroUsdc);
    await payer.send(first.treasury, 123_457n);
    const { observedTransfers } = next.store.tables;
    const late = eq(observedTransfers.amountMicroUsdc, 123_457n);
    const seen = async () => (await next.store.read.select().from(observedTransfers).where(late))[0];
    await eventually(async () => expect(await seen()).toMatchObject({ consumedBy: null, landed: true }), 20_000);
    await suite.assertBooksAreTheChain(next);
    await scheduleRefund(next.store, (await seen())?.fact ?? '');
    await soon(next, async () => {
      expect((await findTask(next.store, task.task.id))?.payment).not.toBeNull();
      expect(await held(payer.address)).toBe(2n * USDC - amountMicroUsdc);
    });
    await untilSwept(next, task.address, first.treasury);
    expect(await held(next.treasury)).toBe(before + amountMicroUsdc);
  });

  test('what someone else who knows the old key takes there is booked as lost, and what it funded waits for the operator', async () => {
    const [payer, address] = [await world().createPayer(2n * USDC), await world().createRecipient()];
    const [order, before] = [freshOrder(), await held(next.treasury)];
    const proof = await payer.prove(withOld(next, first), { microUsdc: USDC });
    expect((await present(next, proof, order)).status).toBe(200);
    // Before it is final, so before it is swept.
    const thief = world().knows(first.keys.treasuryKey);
    await thief.send(payer.address, USDC);
    await eventually(async () => expect(await standingOfFirst(Date.now())).toMatchObject({ taken: USDC }), 20_000);
    await comeToRest(next);
    await link(next, network, order.receiver, address);
    await soon(next, async () => {
      expect(await payoutsTo(next, address)).toMatchObject([{ status: 'held', heldReason: 'former_address' }]);
    });
    expect([await held(address), await held(first.treasury), await held(next.treasury)]).toEqual([0n, 0n, before]);
    expect(await standingOfFirst(Date.now())).toMatchObject({ taken: USDC });
  });

  // The last one: afterwards no proof may name the old one.
  test('a day later nobody pays the old one any more', async () => {
    const payer = await world().createPayer(USDC);
    next.parts.formerTerms.note(first.treasury, Date.now() - DAY_MS);
    const late = await payer.prove(withOld(next, first), { microUsdc: USDC });
    expect((await present(next, late, freshOrder())).body['error']).toBe('invalid_payment_requirements');
    expect(await held(payer.address)).toBe(USDC);
  });
});

/** After those above, which have closed the suite's own service, on its installation: what it does to the books stays there. */
test('where others know the old key, no proof may name it, and one that was taken and never sent is refused; books that say something else about a former address than the chain are noticed; who knows its key can close its account, and they are compared all the same', async () => {
  const idle = await track(installation.start({ settlementWaitMs: 300, runWorker: false }));
  const payer = await world().createPayer(3n * USDC);
  const order = freshOrder();
  const proof = await payer.prove(idle, { microUsdc: USDC });
  const before = await sendingsOf(idle);
  expect((await present(idle, proof, order)).status).toBe(500);
  await close(idle);
  installation.keys.compromised = [idle.treasury];
  installation.rotate('treasury');
  const next = await installation.start();
  onTestFinished(next.close);
  const { read, tables } = next.store;
  const { lines, payments, proofs } = tables;
  const ofPayer = () => read.select().from(payments).where(eq(payments.payer, payer.address));
  const mismatch = 'invalid_exact_svm_payload_recipient_mismatch';
  await eventually(async () => {
    expect(await ofPayer()).toMatchObject([{ status: 'rejected', rejectReason: mismatch }]);
  }, 20_000);
  // A request that waits for that gets its reason. One that comes later brings a new proof, for terms that are ours no longer.
  const another = await payer.prove(withOld(next, idle), { microUsdc: USDC });
  for (const [late, body] of [
    [proof, order],
    [another, freshOrder()],
  ] as const) {
    const over = await present(next, late, body);
    expect([over.status, over.body['error']]).toEqual([402, 'invalid_payment_requirements']);
  }
  const [rejected, ...others] = await ofPayer();
  expect(others).toEqual([]);
  const ofRejected = eq(lines.paymentId, rejected?.id ?? '');
  expect(await read.select().from(lines).where(ofRejected)).toMatchObject([{ status: 'void' }]);
  expect(await read.$count(proofs, eq(proofs.payer, payer.address))).toBe(0);
  expect(await sendingsOf(next)).toEqual(before);
  expect(await held(payer.address)).toBe(3n * USDC);
  await untilSwept(next, idle.treasury);
  await suite.assertBooksAreTheChain(next);
  await assertDifferenceIsSeen(next, suite.service().treasury);
});

/** All that was ever signed, but for sweeps. */
async function sendingsOf({ store: { read, tables } }: SolanaService) {
  const { carriers, transfers } = tables;
  const signed = await read.$count(carriers, ne(carriers.kind, 'sweep'));
  return [signed, await read.$count(transfers, ne(transfers.purpose, 'sweep'))];
}

async function assertDifferenceIsSeen({ store, parts, assertSound }: SolanaService, address: string) {
  const account = tokenAccountOf(address, parts.profile);
  const untilCompared = () =>
    eventually(async () => {
      const compared = await compareWithChain({ ...parts, store } as unknown as SolanaWorker);
      expect(compared?.held.map((one) => one.address)).toContain(account);
    }, 20_000);
  await untilCompared();
  const wrong = openingBalance({ network, address, amount: 1n });
  await store.tx((db) => postEntry(db, store.tables, wrong, Date.now()));
  await expect(assertSound()).rejects.toThrow('ledger = chain');
  world().chain.chain.setAccount(toAddress(account), null);
  await untilCompared();
}

test('ended in the middle four times, with another treasury after each: one charge, one payout; a sweep that lands at one that was replaced meanwhile is swept on, and the operator decides about what it funded', async () => {
  const own = world().install();
  const [order, address] = [freshOrder(), await world().createRecipient()];
  const payer = await world().createPayer(5n * USDC);
  const treasuries: string[] = [];
  const startNext = async (point: Failpoint | null) => {
    const { failpoint, isOver } = dyingAt(point);
    const service = await track(own.start({ settlementWaitMs: 300, failpoint }));
    treasuries.push(service.treasury);
    const ended = async () => {
      await soon(service, async () => expect(isOver()).toBe(true));
      await close(service);
      own.rotate('treasury');
    };
    return { service, ended };
  };
  const first = await startNext('settle.after-store');
  const proof = await payer.prove(first.service, { microUsdc: USDC });
  await present(first.service, proof, order);
  await first.ended();
  for (const point of ['scan.before-apply', 'sweep.after-store'] as const) await (await startNext(point)).ended();
  const { service: fourth, ended } = await startNext('payout.after-store');
  await soon(fourth, async () => expect(await held(fourth.treasury)).toBe(USDC));
  await comeToRest(fourth);
  await link(fourth, network, order.receiver, address);
  const [payout] = await soon(fourth, async () => {
    const found = await payoutsTo(fourth, address);
    expect(found).toMatchObject([{ status: 'held', heldReason: 'former_address' }]);
    return found;
  });
  const [oldest = '', , old = ''] = treasuries;
  expect([await held(oldest), await held(old), await held(address)]).toEqual([0n, 0n, 0n]);
  const command = { name: 'release', arguments: [], who: 'a test' };
  await releaseByOperator(fourth.store, { payoutId: payout?.id ?? '' }, command, Date.now());
  await ended();
  const { service: last } = await startNext(null);
  await eventually(async () => expect((await present(last, proof, order)).status).toBe(200), 20_000);
  await soon(last, async () => expect(await held(address)).toBe(USDC));
  await comeToRest(last);
  expect(await held(payer.address)).toBe(4n * USDC);
  for (const one of treasuries) expect(await held(one)).toBe(0n);
  await payer.send(oldest, 123_457n);
  const { observedTransfers: seen } = last.store.tables;
  const isIt = eq(seen.amountMicroUsdc, 123_457n);
  await eventually(async () => expect(await last.store.read.$count(seen, isIt)).toBe(1), 20_000);
});
