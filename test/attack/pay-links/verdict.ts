import { and, eq, inArray, like } from 'drizzle-orm';
import type { Store } from '../../../db/store/store.ts';
import { extraMax } from '../../../core/tasks.ts';
import { readBooks } from '../chat-kills/books.ts';
import type { LinkPayer } from './payer.ts';
import type { LinkPlan } from './plan.ts';
import type { Visitor } from './visitor.ts';

/** What became of one link, by the books, the chain and the chat. */
export type LinkOutcome = {
  link: LinkPlan;
  orders: number;
  payments: number;
  /** With the recipient, in escrow. */
  arrived: bigint;
  /** What came as well, and has gone to the wallet of the one who asked for the link. */
  returned: bigint;
  /** Out of the payer's wallet, by the chain. */
  spent: bigint;
  ends: number;
  receipts: number;
  /** Messages that say that it was paid twice. */
  warnings: number;
};

export type LinkWorld = { store: Store; visitors: readonly Visitor[]; payers: readonly LinkPayer[] };

const END = /^Sent /;
const RECEIPT = /is waiting for/;
const TWICE = /was paid twice/;

export async function judgeLinks(plan: readonly LinkPlan[], world: LinkWorld): Promise<LinkOutcome[]> {
  const { entries, webChats } = await readBooks(world.store);
  const returned = await readReturned(world.store);
  const outcomes: LinkOutcome[] = [];
  for (const link of plan) {
    const entry = entries.get(link.handle);
    const texts = webChats.get(world.visitors[link.index]?.chatId ?? '') ?? [];
    const count = (pattern: RegExp) => texts.filter((text) => pattern.test(text)).length;
    const payer = world.payers[link.index];
    outcomes.push({
      link,
      orders: entry?.orders ?? 0,
      payments: entry?.payments ?? 0,
      arrived: entry?.inEscrow ?? 0n,
      returned: returned.get(payer?.address.toLowerCase() ?? '') ?? 0n,
      spent: (await payer?.spent()) ?? 0n,
      ends: count(END),
      receipts: count(RECEIPT),
      warnings: count(TWICE),
    });
  }
  return outcomes;
}

/** By the sender of the transfer; only what has landed at the other end. */
async function readReturned({ read, tables }: Store): Promise<Map<string, bigint>> {
  const { transfers, refunds, observedTransfers } = tables;
  const landed = inArray(transfers.status, ['confirmed', 'final']);
  const rows = await read
    .select({ id: refunds.id, amount: refunds.amountMicroUsdc })
    .from(refunds)
    .innerJoin(transfers, and(eq(transfers.id, refunds.payoutId), landed))
    .where(like(refunds.id, 'return:%'));
  const sums = new Map<string, bigint>();
  for (const { id, amount } of rows) {
    const [transfer] = await read
      .select({ from: observedTransfers.fromAddress })
      .from(observedTransfers)
      .where(eq(observedTransfers.fact, id.slice('return:'.length)));
    const from = transfer?.from.toLowerCase() ?? '';
    sums.set(from, (sums.get(from) ?? 0n) + amount);
  }
  return sums;
}

const isPaidOnce = ({ link, orders, payments, arrived }: LinkOutcome): boolean =>
  orders === 1 && payments === 1 && arrived >= link.amount && arrived <= link.amount + extraMax(link.amount);

/** What left the payer is with the recipient or has gone back: nothing is kept, and nothing came out of nowhere. */
export const isMoneyThere = ({ spent, arrived, returned }: LinkOutcome): boolean => spent === arrived + returned;

const isToldOnce = ({ ends, receipts, warnings, returned }: LinkOutcome): boolean =>
  ends === 1 && receipts === 1 && warnings === (returned > 0n ? 1 : 0);

export const isExact = (outcome: LinkOutcome): boolean =>
  isPaidOnce(outcome) && isMoneyThere(outcome) && isToldOnce(outcome);
