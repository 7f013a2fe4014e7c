import { and, eq, inArray, sql } from 'drizzle-orm';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Store } from '../store/store.ts';

/** What has come to a person and gone from them, besides what lies in their wallets. */
export type PersonSums = {
  /** Not collected yet. */
  waiting: MicroUsdc;
  /** It has arrived. */
  received: MicroUsdc;
  /** Without what came back. */
  sent: MicroUsdc;
};

/** `identityIds`: who the person was proven to be. `payers`: the addresses that they pay from. */
export async function sumsOfPerson(
  store: Store,
  { identityIds, payers }: { identityIds: readonly string[]; payers: readonly string[] },
): Promise<PersonSums> {
  const [come, sent] = await Promise.all([comeTo(store, identityIds), sentFrom(store, payers)]);
  return { ...come, sent };
}

async function comeTo(store: Store, identityIds: readonly string[]): Promise<Omit<PersonSums, 'sent'>> {
  const { lines, payments, transfers } = store.tables;
  const isHere = inArray(lines.identityId, [...identityIds]);
  const sum = sql<string | number | null>`sum(${lines.amountMicroUsdc})`;
  const [waiting] = await store.read
    .select({ sum })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(isHere, eq(lines.status, 'escrowed'), inArray(payments.status, ['settled', 'final'])));
  const [received] = await store.read
    .select({ sum })
    .from(lines)
    .innerJoin(transfers, eq(transfers.id, lines.payoutId))
    .where(and(isHere, eq(lines.status, 'paying'), inArray(transfers.status, ['confirmed', 'final'])));
  return { waiting: toSum(waiting), received: toSum(received) };
}

async function sentFrom(store: Store, payers: readonly string[]): Promise<MicroUsdc> {
  const { lines, payments } = store.tables;
  const [sent] = await store.read
    .select({ sum: sql<string | number | null>`sum(${lines.amountMicroUsdc})` })
    .from(payments)
    .innerJoin(lines, eq(lines.paymentId, payments.id))
    .where(
      and(
        inArray(payments.payer, [...payers]),
        inArray(payments.status, ['settled', 'final']),
        inArray(lines.status, ['resolving', 'escrowed', 'paying']),
      ),
    );
  return toSum(sent);
}

function toSum(row: { sum: string | number | null } | undefined): MicroUsdc {
  return microUsdc(BigInt(row?.sum ?? 0));
}
