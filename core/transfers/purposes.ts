import type { CarrierKind } from './carriers.ts';

/**
 * Why USDC leaves an address of ours or a personal wallet. A `refund` goes back to a payer or sender; a `sweep` stays
 * ours.
 */
export const TRANSFER_PURPOSES = ['payout', 'refund', 'operator_withdrawal', 'sweep', 'wallet_withdrawal'] as const;
export type TransferPurpose = (typeof TRANSFER_PURPOSES)[number];

export type TransferKind = Exclude<CarrierKind, 'inbound'>;

/** Whose key signs. A wallet's does so in the bot, the others in the worker. */
export type Authority = 'treasury' | 'swept address' | 'wallet';

export type TransferRules = {
  authority: Authority;
  /** The kind of its carriers, which kinds never share, and with it what a stop of signing does (`core/transfers/carriers.ts`). */
  carrier: TransferKind;
  /**
   * `reserved`: its amount leaves an account when it is planned, and goes back there when it dies. `moved`: both ends
   * are ours, so nothing is booked before it lands. `none`: it is not our money, and no scan sees it.
   */
  ledger: 'reserved' | 'moved' | 'none';
};

export const TRANSFERS = {
  payout: { authority: 'treasury', carrier: 'payout', ledger: 'reserved' },
  refund: { authority: 'treasury', carrier: 'payout', ledger: 'reserved' },
  operator_withdrawal: { authority: 'treasury', carrier: 'payout', ledger: 'reserved' },
  sweep: { authority: 'swept address', carrier: 'sweep', ledger: 'moved' },
  wallet_withdrawal: { authority: 'wallet', carrier: 'withdrawal', ledger: 'none' },
} as const satisfies Record<TransferPurpose, TransferRules>;

/** The purposes whose transfers may share a carrier of this kind. */
export function purposesOf(kind: TransferKind): TransferPurpose[] {
  return TRANSFER_PURPOSES.filter((purpose) => TRANSFERS[purpose].carrier === kind);
}

/** The purposes that the ledger knows of: the scan sees them land. */
export const BOOKED_PURPOSES = TRANSFER_PURPOSES.filter((purpose) => TRANSFERS[purpose].ledger !== 'none');
