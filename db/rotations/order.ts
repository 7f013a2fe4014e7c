import type { Family } from '../../core/networks.ts';

/** Where a transfer stands on its chain. */
export type Position = { block: number; logIndex: number };

type Before = (one: Position, other: Position) => boolean;
export type Order = { isAfter: Before; mayBeAfter: Before };

export const isPlacedAfter: Before = (one, other) =>
  one.block > other.block || (one.block === other.block && one.logIndex > other.logIndex);

/**
 * On SVM a place counts within its transaction only, and which of two in one slot came first is not known: what is safe is
 * assumed of them, that they took what was paid.
 */
export const ORDERS = {
  evm: { isAfter: isPlacedAfter, mayBeAfter: isPlacedAfter },
  svm: {
    isAfter: (one, other) => one.block > other.block,
    mayBeAfter: (one, other) => one.block >= other.block,
  },
} as const satisfies Record<Family, Order>;
