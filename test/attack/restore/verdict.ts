import { eq } from 'drizzle-orm';
import { unexplainedTransfers } from '../../../db/operator/suspense.ts';
import type { Restored } from './side.ts';
import type { Wish, World } from './world.ts';

const LISTED_MAX = 10_000;

/**
 * What is wrong at the end, in words. The chain says who paid and who got what; the books are asked only for what they
 * list for the operator, and for what still waits to be collected. `planted`: the kinds that the list must hold.
 */
export async function findFaults(world: World, service: Restored, planted: readonly string[]): Promise<string[]> {
  const { paidIn, paidOut } = await world.moved();
  const listed = await listedPayers(service);
  const waiting = await waitingOf(service);
  const faults: string[] = [];
  for (const [payer, wishes] of byPayer(world.wishes)) {
    const kind = wishes[0]?.kind ?? '';
    const say = (what: string) => faults.push(`${kind} of ${payer}: ${what}`);
    const inward = paidIn.get(payer) ?? 0n;
    const wanted = sumOf(wishes.map(({ total }) => total));
    const parts = wishes.flatMap((wish) => wish.parts);
    const outward = sumOf(parts.map(({ wallet }) => paidOut.get(wallet) ?? 0n));
    const back = paidOut.get(payer) ?? 0n;
    for (const { name, wallet, amount } of parts) {
      const got = paidOut.get(wallet) ?? 0n;
      if (got !== 0n && got !== amount) say(`${name} got ${got} instead of ${amount}`);
    }
    if (inward > wanted) say(`charged ${inward} for ${wanted}`);
    if (outward + back > inward) say(`${outward} paid out and ${back} given back of ${inward}`);
    const isListed = listed.has(payer);
    if (isListed !== planted.includes(kind)) say(isListed ? 'is listed' : 'is not listed');
    if (!isListed && outward + back + (waiting.get(payer) ?? 0n) < inward) say(`is robbed of a part of ${inward}`);
    const paid = wishes.filter(({ answers }) => answers.some(({ status }) => status === 200));
    if (inward < sumOf(paid.map(({ total }) => total))) say('was told 200 and not charged');
  }
  return faults;
}

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

function byPayer(wishes: readonly Wish[]): Map<string, Wish[]> {
  const found = new Map<string, Wish[]>();
  for (const wish of wishes) {
    const payer = wish.payer.address;
    found.set(payer, [...(found.get(payer) ?? []), wish]);
  }
  return found;
}

/** `operator suspense` and `operator held`. */
async function listedPayers({ store }: Restored): Promise<Set<string>> {
  const { lines, payments, transfers } = store.tables;
  const held = await store.read
    .select({ payer: payments.payer })
    .from(transfers)
    .innerJoin(lines, eq(lines.payoutId, transfers.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(eq(transfers.status, 'held'));
  const open = await unexplainedTransfers(store, LISTED_MAX);
  return new Set([...held.map(({ payer }) => payer), ...open.map(({ transfer }) => transfer.fromAddress)]);
}

/** Owed by the books to people who have not collected it. */
async function waitingOf({ store }: Restored): Promise<Map<string, bigint>> {
  const { lines, payments } = store.tables;
  const rows = await store.read
    .select({ payer: payments.payer, amount: lines.amountMicroUsdc })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(eq(lines.status, 'escrowed'));
  const sums = new Map<string, bigint>();
  for (const { payer, amount } of rows) sums.set(payer, (sums.get(payer) ?? 0n) + amount);
  return sums;
}
