/** What a carrier carries. Kinds never share a carrier: they differ in whose money it is and in what follows. */
export const CARRIER_KINDS = ['inbound', 'payout', 'withdrawal', 'sweep'] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];

export type CarrierRules = {
  /** Whether it is signed and sent while signing is stopped. */
  duringStop: 'waits' | 'goes on';
  /** The failpoints around storing and sending; see `core/failpoints.ts`. */
  failpoint: 'settle' | 'payout' | 'sweep';
};

export type Carriers = Readonly<Record<CarrierKind, CarrierRules>>;

/**
 * How the kinds differ. A stop means that something about our own money is not understood. Withdrawals from personal
 * wallets go on during a stop: they move their owner's money under the owner's signature, and only the fee is ours.
 */
export const CARRIERS: Carriers = {
  inbound: { duringStop: 'waits', failpoint: 'settle' },
  payout: { duringStop: 'waits', failpoint: 'payout' },
  sweep: { duringStop: 'waits', failpoint: 'sweep' },
  // Payout's failpoints: a crash here must be as harmless as with a payout.
  withdrawal: { duringStop: 'goes on', failpoint: 'payout' },
};
