/** Attackers without names, wallets or addresses that cost them anything: what can they make us spend, and whom do they shut out? */
import { Keypair } from '@solana/web3.js';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCosts } from '../../../api/costs/costs.ts';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { expectedCost } from '../../../core/costs/allowance.ts';
import type { Network } from '../../../core/networks.ts';
import { costCounters } from '../../../db/costs/counters.ts';
import { dayOf } from '../../../db/limits/daily.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { reportFaults } from '../../../scripts/torture/faults.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { openEvm } from '../../networks/evm-world.ts';
import type { Payer, Service, World } from '../../networks/network.ts';
import { freshHandle, link, pay, USDC } from '../../networks/orders.ts';
import { PROFILE } from '../../networks/solana-proofs.ts';
import { tokenBalance } from '../../networks/solana-token-accounts.ts';
import { openSolana, type SolanaService, type SolanaWorld } from '../../networks/solana-world.ts';

const TIPS = Number(process.env['DRAIN_TIPS'] ?? 24);
const CYCLES = Number(process.env['DRAIN_CYCLES'] ?? 8);
const GROUP = Math.max(4, Math.floor(TIPS / 10));
const NEWCOMERS = Math.max(2, Math.floor(CYCLES / 4));
const DAY_MS = 24 * 3_600_000;
/** So much as a cent is worth: below it the rest of the cost is noise of the local chains. */
const CENT = 10_000n;

/** A platform has known this person for years. */
async function age({ store }: Service, handle: string): Promise<void> {
  const { identities } = store.tables;
  await store.tx((db) => db.update(identities).set({ sinceMs: 0 }).where(eq(identities.key, handle)));
}

async function settled({ store }: Service): Promise<void> {
  const { carriers } = store.tables;
  await eventually(async () => {
    const rows = await store.read.select({ status: carriers.status }).from(carriers);
    expect(rows.filter(({ status }) => status !== 'final' && status !== 'failed' && status !== 'dead')).toEqual([]);
  }, 60_000);
}

describe.each(['base', 'solana'] as const)('self-tips on %s', (network) => {
  let world: Pick<World, 'createPayer' | 'finalize' | 'usdcBalance' | 'close'>;
  let startWith: (dailyUnits: bigint | null) => Promise<Service>;

  beforeAll(async () => {
    const opened = network === 'base' ? await openEvm(network) : await openSolana();
    world = opened;
    startWith = (dailyUnits) =>
      opened.install().start({
        decorate: (plain) => {
          const { store, now } = plain;
          const rules = { [network]: { dailyUnits, lineMicroUsdc: CENT } };
          return { ...plain, costs: createCosts({ store, now, rules, ageMinMs: DAY_MS }) };
        },
      });
  });
  afterAll(() => world.close());

  /** A new wallet and a new name for each; the money comes back at once. Answers how many were carried. */
  async function attack(service: Service, tips: number): Promise<{ carried: number; words: Set<string> }> {
    let carried = 0;
    const words = new Set<string>();
    for (let tip = 0; tip < tips; tip += 1) {
      const receiver = freshHandle('drain');
      const payer = await world.createPayer(CENT);
      await link(service, network, receiver, payer.address);
      const reply = await pay(service, payer, { receiver, amount: 0.01 });
      if (reply.status === 200) carried += 1;
      else words.add([reply.status, reply.body['error']].join(' '));
    }
    return { carried, words };
  }

  async function member(service: Service): Promise<{ name: string; payer: Payer }> {
    const one = { name: freshHandle('member'), payer: await world.createPayer(USDC) };
    await link(service, network, one.name, one.payer.address);
    await age(service, one.name);
    return one;
  }

  const spent = (service: Service) =>
    readCounter(service.store, costCounters.gas(network as Network, dayOf(Date.now())));

  test(`${TIPS} of them cost no more than the day has, and a group of ${GROUP} that tips each other pays nothing`, async () => {
    const dailyUnits = expectedCost(network, 1) * BigInt(TIPS);
    const service = await startWith(dailyUnits);
    try {
      const members: Awaited<ReturnType<typeof member>>[] = [];
      // One after the other: the local chain answers so many at once too late.
      while (members.length < GROUP) members.push(await member(service));
      const { carried, words } = await attack(service, TIPS);
      expect([...words]).toEqual(['402 fee_required']);
      expect(carried).toBeLessThanOrEqual(TIPS / 5);
      for (const [index, { payer }] of members.entries()) {
        const receiver = members[(index + 1) % GROUP]?.name ?? '';
        expect((await pay(service, payer, { receiver, amount: 0.05 })).status).toBe(200);
      }
      await world.finalize();
      const { payments } = service.store.tables;
      const rows = await service.store.read.select().from(payments);
      expect(rows.map(({ feeMicroUsdc }) => feeMicroUsdc)).toEqual(rows.map(() => 0n));
      expect(await spent(service)).toBeLessThanOrEqual(dailyUnits);
      reportFaults({ 'fee asked': words.size, 'group carried': 1 });
    } finally {
      await service.close();
    }
  });

  test('CONTROL: without a budget all of them are carried', async () => {
    const service = await startWith(null);
    try {
      expect(await attack(service, 6)).toEqual({ carried: 6, words: new Set() });
    } finally {
      await service.close();
    }
  });
});

describe('accounts on Solana', () => {
  let world: SolanaWorld;
  beforeAll(async () => {
    world = await openSolana();
  });
  afterAll(() => world.close());

  const accountOf = (owner: string) => tokenBalance(world.chain, tokenAccountOf(owner, PROFILE));

  /** A new name and a new wallet without an account. Its rent would be the attacker's. */
  async function recipient(service: SolanaService, stem: string) {
    const one = { receiver: freshHandle(stem), owner: Keypair.generate().publicKey.toBase58() };
    await link(service, 'solana', one.receiver, one.owner);
    return one;
  }

  async function tap(service: SolanaService, cycles: number): Promise<string[]> {
    const owners = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const { receiver, owner } = await recipient(service, 'tap');
      const payer = await world.createPayer(USDC);
      expect((await pay(service, payer, { receiver, amount: 1 })).status).toBe(200);
      owners.push(owner);
    }
    return owners;
  }

  test(`${CYCLES} cycles with new names earn no rent, and ${NEWCOMERS} first-time recipients of 1 to 10 are all paid`, async () => {
    const service = await world.install({ dailyMax: NEWCOMERS, ageMinMs: DAY_MS }).start();
    try {
      const owners = await tap(service, CYCLES);
      const people = [];
      for (let index = 0; index < NEWCOMERS; index += 1) {
        const one = await recipient(service, 'person');
        await age(service, one.receiver);
        const amount = 1 + (index % 10);
        const payer = await world.createPayer(BigInt(amount) * USDC);
        expect((await pay(service, payer, { receiver: one.receiver, amount })).status).toBe(200);
        people.push({ owner: one.owner, amount });
      }
      for (const { owner, amount } of people) {
        await eventually(async () => expect(await accountOf(owner)).toBe(BigInt(amount) * USDC), 60_000);
      }
      expect(await Promise.all(owners.map(accountOf))).toEqual(owners.map(() => null));
      reportFaults({ 'no account for a new name': 1 });
    } finally {
      await service.close();
    }
  });

  test('CONTROL: where new names count, each cycle opens an account, and newcomers find none left', async () => {
    const service = await world.install({ dailyMax: 3, ageMinMs: 0 }).start();
    try {
      const owners = await tap(service, 3);
      for (const owner of owners) await eventually(async () => expect(await accountOf(owner)).toBe(USDC), 60_000);
      await settled(service);
      const { receiver, owner } = await recipient(service, 'late');
      const payer = await world.createPayer(9n * USDC);
      expect((await pay(service, payer, { receiver, amount: 9 })).status).toBe(200);
      const { transfers } = service.store.tables;
      await eventually(async () => {
        const [row] = await service.store.read.select().from(transfers).where(eq(transfers.toAddress, owner));
        expect(row?.heldReason).toBe('account_quota');
      });
    } finally {
      await service.close();
    }
  });
});
