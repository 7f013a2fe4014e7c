import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { readHolding, readHoldings } from './balance.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { AmountForm } from '../../core/grammar/amount.ts';
import type { PayingNetwork } from '../shared/networks.ts';
import { totalFor, type PinnedTerms } from '../shared/terms.ts';

type Deps = Pick<CoreDeps, 'networks' | 'log'>;
/** One payment is made on one network, so both are decided together, once; the order then has a plain amount. */
export type Funding = { paying: PayingNetwork; amount: MicroUsdc };

/** `all` and `half` mean the network on which the wallet holds most now. */
export async function decideFunding(deps: Deps, walletId: string, form: AmountForm): Promise<Funding> {
  if (form.kind === 'exact') return { paying: await networkFor(deps, walletId, form.amount), amount: form.amount };
  const { paying, amount: held } = await largestHolding(deps, walletId);
  const all = largestAmount(held, paying.pinned);
  return { paying, amount: form.kind === 'all' ? all : microUsdc(all / 2n) };
}

/** The first network that has enough. If none has, the first of all: the API refuses it, and says why. */
async function networkFor(deps: Deps, walletId: string, amount: MicroUsdc): Promise<PayingNetwork> {
  const [first, ...others] = deps.networks;
  if (others.length === 0) return first;
  for (const paying of deps.networks) {
    const held = await readHolding(deps, paying, walletId);
    if (held.amount !== null && held.amount >= totalFor(amount, paying.pinned)) return paying;
  }
  return first;
}

async function largestHolding(deps: Deps, walletId: string): Promise<Funding> {
  const [first] = deps.networks;
  const holdings = await readHoldings(deps, walletId);
  return holdings.reduce<Funding>(
    (most, { paying, amount }) => (amount !== null && amount > most.amount ? { paying, amount } : most),
    { paying: first, amount: microUsdc(0n) },
  );
}

/** The largest amount that a balance pays for together with its fee: rounding the fee up stays within what is cut here. */
function largestAmount(balance: MicroUsdc, { feeBps, feeFlat }: PinnedTerms): MicroUsdc {
  if (balance <= feeFlat) return microUsdc(0n);
  return microUsdc(((balance - feeFlat) * 10_000n) / BigInt(10_000 + feeBps));
}
