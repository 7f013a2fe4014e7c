/** What only Solana has: token accounts that have to be opened and can be closed, and transactions that fail. */
import { Keypair } from '@solana/web3.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { AccountPolicy } from '../../worker/dependencies.ts';
import type { ServiceOptions } from './network.ts';
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
  const { network, world, service: shared, startForAll, track, comeToRest, untilNothingMoves } = suite;
  const balance = (owner: string) => world().usdcBalance(owner);
  const start = (accounts: Partial<AccountPolicy> = {}, options: ServiceOptions = {}) =>
    track(world().install(accounts).start(options));

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
    test('is held below what an account is worth, and goes on when there is one', async () => {
      const service = shared();
      const { receiver, address } = await linkNewcomer(service);
      const payer = await world().createPayer(USDC);
      const txnId = await payAlready(service, payer, { receiver, amount: 0.999999 });
      await untilNothingMoves(service);
      expect(await payoutsTo(service, address)).toEqual(['held: no_token_account']);
      expect(await wireStatus(service, txnId)).toBe('held');
      expect(await service.releaseWaiting()).toBe(0);
      await world().chain.rpc('local_openUsdcAccount', address);
      await untilReleased(service, address);
      await comeToRest(service);
      expect(await balance(address)).toBe(999_999n);
      expect(await wireStatus(service, txnId)).toBe('paid');
    });

    test('opens it for several that are worth it only together, once, and all of them are paid', async () => {
      const service = await start({ policy: 'min-amount', minMicroUsdc: USDC, dailyMax: 1 });
      const { receiver, address } = await linkNewcomer(service);
      const payer = await world().createPayer(2n * USDC);
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
      await comeToRest(service);
      expect(await payoutsTo(service, address)).toEqual(['final', 'final', 'final']);
    });

    test('is held whatever it is worth where the policy is never', async () => {
      const service = await start({ policy: 'never' });
      const { receiver, address } = await linkNewcomer(service);
      const payer = await world().createPayer(10n * USDC);
      await payAlready(service, payer, { receiver, amount: 10 });
      await untilNothingMoves(service);
      expect(await payoutsTo(service, address)).toEqual(['held: no_token_account']);
      expect(await service.releaseWaiting()).toBe(0);
      expect(await tokenBalance(world().chain, tokenAccountOf(address, PROFILE))).toBe(null);
    });

    test('is held when a day has opened enough of them; the next day goes to the earliest, then to the largest', async () => {
      let skewMs = 0;
      const service = await start({ policy: 'always', dailyMax: 1 }, { now: () => Date.now() + skewMs });
      const payer = await world().createPayer(15n * USDC);
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
      await comeToRest(service);
      expect(await Promise.all(addresses.map(balance))).toEqual([USDC, USDC, 2n * USDC, 9n * USDC]);
    });
  });

  describe('an account that its owner has closed', () => {
    test('is not opened again at our cost, under this name or under a new one', async () => {
      const service = shared();
      const owner = Keypair.generate();
      const address = owner.publicKey.toBase58();
      const [first, second] = [freshHandle('tapper'), freshHandle('tapper')];
      const payer = await world().createPayer(3n * USDC);
      await link(service, network, first, address);
      await payAlready(service, payer, { receiver: first, amount: 1 });
      await comeToRest(service);
      await emptyAndClose(world().chain, owner, payer.address);
      await payAlready(service, payer, { receiver: first, amount: 1 });
      await link(service, network, second, address);
      await payAlready(service, payer, { receiver: second, amount: 1 });
      await untilNothingMoves(service);
      expect(await payoutsTo(service, address)).toEqual(['final', 'held: no_token_account', 'held: no_token_account']);
      expect(await service.releaseWaiting()).toBe(0);
    });

    test('is not opened for the same person in another wallet either', async () => {
      const service = shared();
      const { receiver, address } = await linkNewcomer(service);
      const payer = await world().createPayer(2n * USDC);
      await payAlready(service, payer, { receiver, amount: 1 });
      await comeToRest(service);
      expect(await balance(address)).toBe(USDC);
      const another = Keypair.generate().publicKey.toBase58();
      await link(service, network, receiver, another);
      await payAlready(service, payer, { receiver, amount: 1 });
      await untilNothingMoves(service);
      expect(await payoutsTo(service, another)).toEqual(['held: no_token_account']);
    });
  });

  test('a recipient who is new to their platform opens the account themselves', async () => {
    const service = await start({ policy: 'min-amount', minMicroUsdc: USDC, ageMinMs: DAY_MS });
    const { receiver, address } = await linkNewcomer(service);
    const payer = await world().createPayer(9n * USDC);
    await payAlready(service, payer, { receiver, amount: 9 });
    await untilNothingMoves(service);
    expect(await payoutsTo(service, address)).toEqual(['held: no_token_account']);
    await world().chain.rpc('local_openUsdcAccount', address);
    await eventually(async () => expect(await service.releaseWaiting()).toBe(1));
  });

  test('a batch of 14 to people without token accounts is paid by at most 2 transactions', async () => {
    const service = await start({ policy: 'always', dailyMax: 200 });
    const people = await Promise.all(Array.from({ length: 14 }, () => linkNewcomer(service)));
    const payer = await world().createPayer(USDC);
    const count = await service.watchPayouts();
    const receivers = people.map(({ receiver }) => ({ receiver, amount: 0.01 }));
    await payBatch(service, payer, receivers);
    await comeToRest(service);
    const paid = await Promise.all(people.map(({ address }) => balance(address)));
    expect(paid).toEqual(people.map(() => 10_000n));
    const transactions = await count();
    expect(transactions).toBeGreaterThan(0);
    expect(transactions).toBeLessThanOrEqual(2);
  });

  describe('money that nobody collected', () => {
    test('goes to its owner’s usual account when the one that paid was closed', async () => {
      const [service, { chain }] = [shared(), world()];
      const payer = await world().createPayer(3n * USDC);
      const source = await openSecondAccount(chain, payer, 2n * USDC);
      const proof = await proveFrom(chain, payer, service, { source, microUsdc: 2n * USDC });
      const reply = await present(service, proof, freshOrder(2));
      expect([reply.status, reply.body['error']]).toEqual([200, undefined]);
      expect(await tokenBalance(chain, source)).toBe(0n);
      const txnId = reply.body.data.txn_id;
      await closeTokenAccount(chain, payer, source);
      expect((await cancel(service, payer, txnId)).status).toBe(200);
      await eventually(async () => expect(await balance(payer.address)).toBe(3n * USDC));
      await comeToRest(service);
      expect(await wireStatus(service, txnId)).toBe('refunded');
      expect(await tokenBalance(chain, source)).toBe(null);
    });

    test('waits when its owner has closed all of them, at less than the minimum and at twice, for one of theirs', async () => {
      const service = shared();
      const sums = [500_000n, 2n * USDC];
      const owners: SolanaPayer[] = [];
      for (const sum of sums) owners.push(await world().createPayer(sum));
      const takeBack = async (payer: SolanaPayer, index: number) => {
        const txnId = await payAlready(service, payer, freshOrder([0.5, 2][index]));
        await closeTokenAccount(world().chain, payer, tokenAccountOf(payer.address, PROFILE));
        expect((await cancel(service, payer, txnId)).status).toBe(200);
        await eventually(async () => expect(await wireStatus(service, txnId)).toBe('held'));
        expect(await payoutsTo(service, payer.address)).toEqual(['held: no_token_account']);
        return txnId;
      };
      const txnIds = await Promise.all(owners.map(takeBack));
      expect(await service.releaseWaiting()).toBe(0);
      for (const { address } of owners) {
        await world().chain.rpc('local_openUsdcAccount', address);
        await untilReleased(service, address);
      }
      await comeToRest(service);
      expect(await Promise.all(owners.map(({ address }) => balance(address)))).toEqual(sums);
      const statuses = await Promise.all(txnIds.map((txnId) => wireStatus(service, txnId)));
      expect(statuses).toEqual(['refunded', 'refunded']);
    });
  });

  describe('a transaction that fails on the chain', () => {
    const own = startForAll();
    const heldBack = (count: number) =>
      eventually(async () => expect((await world().chain.waiting()).held).toBe(count));
    const holdBroadcasts = async () => {
      await world().chain.setFault({ kind: 'hold' });
      onTestFinished(async () => void (await world().chain.clearFaults()));
    };
    const fates = async ({ store: { read, tables } }: SolanaService, kind: string) => {
      const rows = await read.select().from(tables.carriers);
      return rows.filter((row) => row.kind === kind).map(({ status }) => status);
    };

    test('charges nobody: it answers 402, and after five of them a payer is refused for the day', async () => {
      const [service, { chain }] = [own(), world()];
      const payer = await world().createPayer(9n * USDC);
      // The fifth by itself: four are not enough to refuse it.
      for (const [count, total] of [
        [4, 4],
        [1, 5],
      ] as const) {
        await holdBroadcasts();
        const answering = Promise.all(Array.from({ length: count }, () => pay(service, payer, freshOrder(0.5))));
        await eventually(async () => {
          expect(await fates(service, 'inbound')).toHaveLength(total);
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
      expect(await fates(service, 'inbound')).toEqual(Array.from({ length: 5 }, () => 'failed'));
      const sixth = await pay(service, payer, freshOrder(0.5));
      expect([sixth.status, sixth.body['error']]).toEqual([402, 'too_many_failed_payments']);
      expect(await balance(payer.address)).toBe(9n * USDC);
    });

    test('because one recipient was barred meanwhile is followed by one that pays the others, and holds that one', async () => {
      const { chain } = world();
      const service = own();
      const payer = await world().createPayer(3n * USDC);
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
      expect(await fates(service, 'payout')).toEqual(['failed', 'final']);
      expect(await Promise.all([good, barred, fine].map(balance))).toEqual([USDC, 0n, USDC]);
      expect(await payoutsTo(service, barred)).toEqual(['held: recipient_blacklisted']);
    });
  });
});
