/**
 * Many people collect at once, from the whole service on both chains: each is paid exactly once, whatever comes twice.
 * `npm run torture -- claims 500` raises the count.
 */
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Network } from '../../core/networks.ts';
import { findViolations } from '../../db/audit/invariants.ts';
import { readUsdcBalance } from '../../local/solana/usdc-balance.ts';
import { reportFaults } from '../../scripts/torture/faults.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { createCollector } from '../support/claims/collector.ts';
import { post } from '../support/pay.ts';
import { proofFrom } from '../support/payers.ts';
import { startLocalService } from '../support/local-service.ts';
import { basePartsOf, fundOn, rpcUrlOf } from '../support/served.ts';

const COUNT = Number(process.env['CLAIMS_COUNT'] ?? '24');
const BATCH = 100;
/** How often each claim is confirmed at the same moment, and the first of them. */
const CONFIRMED = 2;
const FIRST_CONFIRMED = 20;
const ALL_MS = 20 * 60_000;

type Hex = `0x${string}`;
type Person = { handle: string; network: Network; address: string; amount: bigint; before: bigint };

let service: Service;

beforeAll(async () => {
  service = await startLocalService({ settlementWaitMs: 60_000 });
});

afterAll(async () => {
  await service.close();
});

test(
  `${COUNT} people who claim at once are each paid once, also those whose claim is confirmed ${FIRST_CONFIRMED} times`,
  async () => {
    const people = Array.from({ length: COUNT }, (_, index) => newPerson(index));
    for (const network of ['base', 'solana'] as const) {
      const named = people.filter((person) => person.network === network);
      for (let start = 0; start < named.length; start += BATCH) await tip(network, named.slice(start, start + BATCH));
    }
    for (const person of people) person.before = await balanceOf(person);

    const confirmed = await Promise.all(people.map((person, index) => claim(person, index)));
    reportFaults({ 'confirmed again': confirmed.reduce((sum, statuses) => sum + statuses.length - 1, 0) });
    expect(confirmed.filter((statuses) => !statuses.includes(200))).toEqual([]);

    await eventually(async () => {
      const wrong: string[] = [];
      for (const person of people) {
        const got = (await balanceOf(person)) - person.before;
        if (got !== person.amount) wrong.push(`${person.handle}: ${got} of ${person.amount}`);
      }
      expect(wrong).toEqual([]);
    }, ALL_MS);
    await eventually(async () => expect(await statusesOfPayouts()).toEqual({ final: COUNT }), 120_000);
    // Nothing that was still under way has come after it.
    for (const person of people) expect((await balanceOf(person)) - person.before).toBe(person.amount);
    expect(await findViolations(service.store)).toEqual([]);
    const { claimLines } = service.store.tables;
    const released = await service.store.read.select().from(claimLines);
    expect([released.length, new Set(released.map(({ txnId }) => txnId)).size]).toEqual([COUNT, COUNT]);
    process.stdout.write(
      `${COUNT} people claimed at once: ${COUNT} paid exactly once, 0 missing, 0 twice; the first claim was confirmed ` +
        `${FIRST_CONFIRMED} times, each other ${CONFIRMED} times\n`,
    );
  },
  ALL_MS * 2,
);

function newPerson(index: number): Person {
  const network = index % 2 === 0 ? 'base' : 'solana';
  const address = network === 'base' ? `0x${randomBytes(20).toString('hex')}` : Keypair.generate().publicKey.toBase58();
  return { handle: `torture_${index}`, network, address, amount: BigInt(10_000 + index), before: 0n };
}

/** One payment to all of them; on Solana they have an account already, so that nobody waits for the day's number of them. */
async function tip(network: Network, people: readonly Person[]): Promise<void> {
  const total = people.reduce((sum, { amount }) => sum + amount, 0n);
  const receivers = people.map(({ handle, amount }) => ({
    receiver: handle,
    amount: `0.${String(amount).padStart(6, '0')}`,
  }));
  if (network === 'solana') for (const { address } of people) await fundOn(service, 'solana', address);
  const header = await proofFrom(service, network, total);
  const reply = await post(`${service.url}/payments/x/batch-pay`, { receivers }, { 'PAYMENT-SIGNATURE': header });
  expect([reply.status, JSON.stringify(reply.body).slice(0, 200)]).toEqual([200, expect.any(String)]);
}

/** Proves the name and confirms, several times at once; answers the statuses. */
async function claim({ handle, network, address }: Person, index: number): Promise<number[]> {
  const collector = createCollector(service.url);
  const opened = await collector.open('x', handle, { [network]: address });
  await collector.signIn(opened.oauth?.url ?? '', handle);
  const token = await collector.confirmToken(opened.claim_id);
  const times = index === 0 ? FIRST_CONFIRMED : CONFIRMED;
  return Promise.all(Array.from({ length: times }, () => collector.confirm(opened.claim_id, token)));
}

async function balanceOf({ network, address }: Person): Promise<bigint> {
  if (network === 'base') return basePartsOf(service).rpc.balanceOf(address as Hex);
  return readUsdcBalance(rpcUrlOf(service, 'solana'), address);
}

async function statusesOfPayouts(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of await service.store.read.select().from(service.store.tables.transfers)) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
