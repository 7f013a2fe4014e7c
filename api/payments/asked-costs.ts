import type { Network } from '../../core/networks.ts';
import { nothingLeft } from '../costs/costs.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { Proof } from './proof.ts';
import type { Asker } from '../http/asker.ts';
import { payerOf, type Checked, type PaidRequest, type Price } from './request.ts';

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

/**
 * The same for a payer who is named beforehand, or a caller to whom this request was refused a moment ago: stock clients name
 * nobody, sign the first terms that they get, and would be refused for ever.
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
    // Of a named payer it does not matter what others at the same address were told.
    const name = payer === null ? callerName(asker, hash) : payerName(payer);
    if (costs.wasRefused(network, name) || (payer !== null && (await costs.isCircling(network, payer))))
      all.set(network, line);
  }
  return all;
}

/** So that the next price of this payer, and the next for the same request of this caller, has the line. */
export function noteRefused(
  { costs }: Pick<Asking, 'costs'>,
  { asker }: Pick<PaidRequest, 'asker'>,
  { proof, hash }: Pick<Checked, 'proof' | 'hash'>,
): void {
  const { network } = proof.network.terms;
  costs?.noteRefused(network, payerName(payerOf(proof)));
  if (asker !== undefined) costs?.noteRefused(network, callerName(asker, hash));
}

const payerName = (payer: string): string => `payer ${payer}`;
const callerName = ({ caller }: Asker, hash: string): string => `caller ${caller} ${hash}`;

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
