import { and, desc, eq, gte, inArray, isNotNull, lte, ne, or } from 'drizzle-orm';
import type { RoundTrips } from '../../core/costs/allowance.ts';
import type { Store } from '../store/store.ts';

export type Paying = {
  payer: string;
  /** Without those whose platform has not answered. */
  recipients: readonly { platform: string; stableId: string }[];
  /** Whether there are others besides these. */
  isWhole: boolean;
  /** Its price was fixed before its payer was known. */
  isAgreed: boolean;
};

const DAY_MS = 24 * 3_600_000;
/** How many payments of a day are read; a payer with more is judged by the newest. */
const PAYMENTS_MAX = 200;

/** The identities whose money goes to this wallet, and the one that pays with it in a chat. */
async function personsOf({ read, tables }: Store, wallet: string) {
  const { chatUsers, identities, wallets } = tables;
  const linked = await read
    .select({ id: identities.id, sinceMs: identities.sinceMs })
    .from(wallets)
    .innerJoin(identities, eq(identities.id, wallets.identityId))
    .where(eq(wallets.address, wallet));
  const users = await read.select({ id: chatUsers.id }).from(chatUsers).where(eq(chatUsers.walletAddress, wallet));
  const named = users.map(({ id }) => ({
    platform: id.split(':')[0] ?? '',
    stableId: id.split(':').slice(1).join(':'),
  }));
  if (named.length === 0) return linked;
  const isNamed = named.map(({ platform, stableId }) =>
    and(eq(identities.platform, platform), eq(identities.stableId, stableId)),
  );
  const known = await read
    .select({ id: identities.id, sinceMs: identities.sinceMs })
    .from(identities)
    .where(or(...isNamed));
  return [...linked, ...known];
}

/**
 * Whether the platform of the payer, or of everyone who is paid, has known them since before `untilMs`. A recipient
 * counts only with a wallet of their own: anybody can name a famous account and take the money back.
 */
export async function isProvenPayment(store: Store, paying: Paying, untilMs: number): Promise<boolean> {
  const { payer, recipients, isWhole } = paying;
  const payers = await personsOf(store, payer);
  if (payers.some(({ sinceMs }) => sinceMs !== null && sinceMs <= untilMs)) return true;
  if (!isWhole || recipients.length === 0) return false;
  const { identities, wallets } = store.tables;
  const wanted = recipients.map(({ platform, stableId }) =>
    and(eq(identities.platform, platform), eq(identities.stableId, stableId)),
  );
  const known = await store.read
    .selectDistinct({ platform: identities.platform, stableId: identities.stableId })
    .from(identities)
    .innerJoin(wallets, eq(wallets.identityId, identities.id))
    .where(and(or(...wanted), isNotNull(identities.sinceMs), lte(identities.sinceMs, untilMs)));
  return known.length === new Set(recipients.map(({ platform, stableId }) => `${platform}:${stableId}`)).size;
}

/** What this wallet paid in the last 24 hours, and what of it came back: at once, or from the wallet that it had paid. */
export async function readRoundTrips(store: Store, payer: string, nowMs: number): Promise<RoundTrips> {
  const sinceMs = nowMs - DAY_MS;
  const paid = await readPaid(store, payer, sinceMs);
  const own = new Set((await personsOf(store, payer)).map(({ id }) => id));
  const given = new Map<string, bigint>();
  const returned = new Map<string, Returned>();
  for (const { amount, identityId, to } of paid) {
    if (to === payer || own.has(identityId)) addTo(returned, payer, amount);
    else if (to !== null) given.set(to, (given.get(to) ?? 0n) + amount);
  }
  const received = given.size === 0 ? [] : await readReceived(store, payer, { from: [...given.keys()], sinceMs });
  for (const { amount, from } of received) {
    const left = given.get(from) ?? 0n;
    const back = amount < left ? amount : left;
    given.set(from, left - back);
    if (back > 0n) addTo(returned, from, back);
  }
  const [most] = [...returned.values()].toSorted((one, other) => (one.sum > other.sum ? -1 : 1));
  return {
    paidMicroUsdc: paid.reduce((sum, { amount }) => sum + amount, 0n),
    returnedMicroUsdc: most?.sum ?? 0n,
    returnedCount: most?.count ?? 0,
  };
}

type Returned = { sum: bigint; count: number };

function addTo(returned: Map<string, Returned>, from: string, amount: bigint): void {
  const { sum, count } = returned.get(from) ?? { sum: 0n, count: 0 };
  returned.set(from, { sum: sum + amount, count: count + 1 });
}

async function readPaid({ read, tables }: Store, payer: string, sinceMs: number) {
  const { payments, lines, transfers } = tables;
  return read
    .select({ amount: lines.amountMicroUsdc, identityId: lines.identityId, to: transfers.toAddress })
    .from(payments)
    .innerJoin(lines, eq(lines.paymentId, payments.id))
    .leftJoin(transfers, eq(transfers.id, lines.payoutId))
    .where(and(eq(payments.payer, payer), ne(payments.status, 'rejected'), gte(payments.createdAtMs, sinceMs)))
    .orderBy(desc(payments.createdAtMs))
    .limit(PAYMENTS_MAX);
}

async function readReceived(
  { read, tables }: Store,
  payer: string,
  { from, sinceMs }: { from: readonly string[]; sinceMs: number },
) {
  const { payments, lines, transfers } = tables;
  return read
    .select({ amount: transfers.amountMicroUsdc, from: payments.payer })
    .from(transfers)
    .innerJoin(lines, eq(lines.payoutId, transfers.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(
      and(
        eq(transfers.toAddress, payer),
        eq(transfers.purpose, 'payout'),
        gte(transfers.createdAtMs, sinceMs),
        inArray(payments.payer, [...from]),
      ),
    )
    .orderBy(desc(transfers.createdAtMs))
    .limit(PAYMENTS_MAX);
}
