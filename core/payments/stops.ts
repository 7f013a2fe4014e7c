import type { CarrierKind, Carriers } from '../transfers/carriers.ts';
import type { Network } from '../networks.ts';
import type { StopScope } from './outages.ts';

/**
 * What a stop halts. `payments`: new ones, while those that were taken are settled and paid out. `payouts`: what leaves for
 * recipients, payers and the operator, while payments are taken; what was sent before may get higher fees, or its nonce
 * would keep their lane. `signing`: all of this, and sweeps.
 */
export const STOP_KINDS = ['payments', 'payouts', 'signing'] as const;
export type StopKind = (typeof STOP_KINDS)[number];

/** Why something is stopped. What is not understood about our money stops all signing. */
export const STOP_REASONS = {
  unexplained_outflow: 'signing',
  invariant_broken: 'signing',
  books_behind_chain: 'signing',
  database_restored: 'signing',
  operator: 'signing',
  operator_payments: 'payments',
  operator_payouts: 'payouts',
  wind_down: 'payments',
} as const satisfies Record<string, StopKind>;

export type StopReason = keyof typeof STOP_REASONS;

/** The operator's own stops, by what they halt. */
export const OPERATOR_STOPS = {
  payments: 'operator_payments',
  payouts: 'operator_payouts',
  signing: 'operator',
} as const satisfies Record<StopKind, StopReason>;

type Stop = { reason: string; network: StopScope };

/** A reason that this program does not know, such as a newer one's, halts everything. */
export function kindOfStop({ reason }: Pick<Stop, 'reason'>): StopKind {
  return new Map<string, StopKind>(Object.entries(STOP_REASONS)).get(reason) ?? 'signing';
}

export const isStopOn = ({ network: scope }: Stop, network: Network): boolean => scope === 'all' || scope === network;

/** The service ends: it takes no payments any more, and gives back what waits. */
export const WIND_DOWN = 'wind_down' satisfies StopReason;

/** Whether an operator has ordered it, so that nobody has to be told. */
export function isOrdered({ reason }: Pick<Stop, 'reason'>): boolean {
  return reason === WIND_DOWN || reason.startsWith('operator');
}

export type StopOutage = 'stopped' | 'payments_stopped' | 'wind_down';

/** Why new payments are not taken on a network, by the stops alone; null: they are. What will not end is named first. */
export function stopOutageOn(stops: readonly Stop[], network: Network): StopOutage | null {
  const found = stops.filter((stop) => isStopOn(stop, network));
  if (found.some(({ reason }) => reason === WIND_DOWN)) return 'wind_down';
  const kinds = found.map(kindOfStop);
  if (kinds.includes('signing')) return 'stopped';
  return kinds.includes('payments') ? 'payments_stopped' : null;
}

/** A `replacement` has the calls and the nonce of one that was sent before: only one of them can ever land. */
export type CarrierStep = 'new' | 'replacement';
type Signed = { kind: CarrierKind; step: CarrierStep };

/** Whether such a carrier waits while these stops stand on its network. */
export function isHalted(stops: readonly Pick<Stop, 'reason'>[], signed: Signed, carriers: Carriers): boolean {
  return stops.map(kindOfStop).some((halted) => HALTS[halted](signed, carriers));
}

const HALTS: Readonly<Record<StopKind, (signed: Signed, carriers: Carriers) => boolean>> = {
  payments: () => false,
  payouts: ({ kind, step }) => kind === 'payout' && step === 'new',
  signing: ({ kind }, carriers) => carriers[kind].duringStop === 'waits',
};
