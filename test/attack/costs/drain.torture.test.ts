/**
 * Attackers to whom names, wallets and networks cost nothing: what can they make us spend, and whom do they shut out? Each
 * tip has a new wallet, a new name and a new /64.
 */
import { randomBytes } from 'node:crypto';
import { Keypair, PublicKey } from '@solana/web3.js';
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
import { openEvm, type EvmService } from '../../networks/evm-world.ts';
import type { Payer, Service, ServiceOptions, World } from '../../networks/network.ts';
import { freshHandle, link, pay, USDC } from '../../networks/orders.ts';
import { PROFILE } from '../../networks/solana-proofs.ts';
import { tokenBalance } from '../../networks/solana-token-accounts.ts';
import { openSolana, type SolanaService, type SolanaWorld } from '../../networks/solana-world.ts';

const TIPS = Number(process.env['DRAIN_TIPS'] ?? 24);
const CYCLES = Number(process.env['DRAIN_CYCLES'] ?? 8);
const GROUP = Math.max(4, Math.floor(TIPS / 10));
const NEWCOMERS = Math.max(2, Math.floor(CYCLES / 4));
const DAY_MS = 24 * 3_600_000;
const CENT = 10_000n;
/** Of a token account, on the local chain. */
const RENT_LAMPORTS = 1_478_440n;
/** An attacker who came from one network would be stopped by it long before any budget. */
const PER_MINUTE = 10;
/** Base has seen such; gas on the local chain costs next to nothing. */
const BASE_FEE_WEI = 30_000_000n;

const newNetwork = () => ({
  'X-Forwarded-For': `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`,
});

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

/** `nativeOf`: what the operator's wallets have, in gwei or lamports. `price`: makes gas cost what it may cost. */
type Place = {
  world: Pick<World, 'createPayer' | 'finalize' | 'close'>;
  start: (options: ServiceOptions) => Promise<Service>;
  nativeOf: (service: Service) => Promise<bigint>;
  price: () => Promise<unknown>;
};

const PLACES = {
  base: async (): Promise<Place> => {
    const world = await openEvm('base');
    const balanceOf = async (lane: `0x${string}`) =>
      (await world.chain.client.getBalance({ address: lane })) / 10n ** 9n;
    return {
      world,
      start: (options) => world.install().start(options),
      nativeOf: async (service) => {
        const { lanes } = (service as EvmService).parts;
        return sum(await Promise.all(lanes.map(({ address }) => balanceOf(address))));
      },
      price: () => world.chain.rpc('anvil_setNextBlockBaseFeePerGas', `0x${BASE_FEE_WEI.toString(16)}`),
    };
  },
  solana: async (): Promise<Place> => {
    const world = await openSolana();
    return {
      world,
      start: (options) => world.install().start(options),
      nativeOf: async (service) => lamportsOf(world, service as SolanaService),
      price: async () => undefined,
    };
  },
} as const;

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

async function lamportsOf({ chain }: SolanaWorld, { treasury, feePayer }: SolanaService): Promise<bigint> {
  const wallets = [treasury, feePayer].map((wallet) => new PublicKey(wallet));
  return sum(await Promise.all(wallets.map(async (wallet) => BigInt(await chain.connection().getBalance(wallet)))));
}

describe.each(['base', 'solana'] as const)('self-tips on %s', (network) => {
  let place: Place;
  beforeAll(async () => {
    place = await PLACES[network]();
  });
  afterAll(() => place.world.close());

  /** A third of the attack would use it up. */
  const DAY = (expectedCost(network, 1) * BigInt(TIPS)) / 3n;

  const startWith = (dailyUnits: bigint | null) =>
    place.start({
      requestsPerMinute: PER_MINUTE,
      decorate: (plain) => {
        const { store, now } = plain;
        const rules = { [network]: { dailyUnits, lineMicroUsdc: CENT } };
        return { ...plain, costs: createCosts({ store, now, rules, ageMinMs: DAY_MS }) };
      },
    });

  /** The money comes back at once. Answers how many were carried, and with what words the others were refused. */
  async function attack(service: Service, tips: number, from = newNetwork) {
    let carried = 0;
    const words = new Set<string>();
    const networks = new Set<string>();
    for (let tip = 0; tip < tips; tip += 1) {
      const receiver = freshHandle('drain');
      const payer = await place.world.createPayer(CENT);
      await link(service, network, receiver, payer.address);
      await place.price();
      const headers = from();
      networks.add(headers['X-Forwarded-For']);
      const send = () => pay(service, payer, { receiver, amount: 0.01 }, headers);
      // Of thousands of requests one meets a kept connection that the server is just closing: it is sent again.
      const reply = await send().catch((error: unknown) => {
        if (error instanceof TypeError) return send();
        throw error;
      });
      if (reply.status === 200) carried += 1;
      else words.add([reply.status, reply.body['error']].join(' '));
    }
    reportFaults({ 'own network': networks.size });
    return { carried, words: [...words] };
  }

  async function member(service: Service): Promise<{ name: string; payer: Payer }> {
    const one = { name: freshHandle('member'), payer: await place.world.createPayer(USDC) };
    await link(service, network, one.name, one.payer.address);
    await age(service, one.name);
    return one;
  }

  const spent = (service: Service) =>
    readCounter(service.store, costCounters.gas(network as Network, dayOf(Date.now())));

  test(`${TIPS} of them cost no more than the day has, and a group of ${GROUP} that tips each other pays nothing`, async () => {
    const service = await startWith(DAY);
    try {
      const members: Awaited<ReturnType<typeof member>>[] = [];
      // One after the other: the local chain answers so many at once too late.
      while (members.length < GROUP) members.push(await member(service));
      const before = await place.nativeOf(service);
      const { carried, words } = await attack(service, TIPS);
      expect(words).toEqual(['402 fee_required']);
      expect(carried).toBeLessThanOrEqual(TIPS / 15);
      for (const [index, { payer }] of members.entries()) {
        const receiver = members[(index + 1) % GROUP]?.name ?? '';
        expect((await pay(service, payer, { receiver, amount: 0.05 }, newNetwork())).status).toBe(200);
      }
      await settled(service);
      await place.world.finalize();
      const { payments } = service.store.tables;
      const rows = await service.store.read.select().from(payments);
      expect(rows.map(({ feeMicroUsdc }) => feeMicroUsdc)).toEqual(rows.map(() => 0n));
      expect(await spent(service)).toBeLessThanOrEqual(DAY);
      expect(before - (await place.nativeOf(service))).toBeLessThanOrEqual(DAY);
      reportFaults({ 'fee asked': words.length, 'group carried': 1 });
    } finally {
      await service.close();
    }
  });

  test('CONTROL: without a budget all of them are carried, and cost more than the day would have', async () => {
    const service = await startWith(null);
    try {
      const before = await place.nativeOf(service);
      expect(await attack(service, TIPS)).toEqual({ carried: TIPS, words: [] });
      await settled(service);
      const lost = before - (await place.nativeOf(service));
      expect(lost).toBeGreaterThan(DAY);
      reportFaults({ 'budget lost': 1 });
    } finally {
      await service.close();
    }
  });

  test('CONTROL: from one network the limit on requests stops them first', async () => {
    const service = await startWith(null);
    try {
      const here = newNetwork();
      const { carried, words } = await attack(service, PER_MINUTE + 2, () => here);
      expect(carried).toBeLessThan(PER_MINUTE + 2);
      expect(words).toEqual(['429 rate_limited']);
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

  /** Paid before what follows is measured; too small to open an account. */
  async function begin(service: SolanaService): Promise<bigint> {
    const payer = await world.createPayer(CENT);
    const order = { receiver: freshHandle('first'), amount: 0.01 };
    expect((await pay(service, payer, order, newNetwork())).status).toBe(200);
    await settled(service);
    return lamportsOf(world, service);
  }

  async function tap(service: SolanaService, cycles: number): Promise<string[]> {
    const owners = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const { receiver, owner } = await recipient(service, 'tap');
      const payer = await world.createPayer(USDC);
      expect((await pay(service, payer, { receiver, amount: 1 }, newNetwork())).status).toBe(200);
      owners.push(owner);
    }
    return owners;
  }

  test(`${CYCLES} cycles with new names earn no rent, and ${NEWCOMERS} first-time recipients of 1 to 10 are all paid`, async () => {
    const service = await world.install({ dailyMax: NEWCOMERS, ageMinMs: DAY_MS }).start();
    try {
      const before = await begin(service);
      const owners = await tap(service, CYCLES);
      await settled(service);
      // Settlements of payments worth a dollar each; no account was opened.
      expect(before - (await lamportsOf(world, service))).toBeLessThan(BigInt(CYCLES) * (RENT_LAMPORTS / 50n));
      const people = [];
      for (let index = 0; index < NEWCOMERS; index += 1) {
        const one = await recipient(service, 'person');
        await age(service, one.receiver);
        const amount = 1 + (index % 10);
        const payer = await world.createPayer(BigInt(amount) * USDC);
        expect((await pay(service, payer, { receiver: one.receiver, amount }, newNetwork())).status).toBe(200);
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
      const before = await begin(service);
      const owners = await tap(service, 3);
      for (const owner of owners) await eventually(async () => expect(await accountOf(owner)).toBe(USDC), 60_000);
      await settled(service);
      // Their rent is the attacker's as soon as the accounts are closed.
      expect(before - (await lamportsOf(world, service))).toBeGreaterThan(3n * RENT_LAMPORTS);
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
