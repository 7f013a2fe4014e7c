import { PAYMENT_AMOUNT_MAX } from '../core/amounts.ts';
import { microUsdc } from '../core/money.ts';
import { VALIDITY_MAX_SECONDS } from '../core/x402.ts';
import { findOrder, type OrderRow } from '../db/bot/orders.ts';
import type { Store } from '../db/store.ts';
import { sameAddress, totalFor, type PinnedTerms } from './core/terms.ts';

export type Hex = `0x${string}`;

/** What is signed (EIP-3009), with the domain it is signed for. `value` in micro-USDC, times in Unix seconds. */
export type TransferAuthorization = {
  from: string;
  to: string;
  value: bigint;
  validAfter: number;
  validBefore: number;
  nonce: Hex;
  asset: string;
  chainId: number;
  name: string;
  version: string;
};

/** The personal wallets of `chain/`. Only the guard below may be handed to anything that signs. */
export type WalletSigner = {
  addressOf: (walletId: string) => Promise<string> | string;
  signTransferAuthorization: (walletId: string, authorization: TransferAuthorization) => Promise<Hex> | Hex;
};

export type SignerDeps = { store: Store; wallets: WalletSigner; pinned: PinnedTerms; now: () => number };

export type Signer = { sign: (orderId: string, authorization: TransferAuthorization) => Promise<Hex> };

/**
 * The one door to the keys. It believes nobody, the bot included: order, sum, payer and payee are read from the order
 * in our own store and from the configuration, and anything that differs is refused with a plain Error.
 */
export function createSigner(deps: SignerDeps): Signer {
  return {
    async sign(orderId, authorization) {
      const order = await findOrder(deps.store, orderId);
      if (!order) throw refusal('an order of ours', orderId);
      checkOrder(order, authorization, deps.pinned);
      checkDomain(authorization, deps.pinned);
      checkWindow(authorization, Math.floor(deps.now() / 1_000));
      const payer = await deps.wallets.addressOf(order.walletId);
      if (!sameAddress(authorization.from, payer)) throw refusal(`payer ${payer}`, authorization.from);
      if (!sameAddress(order.payerAddress, payer)) throw refusal(`payer ${payer} in the order`, order.payerAddress);
      return deps.wallets.signTransferAuthorization(order.walletId, authorization);
    },
  };
}

function checkOrder(order: OrderRow, { value, to, from }: TransferAuthorization, pinned: PinnedTerms): void {
  if (order.status !== 'priced') throw refusal('an order that is priced', order.status);
  const amount = microUsdc(order.amountMicroUsdc);
  if (amount <= 0n || amount > PAYMENT_AMOUNT_MAX) throw refusal('an amount within the limits', amount);
  const total = totalFor(amount, pinned);
  if (order.totalMicroUsdc !== total) throw refusal(`a price of ${total}`, order.totalMicroUsdc);
  if (value !== total) throw refusal(`value ${total}`, value);
  if (!sameAddress(to, pinned.payTo)) throw refusal(`payTo ${pinned.payTo}`, to);
  if (sameAddress(from, to)) throw refusal('a payer other than the payee', from);
}

function checkDomain({ asset, chainId, name, version }: TransferAuthorization, pinned: PinnedTerms): void {
  if (!sameAddress(asset, pinned.asset)) throw refusal(`asset ${pinned.asset}`, asset);
  if (chainId !== pinned.chainId) throw refusal(`chain ${pinned.chainId}`, chainId);
  if (name !== pinned.name) throw refusal(`token ${pinned.name}`, name);
  if (version !== pinned.version) throw refusal(`token version ${pinned.version}`, version);
}

function checkWindow({ validAfter, validBefore, nonce }: TransferAuthorization, nowSeconds: number): void {
  const latest = nowSeconds + VALIDITY_MAX_SECONDS;
  if (!Number.isSafeInteger(validAfter) || validAfter > nowSeconds) throw refusal('valid from now on', validAfter);
  if (!Number.isSafeInteger(validBefore) || validBefore <= nowSeconds) throw refusal('an end ahead', validBefore);
  if (validBefore > latest) throw refusal(`an end before ${latest}`, validBefore);
  // Zero is what a forgotten nonce looks like.
  if (!/^0x[0-9a-f]{64}$/i.test(nonce) || /^0x0+$/.test(nonce)) throw refusal('32 random bytes as nonce', nonce);
}

function refusal(wanted: string, found: unknown): Error {
  return new Error(`the signer refuses: wanted ${wanted}, found ${String(found)}`);
}
