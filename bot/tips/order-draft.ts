import type { OrderDraft, OrderRow } from '../../db/tips/orders.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Funding } from '../paying/funding.ts';
import type { Origin } from '../shared/messenger.ts';
import type { PersonWallet } from '../shared/wallets.ts';

/** An order without what only the message that shows it can say. */
export type Draft = Omit<OrderDraft, 'messageId' | 'language'>;

type Payment = Pick<OrderRow, 'route' | 'body' | 'recipient'> & { wallet: PersonWallet; funding: Funding };

export async function draftOrder(
  deps: Pick<CoreDeps, 'random' | 'clock'>,
  { transport, eventId, chatId, communityId, userId }: Origin,
  { route, body, recipient, wallet, funding }: Payment,
): Promise<Draft> {
  const { paying, amount } = funding;
  const { walletId, name: walletName } = wallet;
  return {
    id: `order_${Buffer.from(deps.random(18)).toString('base64url')}`,
    transport,
    eventId,
    chatId,
    communityId: communityId ?? null,
    userId,
    walletId,
    walletName,
    network: paying.network,
    payerAddress: await paying.addressOf(walletId),
    route,
    body,
    recipient,
    amountMicroUsdc: amount,
    createdAtMs: deps.clock.now(),
  };
}
