import { microUsdc } from '../core/money.ts';
import type { OutboxPayload } from '../core/outbox.ts';
import { isTreasuryWallet } from '../core/treasury/treasury.ts';
import { findChatUser } from '../db/chats/users.ts';
import { closingSince } from '../db/closing/begin.ts';
import { findClosingWallet } from '../db/closing/wallets.ts';
import { payerAccountId } from '../db/ledger/payer-account.ts';
import { decidersOf } from '../db/treasury/treasury-deciders.ts';
import { chatHoldersOf } from '../db/wallets/holders.ts';
import { closingNotice } from '../texts/notices/withdrawal.ts';
import { MAILBOX, mailboxOf, mailHolder } from './chat/holder-mails.ts';
import { NotYet } from './outbox/not-yet.ts';
import { senderFor, type DeliveryDependencies } from './receipt-delivery.ts';

const HOLDERS_MAX = 100;

/** Tells one who can take the money of a wallet out that the service ends, as long as it does and something is there. */
export async function postClosingNotice(
  dependencies: DeliveryDependencies,
  { wallet: id, sum, sinceMs, toldTo }: OutboxPayload<'closing_notice'>,
): Promise<void> {
  const { store } = dependencies;
  const wallet = await findClosingWallet(store, id);
  // It may have been ended and begun again, or emptied meanwhile.
  if (wallet === null || (await closingSince(store)) !== sinceMs || wallet.foundMicroUsdc === 0n) return;
  const { walletId } = wallet;
  const amount = microUsdc(BigInt(sum));
  if (toldTo === MAILBOX) {
    if (mailboxOf(dependencies, walletId).length === 0) return;
    return mailHolder(dependencies, walletId, { kind: 'closing', atMs: sinceMs, sum: amount });
  }
  const isTreasury = isTreasuryWallet(walletId);
  const holders = isTreasury
    ? (await decidersOf(store, walletId, HOLDERS_MAX)).map((holderId) => ({ holderId, name: '' }))
    : await chatHoldersOf(store, walletId, HOLDERS_MAX);
  const holder = holders.find((one) => payerAccountId(one.holderId) === toldTo);
  if (holder === undefined) return;
  const { holderId, name } = holder;
  const user = await findChatUser(store, holderId);
  const facts = { amount, isTreasury, walletName: walletId === holderId ? null : name };
  const onceKey = `closing:${String(sinceMs)}:${id}:${toldTo}`;
  const view = closingNotice(facts, user?.language ?? null);
  const transport = holderId.slice(0, holderId.indexOf(':'));
  const told = await senderFor(dependencies, transport).tell?.({ userId: holderId, onceKey, view });
  if (told === 'under-way') throw new NotYet(`${onceKey} is not shown yet`);
}
