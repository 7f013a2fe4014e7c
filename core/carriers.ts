/** What a carrier carries. Different kinds never share one: they differ in whose money it is, and in what follows. */
export const CARRIER_KINDS = ['inbound', 'payout', 'withdrawal', 'sweep'] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];

export type CarrierRules = {
  /** Whether it is signed and sent while signing is stopped. */
  duringStop: 'waits' | 'goes on';
  /** The failpoints around storing and sending it; see `core/failpoints.ts`. */
  failpoint: 'settle' | 'payout' | 'sweep';
};

export type Carriers = Readonly<Record<CarrierKind, CarrierRules>>;

/**
 * What the kinds differ in. A stop, whatever its reason, says that something about our own money is not understood.
 * Withdrawals from personal wallets touch none of it: their owners have signed them, and we give the fee. So they go on.
 */
export const CARRIERS: Carriers = {
  inbound: { duringStop: 'waits', failpoint: 'settle' },
  payout: { duringStop: 'waits', failpoint: 'payout' },
  sweep: { duringStop: 'waits', failpoint: 'sweep' },
  // What a process that dies here must not lose is the same as for payouts.
  withdrawal: { duringStop: 'goes on', failpoint: 'payout' },
};
