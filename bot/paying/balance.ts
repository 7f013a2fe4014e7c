import { sumUsdc, type MicroUsdc } from '../../core/money.ts';
import { networkTitle } from '../../core/networks.ts';
import { within } from '../../queue/deadline.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PayingNetwork } from '../shared/networks.ts';

const BALANCE_LIMIT_MS = 8_000;
const FAUCET_LIMIT_MS = 30_000;

/** What a wallet holds on one network; null when that network does not say. `place` is its name for people. */
export type Holding = { paying: PayingNetwork; place: string; amount: MicroUsdc | null };

/** One per network. Throws when none of them answers: there is nothing to tell then. */
export async function readHoldings(deps: Pick<CoreDeps, 'networks' | 'log'>, walletId: string): Promise<Holding[]> {
  const holdings = await Promise.all(deps.networks.map((paying) => readHolding(deps, paying, walletId)));
  if (holdings.every(({ amount }) => amount === null)) throw new Error('no network says what the wallet holds');
  return holdings;
}

export async function readHolding(
  { log }: Pick<CoreDeps, 'log'>,
  paying: PayingNetwork,
  walletId: string,
): Promise<Holding> {
  const place = networkTitle(paying.network, paying.pinned.caip2);
  try {
    const amount = await within(readAmount(paying, walletId), BALANCE_LIMIT_MS, 'reading a balance');
    return { paying, place, amount };
  } catch (error) {
    log.warn({ network: paying.network, error: String(error) }, 'balance not read');
    return { paying, place, amount: null };
  }
}

/** Of what is known. */
export function sumOf(holdings: readonly Holding[]): MicroUsdc {
  return sumUsdc(holdings.flatMap(({ amount }) => amount ?? []));
}

/** Asks for play money and answers what is there afterwards. Throws outside local mode. */
export async function takePlayMoney(
  deps: Pick<CoreDeps, 'networks' | 'log' | 'faucet'>,
  walletId: string,
): Promise<MicroUsdc> {
  if (!deps.faucet) throw new Error('there is play money in local mode only, and this is not local mode');
  await within(deps.faucet(walletId), FAUCET_LIMIT_MS, 'getting play money');
  return sumOf(await readHoldings(deps, walletId));
}

async function readAmount({ addressOf, balanceOf }: PayingNetwork, walletId: string): Promise<MicroUsdc> {
  return balanceOf(await addressOf(walletId));
}
