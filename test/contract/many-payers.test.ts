/** A hundred and fifty payers in the same moment, at two APIs on one PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { openPgStore } from '../../db/store/store-pg.ts';
import { reservePayment } from '../../db/payments/reserve.ts';
import type { Store } from '../../db/store/store.ts';
import { openBooks } from '../support/books.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { makeProof, post } from '../support/pay.ts';
import { onPostgres } from '../support/postgres.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PAYERS = 150;
const VALUE = 50_000n;

onPostgres((fresh) => {
  let chain: BaseChain;
  const services: TestService[] = [];
  const stores: Store[] = [];
  beforeAll(async () => {
    chain = await startBaseChain({ blockTimeMs: 500 });
  });
  afterEach(async () => {
    for (const service of services.splice(0).toReversed()) await service.close();
    for (const store of stores.splice(0)) await store.close();
  });
  afterAll(() => chain?.close());

  test('are answered with their receipts, or told to come back before anything was reserved; none meets an error', async () => {
    const database = await fresh();
    const keys = { treasuryKey: key(), laneKeys: [key(), key()] };
    const { rpcUrl, fundEth } = chain;
    const options = { database, keys, rpcUrl, fundEth };
    services.push(await startTestService(options));
    services.push(await startTestService({ ...options, runWorker: false }));
    const [first] = services;
    if (first === undefined) throw new Error('nobody serves');
    const payTo = first.parts.treasury.address;
    const accounts = await Promise.all(
      Array.from({ length: PAYERS }, () => chain.createAccount({ usdc: microUsdc(VALUE), wei: 0n })),
    );
    const headers = await Promise.all(
      accounts.map((signer) => makeProof({ from: signer.address, signer, payTo, value: VALUE })),
    );
    /** All that this payer is answered: whoever is told to come back does. */
    const pay = async (header: string, index: number): Promise<string[]> => {
      const url = `${services[index % services.length]?.url}/payments/x/pay`;
      const answers: string[] = [];
      while (answers.at(-1) !== '200') {
        const order = { receiver: `person${index % 20}`, amount: 0.05 };
        // A connection that was closed says nothing about the payment.
        const reply = await post(url, order, { 'PAYMENT-SIGNATURE': header }).catch(() => null);
        if (reply === null) continue;
        const { status, body, headers: told } = reply;
        answers.push(status === 200 ? '200' : `${status} ${String(body['error'])}`);
        if (status === 503) expect(Number(told.get('retry-after'))).toBeGreaterThan(0);
        if (status === 402 || answers.length > 60) break;
      }
      return answers;
    };
    const answers = (await Promise.all(headers.map(pay))).flat();
    const allowed = ['200', '503 overloaded', '500 settlement_pending'];
    expect(answers.filter((answer) => !allowed.includes(answer))).toEqual([]);
    expect(answers.filter((answer) => answer === '200')).toHaveLength(PAYERS);
    const { read, tables } = first.store;
    expect(await read.$count(tables.payments)).toBe(PAYERS);
    await first.assertSound();
  }, 300_000);

  /** How often so many reservations, each of another payer, met a conflict at four processes; and how many were made. */
  async function countConflicts(reservations: number | null): Promise<{ conflicts: number; reserved: number }> {
    const database = await fresh();
    if (database.kind !== 'postgres') throw new Error('this needs PostgreSQL');
    const books = await openBooks(database);
    let conflicts = 0;
    const onConflict = () => void (conflicts += 1);
    stores.push(...(await Promise.all([1, 2, 3, 4].map(() => openPgStore({ url: database.url, onConflict })))));
    const results = await Promise.allSettled(
      Array.from({ length: PAYERS }, (_, index) => {
        const payer = `0x${randomBytes(20).toString('hex')}`;
        const payees = [{ name: `person${index}`, stableId: `${index}` }];
        return reservePayment(stores[index % stores.length] ?? books.store, {
          ...books.toClaim({ payer, payees }),
          reservations,
        });
      }),
    );
    await books.close();
    // On a machine that is far too slow some do not begin in time.
    const reserved = results.filter((result) => result.status === 'fulfilled' && result.value.kind === 'reserved');
    return { conflicts, reserved: reserved.length };
  }

  test('conflict with nobody, so that each is reserved in one run', async () => {
    const { conflicts, reserved } = await countConflicts(0);
    expect(conflicts).toBe(0);
    expect(reserved).toBeGreaterThan(0);
  });

  test('CONTROL: where each looks for earlier payments in its transaction, they undo each other', async () => {
    expect((await countConflicts(null)).conflicts).toBeGreaterThan(0);
  });
});

const key = () => `0x${randomBytes(32).toString('hex')}` as const;
