/**
 * Tasks of agents that a plain transfer pays. A transaction hash is public, so an amount that
 * only its caller was told binds a transfer to its task.
 */

/** How long a task is open. A later transfer still pays it while its amount is reserved. */
export const TASK_LIFE_MS = 3_600_000;
export const RESERVED_AFTER_MS = 7 * 86_400_000;

/** Tasks of one caller that wait for their payment, unless the operator says otherwise. */
export const RESERVATIONS_MAX = 20;

const EXTRA_MAX = 9_999n;
const ROUND = 1_000n;

const ORDERED = 'a2a:';

/** The id of a task in `purchases`: the first payer, by signature or by transfer, takes it. */
export function taskOrderId(taskId: string): string {
  return `${ORDERED}${taskId}`;
}

/** The task that an id in `purchases` names; null where it is no task's. */
export function taskOfOrder(orderId: string): string | null {
  return orderId.startsWith(ORDERED) ? orderId.slice(ORDERED.length) : null;
}

/** The most that an amount may be above its price: a tenth of it, so that a small payment does not cost double. */
export function extraMax(price: bigint): bigint {
  const tenth = price / 10n;
  // Of 1,000 amounts in a row one is round, so this leaves 999.
  const most = tenth < ROUND ? ROUND : tenth;
  return most > EXTRA_MAX ? EXTRA_MAX : most;
}

/** An amount or a price of another task. After `expiresAtMs` it may be given out again. */
export type Held = { micro: bigint; expiresAtMs: number };

export type ChosenAmount =
  /** `isReused`: it was an expired task's, which can no longer be paid by it. */
  | { kind: 'chosen'; amount: bigint; isReused: boolean }
  /** `freeAtMs`: when the first of those in the way expires. */
  | { kind: 'none'; freeAtMs: number };

/**
 * The amount of a task of this price: above it, not a round one, because people send round amounts by themselves, and
 * random, so that no one can prepare for it. When half of them are taken, the expired ones are given out again, oldest
 * first: strangers who open tasks and pay none use up no price for longer than their tasks last. A plain price never pays
 * for anything: an amount must not be another task's plain price, and this price must not be another task's amount.
 */
export function chooseAmount(
  price: bigint,
  held: { amounts: readonly Held[]; prices: readonly Held[] },
  nowMs: number,
  pick: (below: number) => number,
): ChosenAmount {
  const untilMs = latestOf([...held.amounts, ...held.prices.filter(({ micro }) => micro !== price)]);
  const priceUntilMs = untilMs.get(price) ?? -Infinity;
  if (priceUntilMs > nowMs) return { kind: 'none', freeAtMs: priceUntilMs };
  const all = amountsOf(price);
  const free = all.filter((amount) => !untilMs.has(amount));
  if (free.length * 2 <= all.length) {
    const oldest = oldestOf(all, untilMs);
    if (oldest !== null && oldest.expiresAtMs <= nowMs) return { kind: 'chosen', amount: oldest.micro, isReused: true };
    if (oldest !== null && free.length === 0) return { kind: 'none', freeAtMs: oldest.expiresAtMs };
  }
  const amount = free[pick(free.length)];
  if (amount === undefined) throw new Error(`expected a free amount for ${price}, found none of ${free.length}`);
  return { kind: 'chosen', amount, isReused: false };
}

function amountsOf(price: bigint): bigint[] {
  const amounts: bigint[] = [];
  for (let amount = price + 1n; amount <= price + extraMax(price); amount += 1n) {
    if (amount % ROUND !== 0n) amounts.push(amount);
  }
  return amounts;
}

function latestOf(held: readonly Held[]): Map<bigint, number> {
  const untilMs = new Map<bigint, number>();
  for (const { micro, expiresAtMs } of held) untilMs.set(micro, Math.max(expiresAtMs, untilMs.get(micro) ?? -Infinity));
  return untilMs;
}

function oldestOf(amounts: readonly bigint[], untilMs: ReadonlyMap<bigint, number>): Held | null {
  let oldest: Held | null = null;
  for (const micro of amounts) {
    const expiresAtMs = untilMs.get(micro);
    if (expiresAtMs !== undefined && (oldest === null || expiresAtMs < oldest.expiresAtMs))
      oldest = { micro, expiresAtMs };
  }
  return oldest;
}
