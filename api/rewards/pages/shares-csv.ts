import { formatCsv } from '../../../core/csv.ts';
import { formatUsdc } from '../../../core/money.ts';
import type { ShownDistribution } from '../read.ts';

const COLUMNS = ['rank', 'username', 'user_id', 'weight', 'amount_usdc', 'status', 'txn_id', 'receipt'] as const;

/** Every share as a line; what only a payment makes known is empty before it. */
export function sharesCsv({ distribution, lines }: ShownDistribution): string {
  const rows = distribution.shares.map(({ username, userId, weightMillionths, amount }, index) => {
    const line = lines?.[index];
    return {
      rank: String(index + 1),
      username,
      user_id: userId,
      weight: (weightMillionths / 1_000_000).toFixed(6),
      amount_usdc: formatUsdc(amount),
      status: line?.status ?? '',
      txn_id: line === undefined ? '' : String(line.txn_id),
      receipt: line?.receipt ?? '',
    };
  });
  return formatCsv(COLUMNS, rows);
}
