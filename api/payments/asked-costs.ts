import type { Network } from '../../core/networks.ts';
import { nothingLeft } from '../costs/costs.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { Proof } from './proof.ts';
import type { Asker } from '../http/asker.ts';
import { payerOf, type Checked, type PaidRequest, type Price } from './request.ts';

/** What a payment pays for its own cost, on the networks where that is asked. */
export type AskedCosts = ReadonlyMap<Network, bigint>;

type Asking = Pick<ApiDependencies, 'costs' | 'networks'>;

/** Where the day's free part is used up. From memory, because naming a price must not cost a query. */
export function costsAsked({ costs, networks }: Asking, { lines }: { lines: { length: number } }): AskedCosts {
  const asked = new Map<Network, bigint>();
  for (const { terms } of networks) {
    const { network } = terms;
    const line = costs?.isUsedUp(network) === true ? costs.lineOf(network, lines.length) : 0n;
    if (line > 0n) asked.set(network, line);
  }
  return asked;
}

/**
 * The same for a payer named beforehand, or a caller, whose same request was refused a moment ago: stock clients name
 * nobody and sign the first terms that they get, so they would be refused for ever.
 */
export async function costsOfPayer(
  { costs, networks }: Asking,
  { lines, asker }: Pick<PaidRequest, 'lines' | 'asker'>,
  asked: AskedCosts,
  hash: string,
): Promise<AskedCosts> {
  if (costs === undefined || asker === undefined) return asked;
  const all = new Map(asked);
  const { payer } = asker;
  for (const { terms } of networks) {
    const { network } = terms;
    const line = costs.lineOf(network, lines.length);
    if (line === 0n || all.has(network)) continue;
    // For a named payer it does not matter what others at the same address were told.
    const name = payer === null ? callerName(asker, hash) : payerName(payer, hash);
    if (costs.wasRefused(network, name) || (payer !== null && (await costs.isCircling(network, payer))))
      all.set(network, line);
  }
  return all;
}

/**
 * So that the next price for this request includes the cost, for this payer and this caller. Their other requests may
 * still be free: whose cost we carry depends on the sum and on who is paid.
 */
export function noteRefused(
  { costs }: Pick<Asking, 'costs'>,
  { asker }: Pick<PaidRequest, 'asker'>,
  { proof, hash }: Pick<Checked, 'proof' | 'hash'>,
): void {
  const { network } = proof.network.terms;
  costs?.noteRefused(network, payerName(payerOf(proof), hash));
  if (asker !== undefined) costs?.noteRefused(network, callerName(asker, hash));
}

const payerName = (payer: string, hash: string): string => `payer ${payer} ${hash}`;
const callerName = ({ caller }: Asker, hash: string): string => `caller ${caller} ${hash}`;

/** After this payer's free allowance. Throws where a cost is never charged: then the network is out for the day. */
export function askedOn(
  { costs, now }: Pick<ApiDependencies, 'costs' | 'now'>,
  { lines }: Pick<PaidRequest, 'lines'>,
  network: Network,
): AskedCosts {
  const line = costs?.lineOf(network, lines.length) ?? 0n;
  if (line === 0n) throw nothingLeft(network, now());
  return new Map([[network, line]]);
}

/** A proof of exactly the price with its cost has agreed to it, whether it was charged or not. */
export function agreedPrice(
  { costs }: Pick<Asking, 'costs'>,
  { lines }: Pick<PaidRequest, 'lines'>,
  { network, authorization }: Proof,
  price: Price,
): Price {
  const line = costs?.lineOf(network.terms.network, lines.length) ?? 0n;
  if (line === 0n || authorization.value !== price.total + line) return price;
  return { ...price, fee: price.fee + line, cost: line, total: price.total + line };
}
