/** Keys of the treasury and of the task address on Solana are replaced while money and promises still name the old ones. */
import { address as toAddress } from '@solana/kit';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openingBalance } from '../../core/ledger.ts';
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

const suite = createSuite<SolanaService, SolanaWorld>('solana', () => openSolana(SLOT_MS));
const { network, world, track, close, soon, comeToRest } = suite;

/** The next service of an installation, whose treasury is another one. */
async function rotate(installation: SolanaInstallation, before: SolanaService) {
  await close(before);
  installation.rotate('treasury');
  return track(installation.start());
}

const held = (address: string) => world().usdcBalance(address);

/** One that still has the terms of before. */
const withOld = (next: SolanaService, { treasury }: SolanaService): SolanaService => ({ ...next, treasury });

const payoutsTo = ({ store: { read, tables } }: SolanaService, address: string) =>
  read
    .select()
    .from(tables.transfers)
    .where(and(eq(tables.transfers.purpose, 'payout'), eq(tables.transfers.toAddress, address)));

async function untilSwept(next: SolanaService, former: string): Promise<void> {
  await soon(next, async () => expect(await held(former)).toBe(0n));
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
    const installation = world().install();
    installation.keys.taskKey = randomSolanaKey();
    first = await track(installation.start());
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
    await link(first, network, landed.receiver, recipients.landed);
    await untilBroadcast(recipients.landed);
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

  test('a payout that the old one has signed ends once, with its own signature; one that can never land is paid by the new one, under the same id', async () => {
    await soon(next, async () => expect(await held(recipients.lost)).toBe(USDC));
    await untilSwept(next, first.treasury);
    expect([await held(recipients.landed), await held(recipients.lost), await held(next.treasury)]).toEqual([
      USDC,
      USDC,
      2n * USDC,
    ]);
    const landed = { fromAddress: first.treasury, generation: 0, status: 'final' };
    expect(await payoutsTo(next, recipients.landed)).toMatchObject([landed]);
    const paid = { id: lostId, fromAddress: next.treasury, status: 'final' };
    expect(await payoutsTo(next, recipients.lost)).toMatchObject([paid]);
  });

  test('the terms name the new one; a proof for the old one is taken, swept, and paid out by the new one; then it is retired', async () => {
    const [payer, address] = [await world().createPayer(USDC), await world().createRecipient()];
    const [order, before] = [freshOrder(), await held(next.treasury)];
    expect(next.treasury).not.toBe(first.treasury);
    const asked = await post(`${next.url}/payments/x/pay`, order);
    expect(new Set(asked.body.accepts.map((terms) => terms['payTo']))).toEqual(new Set([next.treasury]));

    const proof = await payer.prove(withOld(next, first), { microUsdc: USDC });
    expect((await present(next, proof, order)).status).toBe(200);
    await link(next, network, order.receiver, address);
    await soon(next, async () => expect(await held(address)).toBe(USDC));
    await comeToRest(next);
    expect([await held(first.treasury), await held(next.treasury)]).toEqual([0n, before]);
    expect(await payoutsTo(next, address)).toMatchObject([{ fromAddress: next.treasury, status: 'final' }]);

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

  test('a task that was opened before is paid at the old address, and swept', async () => {
    expect(next.parts.task?.key.address).not.toBe(task.address);
    const [payer, before] = [await world().createPayer(2n * USDC), await held(next.treasury)];
    const { amountMicroUsdc } = offerOn(task.offers, network);
    await payer.send(task.address, amountMicroUsdc);
    await soon(next, async () => expect((await findTask(next.store, task.task.id))?.payment).not.toBeNull());
    await untilSwept(next, task.address);
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

test('books that say something else about a former address than the chain are noticed; who knows its key can close its account, and they are compared all the same', async () => {
  const installation = world().install();
  const first = await track(installation.start());
  // Only what has a history at an address is compared there.
  await payAlready(first, await world().createPayer(USDC), freshOrder());
  await comeToRest(first);
  const next = await rotate(installation, first);
  await untilSwept(next, first.treasury);
  await close(next);
  const idle = await installation.start({ runWorker: false });
  onTestFinished(idle.close);
  const { store, parts, assertSound } = idle;
  const compared = () => compareWithChain({ ...parts, store } as unknown as SolanaWorker);
  await eventually(async () => expect((await compared())?.held).toHaveLength(2), 20_000);
  const wrong = openingBalance({ network, address: first.treasury, amount: 1n });
  await store.tx((db) => postEntry(db, store.tables, wrong, Date.now()));
  await expect(assertSound()).rejects.toThrow('ledger = chain');
  world().chain.chain.setAccount(toAddress(parts.formers[0]?.account ?? ''), null);
  await eventually(async () => expect((await compared())?.held).toHaveLength(2), 20_000);
});

test('ended in the middle three times, with another treasury after each: one charge, one payout', async () => {
  const installation = world().install();
  const [order, address] = [freshOrder(), await world().createRecipient()];
  const payer = await world().createPayer(5n * USDC);
  let proof: string | null = null;
  const treasuries: string[] = [];
  for (const point of ['settle.after-store', 'scan.before-apply', 'payout.after-store'] as const) {
    const { failpoint, isOver } = dyingAt(point);
    const dying = await track(installation.start({ settlementWaitMs: 300, failpoint }));
    treasuries.push(dying.treasury);
    proof ??= await payer.prove(dying, { microUsdc: USDC });
    await present(dying, proof, order);
    if (point === 'payout.after-store') {
      await untilSwept(dying, treasuries[0] ?? '');
      await link(dying, network, order.receiver, address);
    }
    await soon(dying, async () => expect(isOver()).toBe(true));
    await close(dying);
    installation.rotate('treasury');
  }
  const next = await track(installation.start());
  await eventually(async () => expect((await present(next, proof ?? '', order)).status).toBe(200), 20_000);
  await soon(next, async () => expect(await held(address)).toBe(USDC));
  await comeToRest(next);
  expect(await held(payer.address)).toBe(4n * USDC);
  for (const one of [...treasuries, next.treasury]) expect(await held(one)).toBe(0n);
});

test('twice replaced: a sweep that lands at the second is swept on, and the operator decides about what it funded; what comes to the first goes back from the third', async () => {
  const installation = world().install();
  const first = await track(installation.start());
  const [order, address] = [freshOrder(), await world().createRecipient()];
  const payer = await world().createPayer(2n * USDC);
  await payAlready(first, payer, order);
  await comeToRest(first);
  await close(first);
  installation.rotate('treasury');
  const { failpoint, isOver } = dyingAt('sweep.after-store');
  const second = await track(installation.start({ failpoint }));
  await soon(second, async () => expect(isOver()).toBe(true));
  const third = await rotate(installation, second);
  await soon(third, async () => expect(await held(third.treasury)).toBe(USDC));
  await comeToRest(third);
  await link(third, network, order.receiver, address);
  const [payout] = await soon(third, async () => {
    const found = await payoutsTo(third, address);
    expect(found).toMatchObject([{ status: 'held', heldReason: 'former_address' }]);
    return found;
  });
  expect([await held(first.treasury), await held(second.treasury), await held(address)]).toEqual([0n, 0n, 0n]);
  const command = { name: 'release', arguments: [], who: 'a test' };
  await releaseByOperator(third.store, { payoutId: payout?.id ?? '' }, command, Date.now());
  await soon(third, async () => expect(await held(address)).toBe(USDC));
  await comeToRest(third);

  await payer.send(first.treasury, 123_457n);
  const { observedTransfers } = third.store.tables;
  const late = eq(observedTransfers.amountMicroUsdc, 123_457n);
  const seen = async () => (await third.store.read.select().from(observedTransfers).where(late))[0];
  await eventually(async () => expect(await seen()).toMatchObject({ consumedBy: null, landed: true }), 20_000);
  await suite.assertBooksAreTheChain(third);
  await scheduleRefund(third.store, (await seen())?.fact ?? '');
  await soon(third, async () => expect(await held(payer.address)).toBe(USDC));
  await untilSwept(third, first.treasury);
  expect(await held(third.treasury)).toBe(0n);
});

test('where others know the old key, no proof may name it, and one that was taken and never sent is refused', async () => {
  const installation = world().install();
  const idle = await track(installation.start({ settlementWaitMs: 300, runWorker: false }));
  const payer = await world().createPayer(3n * USDC);
  const order = freshOrder();
  const proof = await payer.prove(idle, { microUsdc: USDC });
  expect((await present(idle, proof, order)).status).toBe(500);
  installation.keys.compromised = [idle.treasury];
  const next = await rotate(installation, idle);
  const { read, tables } = next.store;
  const mismatch = 'invalid_exact_svm_payload_recipient_mismatch';
  await eventually(async () => {
    expect(await read.select().from(tables.payments)).toMatchObject([{ status: 'rejected', rejectReason: mismatch }]);
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
  for (const table of [tables.proofs, tables.carriers, tables.transfers]) expect(await read.$count(table)).toBe(0);
  expect(await read.select().from(tables.payments)).toHaveLength(1);
  expect(await read.select().from(tables.lines)).toMatchObject([{ status: 'void' }]);
  expect(await held(payer.address)).toBe(3n * USDC);
});
