import { formatUsdcForPeople } from '../core/money.ts';
import { nameIn, receiptTextsIn } from '../texts/receipts/languages.ts';
import { strong, type View } from '../core/view.ts';
import { returnedBy, secondPaymentOf } from '../db/pay-links/paid-twice.ts';
import { enqueue } from '../db/store/outbox.ts';
import { deliverReceipt, type DeliveryDependencies } from './receipt-delivery.ts';

/** Each transfer goes to its own chat, so one chat that does not answer does not delay the others. */
export async function askForPaidTwice({ store, now }: DeliveryDependencies, payoutId: string): Promise<void> {
  const facts = await returnedBy(store, payoutId);
  if (facts.length === 0) return;
  await store.tx(async (db) => {
    for (const fact of facts) await enqueue(db, store.tables, 'link_paid_twice', { fact }, now());
  });
}

/**
 * Tells the member who asked for a pay link that a second payment for it went into their wallet: it may belong to
 * another payer, and only the member knows who has the link.
 */
export async function postPaidTwice(dependencies: DeliveryDependencies, fact: string): Promise<void> {
  const found = await secondPaymentOf(dependencies.store, fact);
  if (found === null || found.order.erasedAtMs !== null) return;
  const { order, amount } = found;
  const sum = strong(`${formatUsdcForPeople(amount)} USDC`);
  const viewIn = (language: string | null): View => ({
    state: 'ok',
    audience: 'everyone',
    paragraphs: [receiptTextsIn(language).paidTwice(strong(nameIn(language)(order.recipient)), sum)],
    actions: [],
  });
  await deliverReceipt(dependencies, {
    order,
    // Only the community's log names it, and this receipt has no line there.
    paymentId: '',
    onceKey: `twice:${fact}`,
    viewIn,
    isFirst: false,
    mustBeHeard: true,
  });
}
