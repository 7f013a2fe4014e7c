/** A treasury's key was replaced, and someone else knows the old one. */
import { and, eq } from 'drizzle-orm';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
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
import { openEvm, type EvmService, type EvmWorld } from './evm-world.ts';
import { freshOrder, link, payAlready, present, USDC, type Order } from './orders.ts';
import { createSuite } from './suite.ts';

const suite = createSuite<EvmService, EvmWorld>('base', () => openEvm('base'));
const { network, world, track, close, comeToRest, untilNothingMoves } = suite;
const LONG_MS = 30_000;

/** A treasury that was paid once, and replaced afterwards; anyone who knows the old key. */
async function replaced(order: Order, { isCompromised = false } = {}) {
  const installation = world().install();
  const first = await track(installation.start());
  const payer = await world().createPayer(5n * USDC);
  await payAlready(first, payer, order);
  await comeToRest(first);
  const proof = await payer.prove(first, { microUsdc: USDC });
  await close(first);
  installation.rotate('treasury');
  if (isCompromised) installation.keys.compromised = [first.treasury];
  const next = await track(installation.start());
  await eventually(async () => expect(await held(next.treasury)).toBe(USDC), LONG_MS);
  await untilNothingMoves(next);
  return { installation, first, next, payer, proof, other: world().knows(first.treasuryKey) };
}

const held = (address: string) => world().usdcBalance(address);
const transfersOf = ({ store: { read, tables } }: EvmService, purpose: 'payout' | 'sweep') =>
  read.select().from(tables.transfers).where(eq(tables.transfers.purpose, purpose));
const paymentsOf = ({ store: { read, tables } }: EvmService) => read.select().from(tables.payments);
const balanceOf = async ({ store: { read, tables } }: EvmService, name: string) => {
  const [row] = await read.select().from(tables.accounts).where(eq(tables.accounts.name, name));
  return row?.balance ?? 0n;
};

/** The former addresses of which the books know where the chain was when they were replaced. */
async function headsOf({ store: { read, tables } }: EvmService) {
  const rows = await read.select().from(tables.stamps);
  return rows.map(({ name }) => name).filter((name) => name.includes(':former-head:'));
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

async function untilBooked(service: EvmService, from: string, amountMicroUsdc: bigint, end: string) {
  await eventually(async () => {
    await world().finalize();
    expect(await leftOf(service, from)).toContainEqual({ amountMicroUsdc, end });
  }, LONG_MS);
}

describe('what leaves a former address and is not explained', () => {
  test('stops nothing; what came from strangers is nobody’s, and what went to us is ours', async () => {
    const order = freshOrder();
    const { first, next, payer, other } = await replaced(order);
    const thief = await world().createRecipient();
    await payer.send(first.treasury, 5n);
    await other.send(thief, 5n);
    await payer.send(first.treasury, 7n);
    await other.send(next.treasury, 7n);
    await untilBooked(next, first.treasury, 5n, 'taken');
    expect(await signingStops(next.store)).toEqual([]);
    expect(await balanceOf(next, accounts.reorgLoss(network))).toBe(0n);
    await suite.assertBooksAreTheChain(next);
    const [standing] = await readFormerStandings(next.store, Date.now());
    expect(standing?.taken).toBeGreaterThan(0n);
    // Payouts go on.
    const address = await world().createRecipient();
    await link(next, network, order.receiver, address);
    await eventually(async () => expect(await held(address)).toBe(USDC), LONG_MS);
  });

  test('is a loss where it was booked; what that money was to pay is held until the operator lets it go', async () => {
    const [order, late] = [freshOrder(), freshOrder()];
    const { first, next, proof, other } = await replaced(order);
    const [thief, address] = [await world().createRecipient(), await world().createRecipient()];
    await world().holdBlocks();
    const presented = present(next, proof, late);
    await eventually(async () => {
      await world().stepBlock();
      expect(await held(first.treasury)).toBe(USDC);
    }, LONG_MS);
    expect((await presented).status).toBe(200);
    const taking = other.send(thief, USDC);
    await eventually(async () => {
      await world().stepBlock();
      expect(await held(thief)).toBe(USDC);
    }, LONG_MS);
    await taking;
    await world().releaseBlocks();
    await link(next, network, late.receiver, address);
    await untilBooked(next, first.treasury, USDC, 'taken');
    await eventually(async () => {
      await world().finalize();
      expect(await transfersOf(next, 'payout')).toMatchObject([{ status: 'held', heldReason: 'former_address' }]);
    }, LONG_MS);
    expect([await held(address), await balanceOf(next, accounts.reorgLoss(network))]).toEqual([0n, USDC]);
    await suite.assertBooksAreTheChain(next);

    const [payout] = await transfersOf(next, 'payout');
    const command = { name: 'release', arguments: [], who: 'a test' };
    await releaseByOperator(next.store, { payoutId: payout?.id ?? '' }, command, Date.now());
    await eventually(async () => expect(await held(address)).toBe(USDC), LONG_MS);
  });
});

test('a payment to the old address is paid out only once it was swept, and that is final', async () => {
  const [order, late] = [freshOrder(), freshOrder()];
  const { first, next, proof } = await replaced(order);
  const address = await world().createRecipient();
  await link(next, network, late.receiver, address);
  // The treasury has enough, of other people's.
  expect(await held(next.treasury)).toBe(USDC);
  expect((await present(next, proof, late)).status).toBe(200);
  await eventually(async () => {
    await world().finalize();
    expect(await held(address)).toBe(USDC);
  }, LONG_MS);
  // The chain has it before the scan does.
  await comeToRest(next);
  const [payout] = await transfersOf(next, 'payout');
  const sweeps = await transfersOf(next, 'sweep');
  const swept = Math.max(...sweeps.map(({ landedBlock }) => landedBlock ?? 0));
  expect(sweeps.map(({ amountMicroUsdc }) => amountMicroUsdc)).toEqual([USDC, USDC]);
  expect(payout).toMatchObject({ fromAddress: next.treasury });
  // Two blocks make one final here.
  expect(payout?.landedBlock).toBeGreaterThanOrEqual(swept + 2);
  expect(await held(first.treasury)).toBe(0n);
});

test('a key that is compromised is replaced at once: no proof may name its address', async () => {
  const { next, proof } = await replaced(freshOrder(), { isCompromised: true });
  const reply = await present(next, proof, freshOrder());
  expect([reply.status, reply.body['error']]).toEqual([402, 'invalid_payment_requirements']);
});

test('a payment that was taken for it before others knew its key is not settled to it: the payer signs again', async () => {
  const installation = world().install();
  const state = { isDown: false };
  const failpoint = (point: string) => {
    state.isDown ||= point === 'settle.before-store';
    if (state.isDown) throw new Error('killed before anything was sent');
  };
  const first = await track(installation.start({ failpoint, settlementWaitMs: 500 }));
  const [payer, order] = [await world().createPayer(USDC), freshOrder()];
  const proof = await payer.prove(first, { microUsdc: USDC });
  const waiting = present(first, proof, order).catch(() => null);
  await eventually(async () =>
    expect([state.isDown, await paymentsOf(first)]).toMatchObject([true, [{ status: 'received' }]]),
  );
  await close(first);
  await waiting;
  installation.rotate('treasury');
  installation.keys.compromised = [first.treasury];
  const next = await track(installation.start());
  await eventually(async () =>
    expect(await paymentsOf(next)).toMatchObject([
      { status: 'rejected', rejectReason: 'invalid_exact_evm_payload_recipient_mismatch' },
    ]),
  );
  await payAlready(next, payer, order);
  await comeToRest(next);
  expect([await held(first.treasury), await held(next.treasury), await held(payer.address)]).toEqual([0n, USDC, 0n]);
});

test('an address that is still in use cannot be named as compromised', async () => {
  const installation = world().install();
  const first = await track(installation.start());
  await close(first);
  installation.keys.compromised = [first.treasury];
  await expect(installation.start()).rejects.toThrow(`${first.treasury}, which is still in use on base`);
});

describe('the name of a payout, used at the old address', () => {
  /** The id that the payout of the first order has. */
  async function named(order: Order) {
    const begun = await replaced(order);
    const [payment] = await begun.next.store.read.select().from(begun.next.store.tables.payments);
    const fact = signedFact(network, begun.payer.address, payment?.nonce ?? '');
    return { ...begun, id: begun.next.transferIdOf({ network, fact, line: 0 }) };
  }

  test('by a cancellation lets it go over: nothing can ever land there', async () => {
    const order = freshOrder();
    const { first, next, id } = await named(order);
    await world().chain.sendAsAdmin(await cancelling(first.treasuryKey, payoutNonce(id)));
    await world().finalize();
    await assertPaidBy(next, order, id);
  });

  test('by a transfer of something else lets it go over', async () => {
    const order = freshOrder();
    const { first, next, payer, id } = await named(order);
    const thief = await world().createRecipient();
    await payer.send(first.treasury, 3n);
    await world().chain.sendAsAdmin(await paying(first.treasuryKey, { id, to: thief, value: 3n }));
    await untilBooked(next, first.treasury, 3n, 'taken');
    await assertPaidBy(next, order, id);
  });

  test('by the very payment keeps it back: the operator decides', async () => {
    const order = freshOrder();
    const { first, next, payer, id } = await named(order);
    const address = await world().createRecipient();
    await payer.send(first.treasury, USDC);
    await world().chain.sendAsAdmin(await paying(first.treasuryKey, { id, to: address, value: USDC }));
    await untilBooked(next, first.treasury, USDC, 'taken');
    await link(next, network, order.receiver, address);
    await eventually(async () => {
      await world().finalize();
      expect(await transfersOf(next, 'payout')).toMatchObject([{ id, status: 'held', heldReason: 'paid_before' }]);
    }, LONG_MS);
    expect(await held(address)).toBe(USDC);
  });

  async function assertPaidBy(next: EvmService, order: Order, id: string) {
    const address = await world().createRecipient();
    await link(next, network, order.receiver, address);
    await eventually(async () => {
      await world().finalize();
      expect(await transfersOf(next, 'payout')).toMatchObject([{ id, fromAddress: next.treasury, status: 'final' }]);
    }, LONG_MS);
    expect(await held(address)).toBe(USDC);
  }
});

/** A kill beside the rotation: the old process gets no further than this point. */
test.each(['payout.before-assign', 'payout.before-store', 'payout.after-store'] as const)(
  'killed at %s, a payout lands once, whichever of the two pays it',
  async (point) => {
    const installation = world().install();
    const state = { isDown: false };
    const first = await track(
      installation.start({
        failpoint: (name) => {
          state.isDown ||= name === point;
          if (state.isDown) throw new Error(`killed at ${point}`);
        },
      }),
    );
    const [payer, address] = [await world().createPayer(2n * USDC), await world().createRecipient()];
    const order = freshOrder();
    await payAlready(first, payer, order);
    await link(first, network, order.receiver, address);
    await eventually(async () => expect(state.isDown).toBe(true), LONG_MS);
    await close(first);
    installation.rotate('treasury');
    const next = await track(installation.start());
    await eventually(async () => {
      await world().finalize();
      expect(await transfersOf(next, 'payout')).toMatchObject([{ status: 'final' }]);
    }, LONG_MS);
    await comeToRest(next);
    expect([await held(address), await held(first.treasury), await held(next.treasury)]).toEqual([USDC, 0n, 0n]);
    const [payout] = await transfersOf(next, 'payout');
    const wasSigned = point !== 'payout.before-assign';
    expect(payout?.fromAddress).toBe(wasSigned ? first.treasury : next.treasury);
  },
);

// The last ones: afterwards the chain's clock is ahead of everybody's.
test('a payout that the old one has signed, and whose name someone cancels there, is paid by the new one', async () => {
  const now = await chainsClock();
  const installation = world().install();
  const first = await track(installation.start({ now }));
  const [payer, address] = [await world().createPayer(USDC), await world().createRecipient()];
  const order = freshOrder();
  await payAlready(first, payer, order);
  await untilNothingMoves(first);
  const spoiled = await world().spoilBroadcasts('drop');
  await link(first, network, order.receiver, address);
  await eventually(async () => expect(await transfersOf(first, 'payout')).toMatchObject([{ status: 'broadcast' }]));
  const [before] = await transfersOf(first, 'payout');
  await close(first);
  await world().chain.sendAsAdmin(await cancelling(first.treasuryKey, payoutNonce(before?.id ?? '')));
  await spoiled.heal();
  await world().chain.advanceTime(3_700);
  installation.rotate('treasury');
  const next = await track(installation.start({ now }));
  expect(await headsOf(next)).toEqual([`${network}:former-head:${first.treasury}`]);
  // As far behind as these books were, they could be a backup: what the old one may have signed since runs out first.
  await world().chain.advanceTime(3_700);
  await eventually(async () => {
    await world().finalize();
    expect(await held(address)).toBe(USDC);
  }, LONG_MS);
  await comeToRest(next);
  const id = before?.id ?? '';
  expect(await transfersOf(next, 'payout')).toMatchObject([{ id, fromAddress: next.treasury, status: 'final' }]);
  expect(await signingStops(next.store)).toEqual([]);
});

test('a sweep whose name someone cancels is given up, and another one sweeps what is there', async () => {
  const now = await chainsClock();
  const installation = world().install();
  const first = await track(installation.start({ now }));
  await payAlready(first, await world().createPayer(USDC), freshOrder());
  await comeToRest(first);
  await close(first);
  installation.rotate('treasury');
  const spoiled = await world().spoilBroadcasts('drop');
  const next = await track(installation.start({ now }));
  await eventually(
    async () => expect(await transfersOf(next, 'sweep')).toMatchObject([{ status: 'broadcast' }]),
    LONG_MS,
  );
  const [before] = await transfersOf(next, 'sweep');
  await world().chain.sendAsAdmin(await cancelling(first.treasuryKey, sweepNonce(before?.id ?? '')));
  await spoiled.heal();
  await world().chain.advanceTime(3_700);
  await eventually(async () => {
    await world().finalize();
    expect(await held(next.treasury)).toBe(USDC);
  }, LONG_MS);
  await comeToRest(next);
  const sweeps = await transfersOf(next, 'sweep');
  expect(sweeps.map(({ id, status }) => [id === before?.id, status])).toEqual([
    [true, 'void'],
    [false, 'final'],
  ]);
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
