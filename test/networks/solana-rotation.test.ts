/** Keys of the treasury and of the task address on Solana are replaced while money and promises still name the old ones. */
import { address as toAddress } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openingBalance } from '../../core/ledger.ts';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { releaseByOperator } from '../../db/operator/held.ts';
import { readSignatures } from '../../db/rotations/signatures.ts';
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
const { network, world, track, close, soon, comeToRest, untilNothingMoves } = suite;

/** The next service of an installation, whose treasury or task address is another one. */
async function rotate(
  installation: SolanaInstallation,
  before: SolanaService,
  which: 'treasury' | 'task' = 'treasury',
) {
  await close(before);
  installation.rotate(which);
  return track(installation.start());
}

const held = (address: string) => world().usdcBalance(address);

/** One that still has the terms of before. */
const withOld = (next: SolanaService, { treasury }: SolanaService): SolanaService => ({ ...next, treasury });

const payoutsOf = ({ store: { read, tables } }: SolanaService) =>
  read.select().from(tables.transfers).where(eq(tables.transfers.purpose, 'payout'));

async function untilSwept(next: SolanaService, former: string): Promise<void> {
  await soon(next, async () => expect(await held(former)).toBe(0n));
  await comeToRest(next);
}

describe('after the treasury was replaced', () => {
  test('the terms name the new one; a proof for the old one is taken, swept, and paid out by the new one; then it is retired', async () => {
    const installation = world().install();
    const first = await track(installation.start());
    const [payer, address] = [await world().createPayer(2n * USDC), await world().createRecipient()];
    const [order, another] = [freshOrder(), freshOrder()];
    const next = await rotate(installation, first);
    expect(next.treasury).not.toBe(first.treasury);
    const asked = await post(`${next.url}/payments/x/pay`, order);
    expect(new Set(asked.body.accepts.map((terms) => terms['payTo']))).toEqual(new Set([next.treasury]));

    const proof = await payer.prove(withOld(next, first), { microUsdc: USDC });
    expect((await present(next, proof, order)).status).toBe(200);
    await link(next, network, order.receiver, address);
    await soon(next, async () => expect(await held(address)).toBe(USDC));
    await comeToRest(next);
    expect([await held(first.treasury), await held(next.treasury)]).toEqual([0n, 0n]);
    expect(await payoutsOf(next)).toMatchObject([{ fromAddress: next.treasury, status: 'final' }]);

    const standing = async (nowMs: number) => (await readFormerStandings(next.store, nowMs))[0];
    expect(await standing(Date.now())).toMatchObject({ address: first.treasury, isRetired: false });
    expect(await standing(Date.now() + DAY_MS)).toMatchObject({ held: 0n, isRetired: true });
    // A day later nobody pays the old one any more.
    next.parts.formerTerms.note(first.treasury, Date.now() - DAY_MS);
    const late = await payer.prove(withOld(next, first), { microUsdc: USDC });
    expect((await present(next, late, another)).body['error']).toBe('invalid_payment_requirements');
    expect(await held(payer.address)).toBe(USDC);
  });

  test('a payout that the old one has signed ends once, with its own signature, and the rest is swept', async () => {
    const installation = world().install();
    const first = await track(installation.start());
    const [payer, address] = [await world().createPayer(3n * USDC), await world().createRecipient()];
    const [order, rest] = [freshOrder(), freshOrder(2)];
    for (const one of [order, rest]) await payAlready(first, payer, one);
    await comeToRest(first);
    await world().holdBlocks();
    await link(first, network, order.receiver, address);
    await eventually(async () => expect(await payoutsOf(first)).toMatchObject([{ status: 'broadcast' }]));
    const next = await rotate(installation, first);
    await world().releaseBlocks();
    await untilSwept(next, first.treasury);
    expect([await held(address), await held(next.treasury)]).toEqual([USDC, 2n * USDC]);
    expect(await payoutsOf(next)).toMatchObject([{ fromAddress: first.treasury, generation: 0, status: 'final' }]);
  });

  test('a payout that the old one has signed and that can never land is paid by the new one, under the same id', async () => {
    const installation = world().install();
    const first = await track(installation.start());
    const [payer, address] = [await world().createPayer(USDC), await world().createRecipient()];
    const order = freshOrder();
    await payAlready(first, payer, order);
    await comeToRest(first);
    const spoiled = await world().spoilBroadcasts('drop');
    await link(first, network, order.receiver, address);
    await eventually(async () => expect(await payoutsOf(first)).toMatchObject([{ status: 'broadcast' }]));
    const [before] = await payoutsOf(first);
    await close(first);
    await world().expireProofs();
    await world().finalize();
    await spoiled.heal();
    installation.rotate('treasury');
    const next = await track(installation.start());
    await soon(next, async () => expect(await held(address)).toBe(USDC));
    await comeToRest(next);
    const id = before?.id ?? '';
    expect(await payoutsOf(next)).toMatchObject([{ id, fromAddress: next.treasury, status: 'final' }]);
    expect([await held(address), await held(first.treasury), await held(next.treasury)]).toEqual([USDC, 0n, 0n]);
  });

  test('money that comes to the old one is seen, goes back to its sender from the new one, and is swept; twice replaced too', async () => {
    const installation = world().install();
    const first = await track(installation.start());
    const payer = await world().createPayer(2n * USDC);
    await payAlready(first, payer, freshOrder());
    await untilNothingMoves(first);
    const second = await rotate(installation, first);
    await untilSwept(second, first.treasury);
    const third = await rotate(installation, second);
    await untilSwept(third, second.treasury);
    expect(await held(third.treasury)).toBe(USDC);
    await payer.send(first.treasury, 123_457n);
    const { observedTransfers } = third.store.tables;
    const late = eq(observedTransfers.amountMicroUsdc, 123_457n);
    const seen = async () => (await third.store.read.select().from(observedTransfers).where(late))[0];
    await eventually(async () => expect(await seen()).toMatchObject({ consumedBy: null, landed: true }), 20_000);
    await suite.assertBooksAreTheChain(third);
    await scheduleRefund(third.store, (await seen())?.fact ?? '');
    await soon(third, async () => expect(await held(payer.address)).toBe(USDC));
    await untilSwept(third, first.treasury);
    expect(await held(third.treasury)).toBe(USDC);
  });

  test('who knows the old key can close its account, and the books are compared with the chain all the same', async () => {
    const installation = world().install();
    const next = await rotate(installation, await track(installation.start()));
    const compared = () => compareWithChain({ ...next.parts, store: next.store } as unknown as SolanaWorker);
    await eventually(async () => expect((await compared())?.held).toHaveLength(2), 20_000);
    world().chain.chain.setAccount(toAddress(next.parts.formers[0]?.account ?? ''), null);
    await eventually(async () => expect((await compared())?.held).toHaveLength(2), 20_000);
  });

  test('the old key signs sweeps only, and nobody is paid at its address', async () => {
    const installation = world().install();
    installation.rotate('treasury');
    const { parts } = await track(installation.start());
    const [former] = parts.formers;
    await expect(former?.key.sign('payout', new Uint8Array(64))).rejects.toThrow('signs no such thing');
    expect(parts.ownAddresses).toContain(former?.key.address);
    expect(former?.account).toBe(tokenAccountOf(former?.key.address ?? '', parts.profile));
  });
});

test.each([
  [['settle.after-store', 'payout.before-store']],
  [['payout.after-store']],
  [['scan.before-apply', 'payout.after-send']],
] as const)('in the middle, with another treasury after each: at %s: one charge, one payout', async (points) => {
  const installation = world().install();
  const [order, address] = [freshOrder(), await world().createRecipient()];
  const payer = await world().createPayer(5n * USDC);
  let proof: string | null = null;
  const treasuries: string[] = [];
  for (const point of points) {
    const { failpoint, isOver } = dyingAt(point);
    const dying = await track(installation.start({ settlementWaitMs: 300, failpoint }));
    treasuries.push(dying.treasury);
    if (proof === null) await link(dying, network, order.receiver, address);
    proof ??= await payer.prove(dying, { microUsdc: USDC });
    await present(dying, proof, order);
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

test('a sweep that lands where its treasury was replaced meanwhile is swept on, and the operator decides about what it funded', async () => {
  const installation = world().install();
  const first = await track(installation.start());
  const [order, address] = [freshOrder(), await world().createRecipient()];
  const payer = await world().createPayer(USDC);
  await payAlready(first, payer, order);
  await comeToRest(first);
  await close(first);
  installation.rotate('treasury');
  const { failpoint, isOver } = dyingAt('sweep.after-store');
  const second = await track(installation.start({ failpoint }));
  await soon(second, async () => expect(isOver()).toBe(true));
  const third = await rotate(installation, second);
  await link(third, network, order.receiver, address);
  await soon(third, async () => expect(await held(third.treasury)).toBe(USDC));
  const [payout] = await soon(third, async () => {
    const found = await payoutsOf(third);
    expect(found).toMatchObject([{ status: 'held', heldReason: 'former_address' }]);
    return found;
  });
  expect([await held(first.treasury), await held(second.treasury), await held(address)]).toEqual([0n, 0n, 0n]);
  const command = { name: 'release', arguments: [], who: 'a test' };
  await releaseByOperator(third.store, { payoutId: payout?.id ?? '' }, command, Date.now());
  await soon(third, async () => expect(await held(address)).toBe(USDC));
  await comeToRest(third);
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

test('books that say something else about a former address than the chain are noticed', async () => {
  const installation = world().install();
  const first = await track(installation.start());
  const next = await rotate(installation, first);
  // What made the account is final and read, so that nothing is on its way between chain and books.
  const signatures = () => readSignatures(next.store.read, next.store.tables, network);
  await eventually(async () => expect((await signatures()).get(first.treasury)).toMatch(/.{80}/), 20_000);
  await close(next);
  const idle = await installation.start({ runWorker: false });
  onTestFinished(idle.close);
  const { store, assertSound } = idle;
  const wrong = openingBalance({ network, address: first.treasury, amount: 1n });
  await store.tx((db) => postEntry(db, store.tables, wrong, Date.now()));
  await expect(assertSound()).rejects.toThrow('ledger = chain');
});

test('a task that was opened before its address was replaced is paid there, and swept', async () => {
  const installation = world().install();
  installation.keys.taskKey = randomSolanaKey();
  const first = await track(installation.start());
  const address = first.parts.task?.key.address ?? '';
  const cursor = async () => (await first.store.read.select().from(first.store.tables.scanCursors))[0];
  await eventually(async () => expect((await cursor())?.taskSignature).not.toBeNull(), 20_000);
  const headBlock = (await first.parts.apiNetwork.transfers?.head()) ?? 0;
  const { task, offers } = await mustOpen(first.store, {
    receiver: freshHandle(),
    networks: [{ network, address, headBlock }],
  });
  const next = await rotate(installation, first, 'task');
  expect(next.parts.task?.key.address).not.toBe(address);
  const payer = await world().createPayer(2n * USDC);
  const { amountMicroUsdc } = offerOn(offers, network);
  await payer.send(address, amountMicroUsdc);
  await eventually(async () => {
    expect((await findTask(next.store, task.id))?.payment).not.toBeNull();
  }, 20_000);
  await untilSwept(next, address);
  expect(await held(next.treasury)).toBe(amountMicroUsdc);
});

test('what someone else who knows the old key takes there is booked as lost, and what it funded waits for the operator', async () => {
  const installation = world().install();
  const first = await track(installation.start());
  const next = await rotate(installation, first);
  const [payer, address] = [await world().createPayer(2n * USDC), await world().createRecipient()];
  const order = freshOrder();
  const proof = await payer.prove(withOld(next, first), { microUsdc: USDC });
  expect((await present(next, proof, order)).status).toBe(200);
  // Before it is final, so before it is swept.
  const thief = world().knows(first.keys.treasuryKey);
  await thief.send(payer.address, USDC);
  await link(next, network, order.receiver, address);
  await eventually(async () => {
    expect(await payoutsOf(next)).toMatchObject([{ status: 'held', heldReason: 'former_address' }]);
  }, 20_000);
  expect([await held(address), await held(first.treasury), await held(next.treasury)]).toEqual([0n, 0n, 0n]);
  const [standing] = await readFormerStandings(next.store, Date.now());
  expect(standing).toMatchObject({ address: first.treasury, taken: USDC });
});
