/** Keys of the treasury and of the task address are replaced while money and promises still name the old ones. */
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openingBalance } from '../../core/ledger.ts';
import { postEntry } from '../../db/ledger/ledger.ts';
import { scheduleRefund } from '../../db/refunds/return-transfer.ts';
import { releaseHeld } from '../../db/transfers/held.ts';
import { findTask } from '../../db/tasks/find.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { mustOpen, offerOn } from '../support/tasks/tasks.ts';
import { rotatingWords } from './cases/rotating.ts';
import type { EvmService } from './evm-world.ts';
import { createInstalledSuite } from './installed-suite.ts';
import type { Payer } from './network.ts';
import { freshHandle, freshOrder, link, payAlready, USDC } from './orders.ts';

const suite = createInstalledSuite('base');
const { network, world, track, close, soon, comeToRest } = suite;
const { rotate, held, payoutsTo } = rotatingWords(suite);

describe('a start is refused', () => {
  test('without the old key, with other ids, with a key that never was ours, and beside a process with the old one; the old key signs sweeps only, and books that say something else about it than the chain are noticed', async () => {
    const installation = world().install();
    const { keys } = installation;
    // Nothing moves: the last one alone reads the chain.
    const first = await track(installation.start({ runWorker: false }));
    installation.rotate('treasury');
    await expect(installation.start()).rejects.toThrow('still runs with the old TREASURY_KEY');
    await close(first);
    const formers = keys.formerTreasuryKeys ?? [];
    keys.formerTreasuryKeys = [];
    // Without the old one ids would be others, which is said first.
    await expect(installation.start()).rejects.toThrow('first in FORMER_TREASURY_KEYS');
    keys.formerTreasuryKeys = formers;
    const next = await track(installation.start({ runWorker: false }));
    await assertOldKeySweepsOnly(next);
    await close(next);
    installation.rotate('treasury');
    keys.formerTreasuryKeys = formers;
    await expect(installation.start()).rejects.toThrow(`base:treasury ${next.treasury}, whose key is not here`);
    const [third, stranger] = [world().install().keys.treasuryKey, world().install().keys.treasuryKey];
    keys.treasuryKey = privateKeyOf(next);
    keys.formerTreasuryKeys = [...formers, stranger];
    await expect(installation.start()).rejects.toThrow('was never in TREASURY_KEY');
    keys.formerTreasuryKeys = [...formers, privateKeyOf(next)];
    keys.treasuryKey = third;
    const last = await track(installation.start());
    expect(last.parts.formers.map(({ address }) => address)).toEqual([first.treasury, next.treasury]);
    await assertDifferenceIsSeen(last, first.treasury);
    await close(last);
    keys.formerTreasuryKeys = formers;
    await expect(installation.start()).rejects.toThrow('it is never deleted');
  });
});

async function assertOldKeySweepsOnly({ parts }: EvmService) {
  const [former] = parts.formers;
  expect(Object.keys(former ?? {}).sort()).toEqual(['address', 'signSweep']);
  const swept = await former?.signSweep({ sweepId: 'a1', value: 1n, validBefore: 3_600 });
  expect(swept?.authorization).toMatchObject({ from: former?.address, to: parts.treasury.address });
  // Nobody is ever paid at its address.
  const order = { payoutId: 'a1', to: former?.address ?? '0x', value: 1n, validAfter: 0, validBefore: 3_600 };
  await expect(parts.treasury.signPayout(order)).rejects.toThrow('may not go');
}

async function assertDifferenceIsSeen({ store, assertSound }: EvmService, address: string) {
  await assertSound();
  const wrong = openingBalance({ network, address, amount: 1n });
  await store.tx((db) => postEntry(db, store.tables, wrong, Date.now()));
  await expect(assertSound()).rejects.toThrow('ledger = chain');
}

/** A payout that is signed and never sent: whom it pays is barred meanwhile. */
async function heldPayout(service: EvmService, payer: Payer, reason: string) {
  const [order, address] = [freshOrder(), await world().createRecipient()];
  await payAlready(service, payer, order);
  await comeToRest(service);
  await world().bar(address);
  await link(service, network, order.receiver, address);
  await eventually(async () => {
    expect(await payoutsTo(service, address)).toMatchObject([{ status: 'held', heldReason: reason }]);
  });
  await world().unbar(address);
  return { address, id: (await payoutsTo(service, address))[0]?.id ?? '' };
}

// The last one: afterwards the chain's clock is ahead of everybody's.
test('of what comes to the old addresses, a task that was opened before is paid, all else goes back to its sender from the new one, and all is swept; a payout that the old one has signed and never sent waits until nobody can send it any more', async () => {
  const [installation, first] = [suite.installation(), suite.service()];
  const address = first.parts.task?.address ?? '';
  const headBlock = (await first.parts.apiNetwork.transfers?.head()) ?? 0;
  const { task, offers } = await mustOpen(first.store, {
    receiver: freshHandle(),
    networks: [{ network, address, headBlock }],
  });
  const payer = await world().createPayer(5n * USDC);
  await payAlready(first, payer, freshOrder());
  const reason = 'recipient_blacklisted';
  const signed = await heldPayout(first, payer, reason);
  installation.rotate('task');
  const next = await rotate(installation, first);
  await releaseHeld(next.store, signed.id, reason, Date.now());
  expect(next.parts.apiNetwork.transfers?.address).not.toBe(address);
  await soon(next, async () => expect(await held(next.treasury)).toBe(2n * USDC));
  const { amountMicroUsdc } = offerOn(offers, network);
  await payer.send(address, amountMicroUsdc);
  await payer.send(first.treasury, 123_457n);
  const { observedTransfers } = next.store.tables;
  const late = eq(observedTransfers.amountMicroUsdc, 123_457n);
  const seen = async () => (await next.store.read.select().from(observedTransfers).where(late))[0];
  await eventually(async () => expect(await seen()).toMatchObject({ consumedBy: null, landed: true }), 20_000);
  await suite.assertBooksAreTheChain(next);
  await scheduleRefund(next.store, (await seen())?.fact ?? '');
  await soon(next, async () => {
    expect((await findTask(next.store, task.id))?.payment).not.toBeNull();
    expect(await held(payer.address)).toBe(3n * USDC - amountMicroUsdc);
    expect(await held(address)).toBe(0n);
  });
  // The next one has swept and paid since.
  expect(await payoutsTo(next, signed.address)).toMatchObject([{ fromAddress: first.treasury, status: 'queued' }]);
  await world().chain.advanceTime(3_700);
  await eventually(async () => {
    await world().finalize();
    expect(await held(signed.address)).toBe(USDC);
  }, 20_000);
  await comeToRest(next);
  expect(await payoutsTo(next, signed.address)).toMatchObject([{ fromAddress: next.treasury, status: 'final' }]);
  const left = [await held(address), await held(first.treasury), await held(next.treasury)];
  expect(left).toEqual([0n, 0n, USDC + amountMicroUsdc]);
});

const privateKeyOf = ({ treasuryKey }: EvmService) => treasuryKey;
