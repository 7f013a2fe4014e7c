import { microUsdc } from '../../core/money.ts';
import type { OutboxPayload } from '../../core/outbox.ts';
import { receiptUrl } from '../../core/payments/answers.ts';
import { recipientName } from '../../core/platforms/recipient-name.ts';
import { findChatUser } from '../../db/chats/users.ts';
import { lineFacts } from '../../db/notices/line-facts.ts';
import { linesOf, type LineWithPayout } from '../../db/payments/records/find.ts';
import { distributionPaidBy } from '../../db/rewards/distributions.ts';
import { enqueue } from '../../db/store/outbox.ts';
import type { Store } from '../../db/store/store.ts';
import { chatHoldersAmong } from '../../db/wallets/chat-holders.ts';
import { rewardedView } from '../../texts/receipts/receipt.ts';
import { NotYet } from '../outbox/not-yet.ts';
import type { ChatSender } from './sender.ts';

type Dependencies = {
  store: Store;
  baseUrl: string;
  now: () => number;
  senderOf: (transport: string) => ChatSender;
};

/**
 * A reward is for people on another platform, where nothing is posted in our name. Those of them who have proven that name
 * in a chat of ours are told there, once for each share. Each share is an event of its own, because a chat that does not
 * answer must not delay the others.
 */
export async function askForRewarded(
  { store, now }: Pick<Dependencies, 'store' | 'now'>,
  paymentId: string,
  lines: readonly LineWithPayout[],
): Promise<void> {
  if ((await distributionPaidBy(store, paymentId)) === null) return;
  const holders = await chatHoldersAmong(
    store,
    lines.map(({ line }) => line.identityId),
    now(),
  );
  const known = new Set(holders.map(({ identityId }) => identityId));
  const theirs = lines.filter(({ line }) => known.has(line.identityId));
  if (theirs.length === 0) return;
  await store.tx(async (db) => {
    for (const { line } of theirs) {
      await enqueue(db, store.tables, 'line_rewarded', { paymentId, txnId: line.txnId }, now());
    }
  });
}

export async function postRewarded(
  { store, baseUrl, now, senderOf }: Dependencies,
  { paymentId, txnId }: OutboxPayload<'line_rewarded'>,
): Promise<void> {
  const meant = (await linesOf(store, paymentId)).find(({ line }) => line.txnId === txnId);
  const reward = await distributionPaidBy(store, paymentId);
  if (meant === undefined || reward === null) return;
  const { line } = meant;
  const facts = {
    amount: microUsdc(line.amountMicroUsdc),
    recipient: recipientName({ platform: line.platform, key: line.recipientKey }),
    author: reward.authorName ?? reward.authorId,
    status: (await lineFacts(store, meant)).status,
    receiptUrl: receiptUrl(baseUrl, line.slug),
  };
  let isUnderWay = false;
  for (const { holderId } of await chatHoldersAmong(store, [line.identityId], now())) {
    const user = await findChatUser(store, holderId);
    const sender = senderOf(holderId.slice(0, holderId.indexOf(':')));
    const view = rewardedView(facts, user?.language ?? null);
    const told = await sender.tell?.({ userId: holderId, onceKey: `reward:${txnId}:${holderId}`, view });
    isUnderWay ||= told === 'under-way';
  }
  if (isUnderWay) throw new NotYet(`the share ${txnId} of a reward is not told yet`);
}
