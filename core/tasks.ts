/**
 * Tasks of agents that a plain transfer pays (contract, section 7). A transaction hash is public, so an amount that
 * only its caller was told binds a transfer to its task.
 */

/** How long a task is open. A later transfer still pays it while its amount is reserved. */
export const TASK_LIFE_MS = 3_600_000;
export const RESERVED_AFTER_MS = 7 * 86_400_000;

/** Unpaid tasks of one caller. In local mode all callers share one address. */
export const UNPAID_TASKS_MAX = 20;
export const UNPAID_TASKS_MAX_LOCAL = 2_000;

export const EXTRA_MAX = 9_999n;
const ROUND = 1_000n;

/** The id of a task in `purchases`: the first payer, by signature or by transfer, takes it. */
export function taskOrderId(taskId: string): string {
  return `a2a:${taskId}`;
}

/**
 * The free amounts for a task of this price: 1 to 9,999 micro-USDC above it, none that is taken, and no round one,
 * because people send round amounts by themselves.
 */
export function freeAmounts(price: bigint, taken: ReadonlySet<bigint>): bigint[] {
  const free: bigint[] = [];
  for (let amount = price + 1n; amount <= price + EXTRA_MAX; amount += 1n) {
    if (amount % ROUND !== 0n && !taken.has(amount)) free.push(amount);
  }
  return free;
}
