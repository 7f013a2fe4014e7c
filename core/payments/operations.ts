/** The same body through another interface is another request. */
export type Interface = 'rest' | 'mcp' | 'a2a';
/** What a payment is for. */
export const PAID_KINDS = ['pay', 'batch-pay', 'cross-batch-pay', 'confirm-distribution'] as const;
export type PaidKind = (typeof PAID_KINDS)[number];
/** The operation to which a payment proof is bound by its first use. */
export type Operation = `${Interface}.${PaidKind}`;

/** Whether the answer has a line per recipient. */
export function isBatch(operation: string): boolean {
  return operation.endsWith('batch-pay') || operation.endsWith('confirm-distribution');
}
