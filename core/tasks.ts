/**
 * Tasks of agents that are paid by a plain transfer (contract, section 7). A transaction hash is public, so what binds
 * a transfer to its task is an amount that nobody else was told.
 */

/** How long a task stands open. A transfer that comes later still pays it while its amount is reserved. */
export const TASK_LIFE_MS = 3_600_000;
export const RESERVED_AFTER_MS = 7 * 86_400_000;

/** Unpaid tasks of one caller. In local mode everybody comes from the same address. */
export const UNPAID_TASKS_MAX = 20;
export const UNPAID_TASKS_MAX_LOCAL = 2_000;

export const EXTRA_MAX = 9_999n;
const ROUND = 1_000n;

/** What `purchases` knows a task by: whoever pays it first, by a signature or by a transfer, takes it. */
export function taskOrderId(taskId: string): string {
  return `a2a:${taskId}`;
}

/**
 * The amounts that a task of this price may be given: 1 to 9,999 micro-USDC above it, never a round one, because people
 * send round amounts by themselves, and none that is taken.
 */
export function freeAmounts(price: bigint, taken: ReadonlySet<bigint>): bigint[] {
  const free: bigint[] = [];
  for (let amount = price + 1n; amount <= price + EXTRA_MAX; amount += 1n) {
    if (amount % ROUND !== 0n && !taken.has(amount)) free.push(amount);
  }
  return free;
}
