import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { REST_LINE, type TransferIdOf, type TransferSource } from '../../core/transfers/source.ts';
import type { LineRow, PaymentRow, TransferRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import type { Store } from '../store/store.ts';
import { isBooked } from '../transfers/find.ts';
import { sourceOfLine, sourceOfRefund } from '../transfers/line-source.ts';
import type { ChainNames } from './paid-before.ts';
import type { ObservedRow } from './suspense.ts';

type RefundRow = Tables['refunds']['$inferSelect'];

export type LineCandidate = { kind: 'line'; id: string; line: LineRow; payment: PaymentRow };

/** What a transfer of the lost time may have left for, by these books and by what they have seen on the chain. */
export type Candidate =
  | { kind: 'transfer'; id: string; transfer: TransferRow }
  | LineCandidate
  | { kind: 'refund'; id: string; refund: RefundRow }
  | { kind: 'inbound'; id: string; inbound: ObservedRow; line: number };

export type Naming = { transferIdOf: TransferIdOf; namesOf: (transferId: string) => ChainNames };

/** By nonce and by tag: each transfer that has not landed, each open line and refund, and each line of lost money. */
export async function lostNames(store: Store, naming: Naming): Promise<Map<string, Candidate>> {
  const found = new Map<string, Candidate>();
  const all = [
    ...(await openTransfers(store)),
    ...(await openLines(store, naming)),
    ...(await openRefunds(store, naming)),
    ...(await inboundLines(store, naming)),
  ];
  for (const candidate of all) {
    const { nonce, tag } = naming.namesOf(candidate.id);
    // What the books know more about comes first.
    for (const name of [nonce, tag]) if (!found.has(name)) found.set(name, candidate);
  }
  return found;
}

async function openTransfers({ read, tables }: Store): Promise<Candidate[]> {
  const { transfers } = tables;
  const isOpen = inArray(transfers.status, ['held', 'queued', 'assigned', 'broadcast']);
  const rows = await read
    .select()
    .from(transfers)
    .where(and(isBooked(tables), isOpen));
  return rows.map((transfer) => ({ kind: 'transfer', id: transfer.id, transfer }));
}

async function openLines({ read, tables }: Store, { transferIdOf }: Naming): Promise<Candidate[]> {
  const { lines, payments } = tables;
  const rows = await read
    .select({ line: lines, payment: payments })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(
      and(
        inArray(lines.status, ['escrowed', 'resolving']),
        isNull(lines.payoutId),
        inArray(payments.status, ['settled', 'final']),
      ),
    );
  return rows.map(({ line, payment }) => ({
    kind: 'line',
    id: transferIdOf(sourceOfLine(payment, line)),
    line,
    payment,
  }));
}

async function openRefunds({ read, tables }: Store, { transferIdOf }: Naming): Promise<Candidate[]> {
  const open = await read.select().from(tables.refunds).where(isNull(tables.refunds.payoutId));
  const found: Candidate[] = [];
  for (const refund of open)
    found.push({ kind: 'refund', id: transferIdOf(await sourceOfRefund(read, tables, refund)), refund });
  return found;
}

/** How many lines it was for is not on the chain. */
async function inboundLines({ read, tables }: Store, { transferIdOf }: Naming): Promise<Candidate[]> {
  const { observedTransfers: seen } = tables;
  const isOpen = or(isNull(seen.consumedBy), eq(seen.consumedBy, 'suspense'));
  const rows = await read
    .select()
    .from(seen)
    .where(and(eq(seen.outgoing, false), eq(seen.landed, true), isOpen));
  return rows.flatMap((inbound) =>
    linesOfInbound(inbound).map((source): Candidate => ({
      kind: 'inbound',
      id: transferIdOf(source),
      inbound,
      line: source.line,
    })),
  );
}

/** Each line that the money may have been for, and what was left of it and went back. */
export function linesOfInbound({ network, fact }: Pick<ObservedRow, 'network' | 'fact'>): TransferSource[] {
  return Array.from({ length: REST_LINE + 1 }, (_, line) => ({ network, fact, line }));
}
