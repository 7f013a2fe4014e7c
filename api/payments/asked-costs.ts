import type { Network } from '../../core/networks.ts';
import { nothingLeft } from '../costs/costs.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { Proof } from './proof.ts';
import type { PaidRequest, Price } from './request.ts';

/** What a payment pays for its own cost, on the networks where that is asked. */
export type AskedCosts = ReadonlyMap<Network, bigint>;

type Asking = Pick<ApiDependencies, 'costs' | 'networks'>;

/** Where the day's free part is gone. From memory: a price costs no question. */
export function costsAsked({ costs, networks }: Asking, { lines }: Pick<PaidRequest, 'lines'>): AskedCosts {
  const asked = new Map<Network, bigint>();
  for (const { terms } of networks) {
    const { network } = terms;
    const line = costs?.isUsedUp(network) === true ? costs.lineOf(network, lines.length) : 0n;
    if (line > 0n) asked.set(network, line);
  }
  return asked;
}

/** The same for a payer who is named beforehand, so that nothing is signed in vain. */
export async function costsOfPayer(
  { costs, networks }: Asking,
  { lines, payer }: Pick<PaidRequest, 'lines' | 'payer'>,
  asked: AskedCosts,
): Promise<AskedCosts> {
  if (costs === undefined || payer === undefined || payer === null) return asked;
  const all = new Map(asked);
  for (const { terms } of networks) {
    const { network } = terms;
    const line = costs.lineOf(network, lines.length);
    if (line > 0n && !all.has(network) && (await costs.isCircling(network, payer))) all.set(network, line);
  }
  return all;
}

/** After this payer's free allowance. Throws where no cost is ever asked: then the network is out for the day. */
export function askedOn(
  { costs, now }: Pick<ApiDependencies, 'costs' | 'now'>,
  { lines }: Pick<PaidRequest, 'lines'>,
  network: Network,
): AskedCosts {
  const line = costs?.lineOf(network, lines.length) ?? 0n;
  if (line === 0n) throw nothingLeft(network, now());
  return new Map([[network, line]]);
}

/** A proof of exactly the price with its cost has agreed to it, whether it was asked or not. */
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
