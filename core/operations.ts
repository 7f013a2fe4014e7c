/** Paid operations. A proof is bound to one of them: the same body through another interface is another request. */
export const OPERATIONS = ['rest.pay', 'rest.batch-pay', 'rest.cross-batch-pay'] as const;
export type Operation = (typeof OPERATIONS)[number];

const BATCHES: readonly string[] = ['rest.batch-pay', 'rest.cross-batch-pay'] satisfies Operation[];

/** Whether the answer has a line per recipient. */
export function isBatch(operation: string): boolean {
  return BATCHES.includes(operation);
}
