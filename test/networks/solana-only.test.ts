/** What only Solana has: token accounts that have to be opened and can be closed, and transactions that fail. */
import { Keypair } from '@solana/web3.js';
import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { AccountPolicy, SolanaWorker } from '../../worker/dependencies.ts';
import { findDestinations } from '../../worker/solana/accounts.ts';
import {
  cancel,
  freshHandle,
  freshOrder,
  link,
  pay,
  payAlready,
  payBatch,
  present,
  USDC,
  wireStatus,
} from './orders.ts';
import { PROFILE } from './solana-proofs.ts';
import {
  closeTokenAccount,
  emptyAndClose,
  openSecondAccount,
  proveFrom,
  tokenBalance,
} from './solana-token-accounts.ts';
import { openSolana, type SolanaPayer, type SolanaService, type SolanaWorld } from './solana-world.ts';
import { createSuite } from './suite.ts';

const DAY_MS = 24 * 3_600_000;

describe('on Solana', () => {
  const suite = createSuite<SolanaService, SolanaWorld>('solana', () => openSolana());
  // Accounts are opened for 1 USDC and more there.
  const { network, world, service: shared, track, comeToRest, untilNothingMoves } = suite;
  const balance = (owner: string) => world().usdcBalance(owner);

  /** Until nothing is held for this wallet: the settlement looks for what may go on as well, every half minute. */
  async function untilReleased(service: SolanaService, address: string): Promise<void> {
    await eventually(async () => {
      await service.releaseWaiting();
      expect((await payoutsTo(service, address)).filter((one) => one.startsWith('held'))).toEqual([]);
    });
    service.worker?.wake();
  }

  /** A person with a wallet in which there was never any USDC. */
  async function linkNewcomer(service: SolanaService) {
    const [receiver, address] = [freshHandle('newcomer'), Keypair.generate().publicKey.toBase58()];
    await link(service, network, receiver, address);
    return { receiver, address };
  }

  async function payoutsTo({ store: { read, tables } }: SolanaService, address: string): Promise<string[]> {
    const rows = await read.select().from(tables.transfers);
    return rows
      .filter(({ toAddress }) => toAddress === address)
      .map(({ status, heldReason }) => (heldReason === null ? status : `${status}: ${heldReason}`));
  }

  describe('a payout to a recipient without a token account', () => {
    /** By these rules: true where an account is opened for what is held for this wallet, else what it waits for. */
    async function endBy(service: SolanaService, address: string, rules: Partial<AccountPolicy>) {
      const { store, parts } = service;
      const { transfers } = store.tables;
      const payouts = await store.read.select().from(transfers).where(eq(transfers.toAddress, address));
      const accounts = { policy: 'min-amount', minMicroUsdc: USDC, ageMinMs: 0, dailyMax: 200, ...rules };
      const worker = { ...parts, store, accounts, now: () => Date.now() } as unknown as SolanaWorker;
      const [found] = (await findDestinations(worker, payouts)).values();
      return found?.kind === 'to' ? found.item.creates : found?.reason;
    }

    test('is held below what an account is worth, where the policy is never, and for who is new to their platform; it goes on when there is one', async () => {
      const service = shared();
      const { receiver, address } = await linkNewcomer(service);
      const payer = await world().createPayer(USDC);
      const txnId = await payAlready(service, payer, { receiver, amount: 0.999999 });
      await untilNothingMoves(service);
      expect(await payoutsTo(service, address)).toEqual(['held: no_token_account']);
      expect(await wireStatus(service, txnId)).toBe('held');
      expect(await service.releaseWaiting()).toBe(0);
      expect(await tokenBalance(world().chain, tokenAccountOf(address, PROFILE))).toBe(null);
      for (const rules of [{ minMicroUsdc: 999_999n }, { policy: 'always' as const }])
        expect([rules, await endBy(service, address, rules)]).toEqual([rules, true]);
      for (const rules of [{}, { policy: 'never' as const, minMicroUsdc: 1n }, { minMicroUsdc: 1n, ageMinMs: DAY_MS }])
        expect([rules, await endBy(service, address, rules)]).toEqual([rules, 'no_token_account']);
      await world().chain.rpc('local_openUsdcAccount', address);
      await untilReleased(service, address);
      await eventually(async () => expect(await wireStatus(service, txnId)).toBe('paid'));
      expect(await balance(address)).toBe(999_999n);
    });

    test('is held when a day has opened enough of them; the next day goes to the earliest, then to the largest; it is opened for several that are worth it only together, once', async () => {
      let skewMs = 0;
      const options = { now: () => Date.now() + skewMs };
      const rules = { policy: 'min-amount', minMicroUsdc: USDC, dailyMax: 1 } as const;
      const service = await track(world().install(rules).start(options));
      const payer = await world().createPayer(16n * USDC);
      const HELD = 'held: account_quota';
      const stateOf = async (address: string) => {
        const [state] = await payoutsTo(service, address);
        return state === undefined || state === HELD ? state : 'paid';
      };
      const release = async () => {
        const count = await service.releaseWaiting();
        service.worker?.wake();
        await untilNothingMoves(service);
        return count;
      };
      // Of those in one batch as many are paid as the day has left.
      const both = [await linkNewcomer(service), await linkNewcomer(service)];
      const receivers = both.map(({ receiver }) => ({ receiver, amount: 1 }));
      await payBatch(service, payer, receivers);
      await untilNothingMoves(service);
      const isPaid = await Promise.all(both.map(async ({ address }) => (await stateOf(address)) === 'paid'));
      const addresses = both.map(({ address }) => address);
      if (isPaid[1] === true) addresses.reverse();
      const states = () => Promise.all(addresses.map(stateOf));
      expect([await states(), await release()]).toEqual([['paid', HELD], 0]);
      skewMs = DAY_MS;
      for (const amount of [2, 9]) {
        const { receiver, address } = await linkNewcomer(service);
        await payAlready(service, payer, { receiver, amount });
        addresses.push(address);
      }
      await untilNothingMoves(service);
      expect(await states()).toEqual(['paid', HELD, HELD, HELD]);
      expect([await release(), await states()]).toEqual([1, ['paid', 'paid', HELD, HELD]]);
      skewMs = 2 * DAY_MS;
      expect([await release(), await states()]).toEqual([1, ['paid', 'paid', HELD, 'paid']]);
      skewMs = 3 * DAY_MS;
      expect(await release()).toBe(1);
      skewMs = 4 * DAY_MS;
      // The last, because the service lets go what is held every 30 s by itself.
      const together = await payTogether(service, payer);
      await comeToRest(service);
      expect(await Promise.all(addresses.map(balance))).toEqual([USDC, USDC, 2n * USDC, 9n * USDC]);
      expect(await payoutsTo(service, together)).toEqual(['final', 'final', 'final']);
    });

    /** Answers whose wallet has got them, on a day that opens one account and no other. */
    async function payTogether(service: SolanaService, payer: SolanaPayer): Promise<string> {
      const { receiver, address } = await linkNewcomer(service);
      for (const amount of [0.4, 0.5]) await payAlready(service, payer, { receiver, amount });
      await untilNothingMoves(service);
      expect(await payoutsTo(service, address)).toEqual(['held: no_token_account', 'held: no_token_account']);
      expect(await service.releaseWaiting()).toBe(0);
      await payAlready(service, payer, { receiver, amount: 0.1 });
      await untilNothingMoves(service);
      expect(await service.releaseWaiting()).toBe(3);
      service.worker?.wake();
      await eventually(async () => {
        await service.releaseWaiting();
        service.worker?.wake();
        expect(await balance(address)).toBe(USDC);
      });
      await untilNothingMoves(service);
      return address;
    }
  });

  test('an account that its owner has closed is not opened again at our cost, under this name or under a new one, nor another one for the same person', async () => {
    const service = shared();
    const owner = Keypair.generate();
    const address = owner.publicKey.toBase58();
    const [first, second] = [freshHandle('tapper'), freshHandle('tapper')];
    const payer = await world().createPayer(4n * USDC);
    await link(service, network, first, address);
    await payAlready(service, payer, { receiver: first, amount: 1 });
    await comeToRest(service);
    expect(await balance(address)).toBe(USDC);
    await emptyAndClose(world().chain, owner, payer.address);
    await payAlready(service, payer, { receiver: first, amount: 1 });
    await link(service, network, second, address);
    await payAlready(service, payer, { receiver: second, amount: 1 });
    await untilNothingMoves(service);
    expect(await payoutsTo(service, address)).toEqual(['final', 'held: no_token_account', 'held: no_token_account']);
    const another = Keypair.generate().publicKey.toBase58();
    await link(service, network, first, another);
    await payAlready(service, payer, { receiver: first, amount: 1 });
    await untilNothingMoves(service);
    expect(new Set(await payoutsTo(service, another))).toEqual(new Set(['held: no_token_account']));
    expect(await service.releaseWaiting()).toBe(0);
  });

  test('a batch of 14 to people without token accounts is paid by at most 2 transactions', async () => {
    const service = shared();
    const people = await Promise.all(Array.from({ length: 14 }, () => linkNewcomer(service)));
    const payer = await world().createPayer(14n * USDC);
    await untilNothingMoves(service);
    const count = await service.watchPayouts();
    const receivers = people.map(({ receiver }) => ({ receiver, amount: 1 }));
    await payBatch(service, payer, receivers);
    await untilNothingMoves(service);
    const paid = await Promise.all(people.map(({ address }) => balance(address)));
    expect(paid).toEqual(people.map(() => USDC));
    const transactions = await count();
    expect(transactions).toBeGreaterThan(0);
    expect(transactions).toBeLessThanOrEqual(2);
  });

  test('money that nobody collected goes back to the accounts that it came from, to its owner’s usual one where that was closed, and waits when its owner has closed all of them, at less than the minimum and at twice, for one of theirs', async () => {
    const [service, { chain }] = [shared(), world()];
    const payer = await world().createPayer(5n * USDC);
    const usual = tokenAccountOf(payer.address, PROFILE);
    const second = await openSecondAccount(chain, payer, USDC);
    const gone = await openSecondAccount(chain, payer, 2n * USDC);
    const payFrom = async (source: string, sum: bigint) => {
      const proof = await proveFrom(chain, payer, service, { source, microUsdc: sum });
      const reply = await present(service, proof, freshOrder(Number(sum) / 1_000_000));
      expect([reply.status, reply.body['error']]).toEqual([200, undefined]);
      return reply.body.data.txn_id;
    };
    const paid = [await payFrom(usual, 60_000n), await payFrom(second, 60_000n), await payFrom(gone, 2n * USDC)];
    expect(await tokenBalance(chain, gone)).toBe(0n);
    await closeTokenAccount(chain, payer, gone);
    for (const txnId of paid) expect((await cancel(service, payer, txnId)).status).toBe(200);

    const sums = [500_000n, 2n * USDC];
    const owners: SolanaPayer[] = [];
    for (const sum of sums) owners.push(await world().createPayer(sum));
    const takeBack = async (owner: SolanaPayer, index: number) => {
      const txnId = await payAlready(service, owner, freshOrder([0.5, 2][index]));
      await closeTokenAccount(chain, owner, tokenAccountOf(owner.address, PROFILE));
      expect((await cancel(service, owner, txnId)).status).toBe(200);
      await eventually(async () => expect(await wireStatus(service, txnId)).toBe('held'));
      expect(await payoutsTo(service, owner.address)).toEqual(['held: no_token_account']);
      return txnId;
    };
    const kept = await Promise.all(owners.map(takeBack));
    expect(await service.releaseWaiting()).toBe(0);
    for (const { address } of owners) {
      await chain.rpc('local_openUsdcAccount', address);
      await untilReleased(service, address);
    }
    const left = () => Promise.all([usual, second, gone].map((account) => tokenBalance(chain, account)));
    await eventually(async () => expect(await left()).toEqual([4n * USDC, USDC, null]));
    await comeToRest(service);
    expect(await left()).toEqual([4n * USDC, USDC, null]);
    expect(await Promise.all(owners.map(({ address }) => balance(address)))).toEqual(sums);
    const statuses = await Promise.all([...paid, ...kept].map((txnId) => wireStatus(service, txnId)));
    expect(statuses).toEqual(statuses.map(() => 'refunded'));
  });

  describe('a transaction that fails on the chain', () => {
    const heldBack = (count: number) =>
      eventually(async () => expect((await world().chain.waiting()).held).toBe(count));
    const holdBroadcasts = async () => {
      await world().chain.setFault({ kind: 'hold' });
      onTestFinished(async () => void (await world().chain.clearFaults()));
    };
    /** Of those that are signed from now on. */
    const watchFates = async ({ store: { read, tables } }: SolanaService, kind: 'inbound' | 'payout') => {
      const signed = () => read.select().from(tables.carriers).where(eq(tables.carriers.kind, kind));
      const before = new Set((await signed()).map(({ id }) => id));
      return async () => (await signed()).filter(({ id }) => !before.has(id)).map(({ status }) => status);
    };

    test('charges nobody: it answers 402, and after five of them a payer is refused for the day', async () => {
      const [service, { chain }] = [shared(), world()];
      const payer = await world().createPayer(9n * USDC);
      const fates = await watchFates(service, 'inbound');
      // The fifth by itself: four are not enough to refuse it.
      for (const [count, total] of [
        [4, 4],
        [1, 5],
      ] as const) {
        await holdBroadcasts();
        const answering = Promise.all(Array.from({ length: count }, () => pay(service, payer, freshOrder(0.5))));
        await eventually(async () => {
          expect(await fates()).toHaveLength(total);
          expect((await chain.waiting()).held).toBeGreaterThanOrEqual(count);
        });
        await chain.freezeUsdc(payer.address);
        await chain.clearFaults();
        await chain.release();
        chain.finalize();
        const answers = (await answering).map(({ status, body }) => [status, body['error']]);
        expect(answers).toEqual(answers.map(() => [402, 'invalid_transaction_state']));
        await chain.thawUsdc(payer.address);
      }
      expect(await fates()).toEqual(Array.from({ length: 5 }, () => 'failed'));
      const sixth = await pay(service, payer, freshOrder(0.5));
      expect([sixth.status, sixth.body['error']]).toEqual([402, 'too_many_failed_payments']);
      expect(await balance(payer.address)).toBe(9n * USDC);
    });

    test('because one recipient was barred meanwhile is followed by one that pays the others, and holds that one', async () => {
      const { chain } = world();
      const service = shared();
      const payer = await world().createPayer(3n * USDC);
      const fates = await watchFates(service, 'payout');
      const people = await Promise.all(
        [1, 2, 3].map(async () => ({ ...freshOrder(), address: await world().createRecipient() })),
      );
      for (const { receiver, address } of people) await link(service, network, receiver, address);
      await holdBroadcasts();
      const paying = payBatch(
        service,
        payer,
        people.map(({ receiver, amount }) => ({ receiver, amount })),
      );
      await heldBack(1);
      await chain.release();
      await paying;
      await heldBack(1);
      const [good = '', barred = '', fine = ''] = people.map(({ address }) => address);
      await chain.freezeUsdc(barred);
      await chain.clearFaults();
      await chain.release();
      await comeToRest(service);
      expect((await fates()).toSorted()).toEqual(['failed', 'final']);
      expect(await Promise.all([good, barred, fine].map(balance))).toEqual([USDC, 0n, USDC]);
      expect(await payoutsTo(service, barred)).toEqual(['held: recipient_blacklisted']);
    });
  });
});
