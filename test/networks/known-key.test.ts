/** A treasury's key was replaced, and someone else knows the old one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { payoutNonce, sweepNonce } from '../../chain/evm/nonces.ts';
import { accounts } from '../../core/ledger.ts';
import { signedFact } from '../../core/observed.ts';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { createTreasurySigner } from '../../chain/signing/evm.ts';
import { readFormerStandings } from '../../db/rotations/standing.ts';
import { signingStops } from '../../db/store/stops.ts';
import { releaseByOperator } from '../../db/operator/held.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { openEvmKey } from '../../service/networks/own-keys.ts';
import { toCall } from '../../worker/evm/transfer-call.ts';
import { signCancellation } from '../support/chains/base-chain.ts';
import { dyingAt } from '../support/chains/dying.ts';
import { rotatingWords } from './cases/rotating.ts';
import type { EvmService } from './evm-world.ts';
import { createInstalledSuite } from './installed-suite.ts';
import type { Payer } from './network.ts';
import { freshOrder, link, payAlready, present, USDC, type Order } from './orders.ts';

const suite = createInstalledSuite('base');
const { network, world, track, close, comeToRest, untilNothingMoves } = suite;
const { held, withOld, payoutsTo, isUsed } = rotatingWords(suite);
const LONG_MS = 30_000;

const untilHeld = (address: string, amount: bigint) =>
  eventually(async () => expect(await held(address)).toBe(amount), LONG_MS);
const transfersOf = ({ store: { read, tables } }: EvmService, purpose: 'payout' | 'sweep') =>
  read.select().from(tables.transfers).where(eq(tables.transfers.purpose, purpose));
const paymentsOf = ({ store: { read, tables } }: EvmService) => read.select().from(tables.payments);
const balanceOf = async ({ store: { read, tables } }: EvmService, name: string) => {
  const [row] = await read.select().from(tables.accounts).where(eq(tables.accounts.name, name));
  return row?.balance ?? 0n;
};

/** What the books know of where the chain was when an address was replaced. */
async function headsOf({ store: { read, tables } }: EvmService) {
  const rows = await read.select().from(tables.stamps);
  return rows.map(({ name }) => name).filter((name) => /:former-(?:head|until):/.test(name));
}

/** What left the old address, as booked once it is final. */
async function leftOf({ store: { read, tables } }: EvmService, from: string) {
  const { observedTransfers: seen } = tables;
  const left = and(eq(seen.fromAddress, from), eq(seen.outgoing, true));
  return (await read.select().from(seen).where(left)).map(({ amountMicroUsdc, consumedBy }) => ({
    amountMicroUsdc,
    end: consumedBy?.split(':')[0] ?? null,
  }));
}

async function untilBooked(service: EvmService, from: string, ...left: readonly [amount: bigint, end: string][]) {
  await eventually(async () => {
    await world().finalize();
    const booked = await leftOf(service, from);
    for (const [amountMicroUsdc, end] of left) expect(booked).toContainEqual({ amountMicroUsdc, end });
  }, LONG_MS);
}

/** One rotation for all of these, after which money came and went at the old address in turn. */
describe('after a treasury was replaced that had been paid', () => {
  const orders = { plain: freshOrder(), cancelled: freshOrder(), spent: freshOrder(), paid: freshOrder() };
  const PAID = 9n * USDC;
  let first: EvmService;
  let next: EvmService;
  let payers: Record<keyof typeof orders, Payer>;
  let other: Payer;

  beforeAll(async () => {
    const installation = suite.installation();
    first = suite.service();
    const payer = () => world().createPayer(20n * USDC);
    payers = { plain: await payer(), cancelled: await payer(), spent: await payer(), paid: await payer() };
    const names = ['plain', 'cancelled', 'spent', 'paid'] as const;
    await Promise.all(names.map((name) => payAlready(first, payers[name], orders[name])));
    // What nobody collects covers what is lost.
    await payAlready(first, payers.plain, freshOrder(5));
    await comeToRest(first);
    await close(first);
    installation.rotate('treasury');
    // After each test the suite closes what it knows of.
    next = await installation.start();
    await untilHeld(next.treasury, PAID);
    await untilNothingMoves(next);
    other = world().knows(first.treasuryKey);
  });
  afterEach(() => suite.assertBooksAreTheChain(next));
  afterAll(() => next?.close());

  /** Held in the newest block, where a reorganisation could still take it back, until blocks are released. */
  async function payTheOld(order: Order, amount: bigint) {
    const proof = await payers.plain.prove(withOld(next, first), { microUsdc: amount });
    await world().holdBlocks();
    const presented = present(next, proof, order);
    await eventually(async () => {
      await world().stepBlock();
      expect(await held(first.treasury)).toBe(amount);
    }, LONG_MS);
    expect((await presented).status).toBe(200);
  }

  test('a payment to the old address is paid out only once it was swept, and that is final', async () => {
    const [late, address] = [freshOrder(), await world().createRecipient()];
    const proof = await payers.plain.prove(withOld(next, first), { microUsdc: USDC });
    await link(next, network, late.receiver, address);
    // The treasury has enough, of other people's.
    expect(await held(next.treasury)).toBe(PAID);
    expect((await present(next, proof, late)).status).toBe(200);
    await eventually(async () => {
      await world().finalize();
      expect(await held(address)).toBe(USDC);
    }, LONG_MS);
    // The chain has it before the scan does.
    await comeToRest(next);
    const [payout] = await payoutsTo(next, address);
    const sweeps = await transfersOf(next, 'sweep');
    const swept = Math.max(...sweeps.map(({ landedBlock }) => landedBlock ?? 0));
    expect(sweeps.map(({ amountMicroUsdc }) => amountMicroUsdc)).toEqual([PAID, USDC]);
    expect(payout).toMatchObject({ fromAddress: next.treasury });
    // Two blocks make one final here.
    expect(payout?.landedBlock).toBeGreaterThanOrEqual(swept + 2);
    expect(await held(first.treasury)).toBe(0n);
  });

  /** The id that the payout of an order has. */
  async function idOf(name: keyof typeof orders): Promise<string> {
    const { address } = payers[name];
    const payment = (await paymentsOf(next)).find(({ payer }) => payer === address);
    const fact = signedFact(network, address, payment?.nonce ?? '');
    return next.transferIdOf({ network, fact, line: 0 });
  }

  test('what leaves it stops nothing: what came from strangers is nobody’s, and what went to us is ours; the name of a payout that is used there by a cancellation or for something else lets it go over; by the very payment, the operator decides', async () => {
    const recipient = () => world().createRecipient();
    const addresses = { cancelled: await recipient(), spent: await recipient(), paid: await recipient() };
    const ids = { cancelled: await idOf('cancelled'), spent: await idOf('spent'), paid: await idOf('paid') };
    const takenOf = async () => (await readFormerStandings(next.store, Date.now()))[0]?.taken ?? 0n;
    const takenBefore = await takenOf();
    await world().chain.sendAsAdmin(await cancelling(first.treasuryKey, payoutNonce(ids.cancelled)));
    const take = async (id: string, to: string, value: bigint) => {
      await payers.plain.send(first.treasury, value);
      await world().chain.sendAsAdmin(await paying(first.treasuryKey, { id, to, value }));
    };
    await take(ids.spent, await recipient(), 3n);
    await take(ids.paid, addresses.paid, USDC);
    for (const [to, value] of [[await recipient(), 5n] as const, [next.treasury, 7n] as const]) {
      await payers.plain.send(first.treasury, value);
      await other.send(to, value);
    }
    await untilBooked(next, first.treasury, [3n, 'taken'], [USDC, 'taken'], [5n, 'taken'], [7n, 'moved']);
    expect(await signingStops(next.store)).toEqual([]);
    expect(await balanceOf(next, accounts.reorgLoss(network))).toBe(0n);
    await suite.assertBooksAreTheChain(next);
    expect(await takenOf()).toBeGreaterThan(takenBefore);

    for (const name of ['cancelled', 'spent', 'paid'] as const)
      await link(next, network, orders[name].receiver, addresses[name]);
    await eventually(async () => {
      await world().finalize();
      for (const name of ['cancelled', 'spent'] as const) {
        const payout = { id: ids[name], fromAddress: next.treasury, status: 'final' };
        expect(await payoutsTo(next, addresses[name])).toMatchObject([payout]);
      }
      const kept = { id: ids.paid, status: 'held', heldReason: 'paid_before' };
      expect(await payoutsTo(next, addresses.paid)).toMatchObject([kept]);
    }, LONG_MS);
    for (const address of Object.values(addresses)) expect(await held(address)).toBe(USDC);
  });

  test('what leaves it is a loss where it was booked; what that money was to pay is held until the operator lets it go', async () => {
    const late = freshOrder(2);
    const [thief, address] = [await world().createRecipient(), await world().createRecipient()];
    await payTheOld(late, 2n * USDC);
    const taking = other.send(thief, 2n * USDC);
    await eventually(async () => {
      await world().stepBlock();
      expect(await held(thief)).toBe(2n * USDC);
    }, LONG_MS);
    await taking;
    await world().releaseBlocks();
    await link(next, network, late.receiver, address);
    await untilBooked(next, first.treasury, [2n * USDC, 'taken']);
    await eventually(async () => {
      await world().finalize();
      expect(await payoutsTo(next, address)).toMatchObject([{ status: 'held', heldReason: 'former_address' }]);
    }, LONG_MS);
    expect([await held(address), await balanceOf(next, accounts.reorgLoss(network))]).toEqual([0n, 2n * USDC]);
    await suite.assertBooksAreTheChain(next);

    const [payout] = await payoutsTo(next, address);
    const command = { name: 'release', arguments: [], who: 'a test' };
    await releaseByOperator(next.store, { payoutId: payout?.id ?? '' }, command, Date.now());
    await untilHeld(address, 2n * USDC);
  });

  // The last of these: from then on the chain's clock is ahead of everybody's.
  test('a sweep whose name someone cancels is given up, and another one sweeps what is there', async () => {
    const known = (await transfersOf(next, 'sweep')).map(({ id }) => id);
    const sweeps = async () => (await transfersOf(next, 'sweep')).filter(({ id }) => !known.includes(id));
    await payTheOld(freshOrder(), USDC);
    const spoiled = await world().spoilBroadcasts('drop');
    await world().releaseBlocks();
    await eventually(async () => expect(await sweeps()).toMatchObject([{ status: 'broadcast' }]), LONG_MS);
    const [before] = await sweeps();
    await world().chain.sendAsAdmin(await cancelling(first.treasuryKey, sweepNonce(before?.id ?? '')));
    await spoiled.heal();
    await world().chain.advanceTime(3_700);
    await eventually(async () => {
      await world().finalize();
      expect(await held(first.treasury)).toBe(0n);
    }, LONG_MS);
    await comeToRest(next);
    expect((await sweeps()).map(({ id, status }) => [id === before?.id, status])).toEqual([
      [true, 'void'],
      [false, 'final'],
    ]);
    expect(await signingStops(next.store)).toEqual([]);
  });
});

test('a key that is compromised is replaced at once: no proof may name its address, and of a payment that was taken for it before the payer signs again; a payout that was stored and not sent lands once, with its signature', async () => {
  const [installation, now] = [world().install(), await chainsClock()];
  const { failpoint, isOver } = dyingAt('payout.after-store');
  const first = await track(installation.start({ failpoint, settlementWaitMs: 500, now }));
  const [payer, address] = [await world().createPayer(4n * USDC), await world().createRecipient()];
  const [order, stored] = [freshOrder(), freshOrder()];
  // What it holds by then is swept all the same. It hardly waits for a payment: the payer asks again with that proof.
  for (const one of [stored, freshOrder()]) {
    const early = await payer.prove(first, { microUsdc: USDC });
    await eventually(async () => expect((await present(first, early, one)).status).toBe(200));
  }
  await comeToRest(first);
  // What is stored would be sent from its row by the next round of the one that is dying.
  const spoiled = await world().spoilBroadcasts('drop');
  await link(first, network, stored.receiver, address);
  await eventually(async () => expect(isOver()).toBe(true), LONG_MS);
  const unfinished = async (service: EvmService) =>
    (await paymentsOf(service)).filter(({ status }) => status !== 'final');
  const proof = await payer.prove(first, { microUsdc: USDC });
  const waiting = present(first, proof, order).catch(() => null);
  await eventually(async () => expect(await unfinished(first)).toMatchObject([{ status: 'received' }]));
  await close(first);
  await waiting;
  await spoiled.heal();
  installation.keys.compromised = [first.treasury];
  await expect(installation.start()).rejects.toThrow(`${first.treasury}, which is still in use on base`);
  installation.rotate('treasury');
  const next = await track(installation.start({ now }));
  await eventually(async () =>
    expect(await unfinished(next)).toMatchObject([
      { status: 'rejected', rejectReason: 'invalid_exact_evm_payload_recipient_mismatch' },
    ]),
  );
  const late = await payer.prove(withOld(next, first), { microUsdc: USDC });
  const reply = await present(next, late, freshOrder());
  expect([reply.status, reply.body['error']]).toEqual([402, 'invalid_payment_requirements']);
  await payAlready(next, payer, order);
  await untilHeld(next.treasury, 2n * USDC);
  await comeToRest(next);
  expect([await held(first.treasury), await held(payer.address), await held(address)]).toEqual([0n, USDC, USDC]);
  const paid = { toAddress: address, fromAddress: first.treasury, status: 'final' };
  expect(await transfersOf(next, 'payout')).toMatchObject([paid]);
});

test('killed before a payout is assigned, and before one that is assigned is stored in a transaction, each lands once, whichever of the two pays it', async () => {
  const [installation, now] = [world().install(), await chainsClock()];
  const point = 'payout.before-store';
  const reached = new Set<string>();
  const failpoint = (name: string) => {
    if (name !== point && !reached.has(point)) return;
    reached.add(name);
    throw new Error(`killed at ${point}`);
  };
  const first = await track(installation.start({ failpoint, now }));
  const payer = await world().createPayer(2n * USDC);
  const [assigned, signed] = [await world().createRecipient(), await world().createRecipient()];
  const orders = { [assigned]: freshOrder(), [signed]: freshOrder() };
  for (const order of Object.values(orders)) await payAlready(first, payer, order);
  // Nothing is written down any more once the first has come to that point; the second is only signed then.
  for (const [address, end] of [[assigned, point] as const, [signed, 'payout.before-assign'] as const]) {
    await link(first, network, orders[address]?.receiver ?? '', address);
    await eventually(async () => expect(reached.has(end)).toBe(true), LONG_MS);
  }
  await close(first);
  installation.rotate('treasury');
  const next = await track(installation.start({ now }));
  await eventually(async () => {
    await world().finalize();
    expect(await transfersOf(next, 'payout')).toMatchObject([{ status: 'final' }, { status: 'final' }]);
  }, LONG_MS);
  await comeToRest(next);
  const left = [await held(first.treasury), await held(next.treasury)];
  expect([await held(assigned), await held(signed), ...left]).toEqual([USDC, USDC, 0n, 0n]);
  expect(await payoutsTo(next, assigned)).toMatchObject([{ fromAddress: first.treasury }]);
  expect(await payoutsTo(next, signed)).toMatchObject([{ fromAddress: next.treasury }]);
});

// The last one, which puts the chain's clock forward twice.
test('payouts that the old one has signed, of which one ran out unused and the other’s name was cancelled there, are paid by the new one under the same ids', async () => {
  const now = await chainsClock();
  const installation = world().install();
  const first = await track(installation.start({ now }));
  const payer = await world().createPayer(2n * USDC);
  const [unused, cancelled] = [await world().createRecipient(), await world().createRecipient()];
  const orders = { [unused]: freshOrder(), [cancelled]: freshOrder() };
  for (const order of Object.values(orders)) await payAlready(first, payer, order);
  await untilNothingMoves(first);
  const spoiled = await world().spoilBroadcasts('drop');
  for (const [to, order] of Object.entries(orders)) await link(first, network, order.receiver, to);
  const idOf = async (to: string) =>
    eventually(async () => {
      const found = await payoutsTo(first, to);
      expect(found).toMatchObject([{ status: 'broadcast' }]);
      return found[0]?.id ?? '';
    });
  const ids = { unused: await idOf(unused), cancelled: await idOf(cancelled) };
  await close(first);
  await world().chain.sendAsAdmin(await cancelling(first.treasuryKey, payoutNonce(ids.cancelled)));
  await spoiled.heal();
  await world().chain.advanceTime(3_700);
  installation.rotate('treasury');
  const next = await track(installation.start({ now }));
  const heads = ['head', 'until'].map((what) => `${network}:former-${what}:${first.treasury}`);
  expect((await headsOf(next)).toSorted()).toEqual(heads);
  // As far behind as these books were, they could be a backup: what the old one may have signed since runs out first.
  await world().finalize();
  await sleep(1_000);
  expect([await held(unused), await held(cancelled)]).toEqual([0n, 0n]);
  await world().chain.advanceTime(3_700);
  await eventually(async () => {
    await world().finalize();
    expect([await held(unused), await held(cancelled)]).toEqual([USDC, USDC]);
  }, 60_000);
  await comeToRest(next);
  const paid = { fromAddress: next.treasury, status: 'final' };
  expect(await payoutsTo(next, unused)).toMatchObject([{ id: ids.unused, ...paid }]);
  expect(await payoutsTo(next, cancelled)).toMatchObject([{ id: ids.cancelled, ...paid }]);
  const used = [await isUsed(next, first.treasury, ids.unused), await isUsed(next, next.treasury, ids.unused)];
  expect(used).toEqual([false, true]);
  expect([await held(first.treasury), await held(next.treasury)]).toEqual([0n, 0n]);
  expect(await signingStops(next.store)).toEqual([]);
});

/** Where a case has let time pass, the chain's clock is ahead of ours. */
async function chainsClock(): Promise<() => number> {
  const aheadMs = Number(await world().chain.latestTimestamp()) * 1_000 - Date.now();
  return () => Date.now() + Math.max(0, aheadMs);
}

/** The token takes a nonce once: a cancellation uses it without a transfer. */
async function cancelling(key: Hex, nonce: Hex): Promise<Hex> {
  const account = privateKeyToAccount(key);
  const signature = await signCancellation(account, { authorizer: account.address, nonce });
  const abi = parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']);
  return encodeFunctionData({ abi, functionName: 'cancelAuthorization', args: [account.address, nonce, signature] });
}

/** A transfer that bears the name of a payout. */
async function paying(key: Hex, { id, to, value }: { id: string; to: string; value: bigint }): Promise<Hex> {
  const signer = createTreasurySigner(openEvmKey(key), evmProfile(network as 'base', 'local'));
  const validBefore = Math.floor(Date.now() / 1_000) + 3_600;
  const order = { payoutId: id, to: to as Hex, value, validAfter: 0, validBefore };
  const { authorization, signature } = await signer.signPayout(order);
  const fromAddress = signer.address;
  return toCall({
    id,
    fromAddress,
    toAddress: to,
    amountMicroUsdc: value,
    nonce: authorization.nonce,
    validBefore,
    signature,
  });
}
