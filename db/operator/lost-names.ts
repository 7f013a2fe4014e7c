import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL } from 'drizzle-orm';
import { REST_LINE, type TransferIdOf, type TransferSource } from '../../core/transfers/source.ts';
import type { LineRow, PaymentRow, TransferRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import type { Store } from '../store/store.ts';
import { isBooked } from '../transfers/find.ts';
import { sourceOfLine, sourceOfRefund } from '../transfers/line-source.ts';
import type { ChainNames, Outflow } from './paid-before.ts';
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

/** Rows that are read at once. Strangers decide how many there are in all, so only what bears a wanted name is kept. */
const PAGE = 200;

/**
 * By nonce and by tag, what these outflows may have left for: each transfer that has not landed, each open line and
 * refund, and each line of lost money. What the books know more about comes first. Of money that nothing explains, that
 * of the lost time comes before older money, which may have gone back in it as well, and the largest before the small:
 * once each outflow has its name, dust is not looked at.
 */
export async function lostNames(
  store: Store,
  naming: Naming,
  outflows: readonly Outflow[],
): Promise<Map<string, Candidate>> {
  const found = new Map<string, Candidate>();
  const wanted = new Set(outflows.flatMap(namesIn));
  const sources = [openTransfers, openLines, openRefunds, lostInboundLines, olderInboundLines];
  let unnamed = outflows;
  for (const read of sources) {
    if (unnamed.length === 0) break;
    for await (const candidate of read(store, naming)) {
      const { nonce, tag } = naming.namesOf(candidate.id);
      const names = [nonce, tag].filter((name) => wanted.has(name) && !found.has(name));
      if (names.length === 0) continue;
      for (const name of names) found.set(name, candidate);
      unnamed = unnamed.filter((out) => !namesIn(out).some((name) => found.has(name)));
      if (unnamed.length === 0) break;
    }
  }
  return found;
}

const namesIn = ({ nonce, memo }: Outflow): string[] => [nonce, memo].filter((name) => name !== null);

async function* inPages<Row>(readAfter: (last: Row | null) => Promise<Row[]>): AsyncGenerator<Row, void> {
  for (let last: Row | null = null; ;) {
    const rows: Row[] = await readAfter(last);
    yield* rows;
    last = rows.at(-1) ?? null;
    if (rows.length < PAGE) return;
  }
}

async function* openTransfers({ read, tables }: Store): AsyncGenerator<Candidate, void> {
  const { transfers } = tables;
  const isOpen = and(isBooked(tables), inArray(transfers.status, ['held', 'queued', 'assigned', 'broadcast']));
  const rows = inPages<TransferRow>((last) =>
    read
      .select()
      .from(transfers)
      .where(and(isOpen, last === null ? undefined : gt(transfers.id, last.id)))
      .orderBy(asc(transfers.id))
      .limit(PAGE),
  );
  for await (const transfer of rows) yield { kind: 'transfer', id: transfer.id, transfer };
}

async function* openLines({ read, tables }: Store, { transferIdOf }: Naming): AsyncGenerator<Candidate, void> {
  const { lines, payments } = tables;
  const isOpen = and(
    inArray(lines.status, ['escrowed', 'resolving']),
    isNull(lines.payoutId),
    inArray(payments.status, ['settled', 'final']),
  );
  const rows = inPages<{ line: LineRow; payment: PaymentRow }>((last) =>
    read
      .select({ line: lines, payment: payments })
      .from(lines)
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      .where(and(isOpen, last === null ? undefined : gt(lines.txnId, last.line.txnId)))
      .orderBy(asc(lines.txnId))
      .limit(PAGE),
  );
  for await (const { line, payment } of rows)
    yield { kind: 'line', id: transferIdOf(sourceOfLine(payment, line)), line, payment };
}

async function* openRefunds({ read, tables }: Store, { transferIdOf }: Naming): AsyncGenerator<Candidate, void> {
  const { refunds } = tables;
  const rows = inPages<RefundRow>((last) =>
    read
      .select()
      .from(refunds)
      .where(and(isNull(refunds.payoutId), last === null ? undefined : gt(refunds.id, last.id)))
      .orderBy(asc(refunds.id))
      .limit(PAGE),
  );
  for await (const refund of rows)
    yield { kind: 'refund', id: transferIdOf(await sourceOfRefund(read, tables, refund)), refund };
}

/** Above the backup's cursor. */
function lostInboundLines(store: Store, naming: Naming): AsyncGenerator<Candidate, void> {
  return inboundLines(store, naming, isNotNull(store.tables.restoredCursors.network));
}

function olderInboundLines(store: Store, naming: Naming): AsyncGenerator<Candidate, void> {
  return inboundLines(store, naming, isNull(store.tables.restoredCursors.network));
}

/** How many lines it was for is not on the chain. */
async function* inboundLines(
  { read, tables }: Store,
  { transferIdOf }: Naming,
  which: SQL,
): AsyncGenerator<Candidate, void> {
  const { observedTransfers: seen, restoredCursors } = tables;
  const isOpen = or(isNull(seen.consumedBy), eq(seen.consumedBy, 'suspense'));
  const isInbound = and(eq(seen.outgoing, false), eq(seen.landed, true), isOpen, which);
  const isLost = and(eq(restoredCursors.network, seen.network), gt(seen.block, restoredCursors.block));
  const isAfter = ({ amountMicroUsdc, fact }: ObservedRow) =>
    or(lt(seen.amountMicroUsdc, amountMicroUsdc), and(eq(seen.amountMicroUsdc, amountMicroUsdc), gt(seen.fact, fact)));
  const rows = inPages<ObservedRow>(async (last) => {
    const page = await read
      .select({ seen })
      .from(seen)
      .leftJoin(restoredCursors, isLost)
      .where(and(isInbound, last === null ? undefined : isAfter(last)))
      .orderBy(desc(seen.amountMicroUsdc), asc(seen.fact))
      .limit(PAGE);
    return page.map((row) => row.seen);
  });
  for await (const inbound of rows)
    for (const source of linesOfInbound(inbound))
      yield { kind: 'inbound', id: transferIdOf(source), inbound, line: source.line };
}

/** Each line that the money may have been for, and what was left of it and went back. */
export function linesOfInbound({ network, fact }: Pick<ObservedRow, 'network' | 'fact'>): TransferSource[] {
  return Array.from({ length: REST_LINE + 1 }, (_, line) => ({ network, fact, line }));
}
