import { NETWORKS, type Network } from '../networks.ts';

/**
 * Why a network leaves the terms of new payments. The texts are public, so they name no address and no sum; they go
 * behind "Base is out: ".
 */
export const OUTAGES = {
  stopped: 'signing is stopped until the operator has looked',
  payments_stopped: 'its operator takes no new payments for now',
  wind_down: 'this service is closing and takes no more payments',
  no_worker: 'no worker settles on it',
  no_answer: 'its node does not answer',
  nodes_disagree: 'its two nodes contradict each other',
  behind: 'its chain is not read to its newest block',
  clock: 'its newest block is minutes away from this computer’s clock: one of the two stands wrong',
  finality: 'its chain takes too long to make blocks final',
  fees: 'gas costs more than the limit of this network',
  no_gas: 'no wallet that pays for its transactions has enough of its coin',
  treasury_unfunded: 'the treasury has not enough of its coin to send USDC',
  signer_away: 'the service that keeps its keys does not sign now',
  budget: 'what it may cost in a day is used up',
  token_paused: 'its issuer has paused USDC there',
  treasury_barred: 'the issuer of USDC bars the treasury',
} as const;

export type Outage = keyof typeof OUTAGES;

export function findOutage(word: unknown): Outage | null {
  return OUTAGE_WORDS.find((known) => known === word) ?? null;
}

/** Object.keys drops the type of the keys. */
export const OUTAGE_WORDS = Object.keys(OUTAGES) as [Outage, ...Outage[]];

/** How a worker finds a network's second node: `left_out`: the first is trusted alone. */
export const SECOND_NODES = ['compared', 'left_out'] as const;
export type SecondNode = (typeof SECOND_NODES)[number];

/** Where signing is stopped: on one network, or on all. */
export type StopScope = Network | 'all';
export const STOP_SCOPES = [...NETWORKS, 'all'] as const satisfies readonly StopScope[];
