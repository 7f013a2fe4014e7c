import { shownAddress } from '../../chain/shown-address.ts';
import { microUsdc } from '../../core/money.ts';
import { networkTitle, transactionUrl } from '../../core/networks.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { WithdrawFacts } from '../../texts/withdrawals/en.ts';

/** A withdrawal as its texts need it. */
export function factsOf({ networks }: Pick<CoreDeps, 'networks'>, row: WithdrawalRow): WithdrawFacts {
  const place = networkTitle(row.network, caip2Of(networks, row.network));
  return { amount: microUsdc(row.amountMicroUsdc), place, address: shownAddress(row.toAddress) };
}

/** Play money is on no chain that an explorer knows. */
export function explorerLink({ networks, faucet }: Pick<CoreDeps, 'networks' | 'faucet'>, row: WithdrawalRow) {
  if (faucet !== undefined || row.landedTransaction === null) return null;
  return transactionUrl(caip2Of(networks, row.network), row.landedTransaction);
}

function caip2Of(networks: CoreDeps['networks'], network: string): string | null {
  return networks.find((one) => one.network === network)?.pinned.caip2 ?? null;
}
