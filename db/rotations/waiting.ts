import { sql, type SQL } from 'drizzle-orm';
import type { Tables } from '../schema/tables.ts';
import type { Former } from './formers.ts';

/**
 * Of the transfers of the surrounding query those whose money came to this address: payouts and refunds of lines that were
 * paid there, and returns of what nothing explained.
 */
export function cameTo(tables: Tables, { network, address }: Pick<Former, 'network' | 'address'>): SQL {
  const { lines, observedTransfers: seen, payments, refunds, transfers } = tables;
  const isPaidThere = sql`${payments.network} = ${network} and coalesce(${payments.landedAddress}, ${payments.payTo}) = ${address}`;
  const ofLines = sql`select 1 from ${lines} inner join ${payments} on ${payments.id} = ${lines.paymentId}
    where ${lines.payoutId} = ${transfers.id} and ${isPaidThere}`;
  const ofReturns = sql`select 1 from ${refunds} inner join ${seen} on ${seen.fact} = substr(${refunds.id}, 8)
    where ${refunds.network} = ${network} and ${refunds.payoutId} = ${transfers.id}
      and ${refunds.id} like 'return:%' and ${seen.network} = ${network} and ${seen.toAddress} = ${address}`;
  return sql`(exists (${ofLines}) or exists (${ofReturns}))`;
}
