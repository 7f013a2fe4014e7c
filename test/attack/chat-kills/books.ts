import { eq, inArray, isNull } from 'drizzle-orm';
import type { TransferState } from '../../../core/states.ts';
import { plainText } from '../../../core/view.ts';
import type { Store } from '../../../db/store/store.ts';

/** What the books say of one recipient, whom exactly one tip was for. */
export type Entry = {
  orders: number;
  /** Answered, and the chat was told. */
  isOver: boolean;
  /** Payments that have landed. */
  payments: number;
  inEscrow: bigint;
};

export type Books = {
  /** By handle. */
  entries: ReadonlyMap<string, Entry>;
  /** When each order was written down, and when its end was told. */
  spans: readonly { transport: string; fromMs: number; toMs: number }[];
  /** What the web chat shows, by chat. */
  webChats: ReadonlyMap<string, readonly string[]>;
};

const UNDER_WAY: TransferState[] = ['queued', 'assigned', 'broadcast'];
const NOTHING: Entry = { orders: 0, isOver: false, payments: 0, inEscrow: 0n };

export async function readBooks(store: Store): Promise<Books> {
  const entries = new Map<string, Entry>();
  const add = (handle: string, change: (known: Entry) => Entry) =>
    entries.set(handle, change(entries.get(handle) ?? NOTHING));
  const orders = await readOrders(store);
  for (const { handle, status, shownAtMs } of orders) {
    const isOver = status === 'answered' && shownAtMs !== null;
    add(handle, (known) => ({ ...known, orders: known.orders + 1, isOver }));
  }
  for (const { handle } of await readLanded(store))
    add(handle, (known) => ({ ...known, payments: known.payments + 1 }));
  for (const { handle, balance } of await readEscrow(store)) {
    add(handle, (known) => ({ ...known, inEscrow: known.inEscrow - balance }));
  }
  const spans = orders.flatMap(({ transport, createdAtMs: fromMs, shownAtMs: toMs }) =>
    toMs === null ? [] : [{ transport, fromMs, toMs }],
  );
  return { entries, spans, webChats: await readWebChats(store) };
}

/**
 * Orders whose message is yet to be changed, payouts that are under way, and news of money that no message has.
 * So little that it can be asked for again and again.
 */
export async function countOpen({ read, tables: { orders, outbox, transfers } }: Store): Promise<number> {
  const [untold, underWay, news] = await Promise.all([
    read.select({ id: orders.id }).from(orders).where(isNull(orders.shownAtMs)),
    read.select({ id: transfers.id }).from(transfers).where(inArray(transfers.status, UNDER_WAY)),
    read.select({ id: outbox.id }).from(outbox).where(isNull(outbox.doneAtMs)),
  ]);
  return untold.length + underWay.length + news.length;
}

async function readOrders({ read, tables: { orders } }: Store) {
  const { transport, recipient, status, createdAtMs, shownAtMs } = orders;
  const rows = await read.select({ transport, recipient, status, createdAtMs, shownAtMs }).from(orders);
  return rows.map((row) => ({ ...row, handle: row.recipient.replace(/^x:/, '') }));
}

async function readLanded({ read, tables: { lines, payments } }: Store) {
  return read
    .select({ handle: lines.recipientKey })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(inArray(payments.status, ['settled', 'final']));
}

async function readEscrow({ read, tables: { accounts, identities } }: Store) {
  const people = await read.select({ id: identities.id, handle: identities.key }).from(identities);
  const handles = new Map(people.map(({ id, handle }) => [id, handle]));
  const rows = await read.select({ name: accounts.name, balance: accounts.balance }).from(accounts);
  return rows.flatMap(({ name, balance }) => {
    const [kind, , id = ''] = name.split(':');
    const handle = handles.get(id);
    return kind === 'escrow' && handle !== undefined ? [{ handle, balance }] : [];
  });
}

async function readWebChats({ read, tables: { chatMessages } }: Store) {
  const rows = await read.select().from(chatMessages).where(eq(chatMessages.author, 'bot'));
  const chats = new Map<string, string[]>();
  for (const { chatId, view } of rows) chats.set(chatId, [...(chats.get(chatId) ?? []), plainText(view)]);
  return chats;
}
