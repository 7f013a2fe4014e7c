import type { CarrierKind } from './carriers.ts';

/** Why USDC leaves an address of ours. A `refund` goes back to a payer or sender; a `sweep` stays ours. */
export const TRANSFER_PURPOSES = ['payout', 'refund', 'operator_withdrawal', 'sweep'] as const;
export type TransferPurpose = (typeof TRANSFER_PURPOSES)[number];

export type TransferKind = Exclude<CarrierKind, 'inbound'>;

/** Whose key signs. */
export type Authority = 'treasury' | 'task address';

export type TransferRules = {
  authority: Authority;
  /** The kind of its carriers, which kinds never share, and with it what a stop of signing does (`core/transfers/carriers.ts`). */
  carrier: TransferKind;
  /**
   * `reserved`: its amount leaves an account when it is planned, and goes back there when it dies. `moved`: both ends
   * are ours, so nothing is booked before it lands.
   */
  ledger: 'reserved' | 'moved';
};

export const TRANSFERS = {
  payout: { authority: 'treasury', carrier: 'payout', ledger: 'reserved' },
  refund: { authority: 'treasury', carrier: 'payout', ledger: 'reserved' },
  operator_withdrawal: { authority: 'treasury', carrier: 'payout', ledger: 'reserved' },
  sweep: { authority: 'task address', carrier: 'sweep', ledger: 'moved' },
} as const satisfies Record<TransferPurpose, TransferRules>;

/** The purposes whose transfers may share a carrier of this kind. */
export function purposesOf(kind: TransferKind): TransferPurpose[] {
  return TRANSFER_PURPOSES.filter((purpose) => TRANSFERS[purpose].carrier === kind);
}
