import { sameAddress } from '../../core/networks.ts';
import { findOrder } from '../../db/tips/orders.ts';
import { findWallet } from '../shared/wallets.ts';
import { refusal, type SignedCancellation, type SignerDeps } from './signing.ts';

/** Longer than one request takes, and shorter than the ten minutes that the API allows. */
const VALID_SECONDS = 120;

/** `userId`: who takes it back, and may spend from the wallet that paid it. */
export type WantedBack = { orderId: string; txnId: number; userId: string };

/**
 * Signs that a tip comes back, for an order of our own store that its wallet has paid. The money can only return to its
 * payer, so neither limits nor a lock apply.
 */
export async function signCancellation(
  deps: SignerDeps,
  { orderId, txnId, userId }: WantedBack,
): Promise<SignedCancellation> {
  const { store, now } = deps;
  const order = await findOrder(store, orderId);
  if (!order) throw refusal('an order of ours', orderId);
  const { status, header, network, walletId, payerAddress } = order;
  if (status !== 'answered') throw refusal('an order that was paid', status);
  // We may not take back what a link was paid with.
  if (header === null) throw refusal('an order that its wallet has paid', 'one without a header');
  const txnIds = order.results?.map((result) => result.txnId) ?? [order.txnId];
  if (!txnIds.includes(txnId)) throw refusal(`a payment of the order: ${txnIds.join(', ')}`, txnId);
  const wallets = deps[network];
  if (!wallets) throw refusal(`${network} among the networks`, 'none');
  const payer = await wallets.addressOf(walletId);
  if (!sameAddress(network, payer, payerAddress)) throw refusal(`payer ${payer} in the order`, payerAddress);
  if (!(await findWallet(store, { userId, walletId }, now()))) throw refusal(`a wallet that ${userId} holds`, walletId);
  const validBefore = Math.floor(now() / 1_000) + VALID_SECONDS;
  return { signature: await wallets.signCancellation(walletId, { txnId, validBefore }), validBefore };
}
