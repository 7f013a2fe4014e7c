import { sameAddress } from '../../core/networks.ts';
import { sumUsdc, type MicroUsdc } from '../../core/money.ts';
import { VALIDITY_MAX_SECONDS } from '../../core/payments/x402.ts';
import { findOrder, type OrderRow } from '../../db/tips/orders.ts';
import type { SignedWithdrawal } from '../../db/withdrawals/signed.ts';
import { isTreasuryWallet } from '../../core/treasury/treasury.ts';
import { checkCaps } from './cap-guard.ts';
import { checkTreasuryDrop } from './drop-guard.ts';
import { agreedTotal, isWithin, unaskedIn, type PinnedEvm, type PinnedTerms } from '../shared/terms.ts';
import { findWallet } from '../shared/wallets.ts';
import { amountsOfRequest } from './order-sum.ts';
import {
  evmSigning,
  refusal,
  svmSigning,
  type EvmSigning,
  type Hex,
  type Payable,
  type SignedCancellation,
  type SignerDeps,
  type SigningOn,
  type SolanaSigning,
  type ToSign,
  type TransferAuthorization,
  type Wallets,
} from './signing.ts';
import { readReward } from './reward-guard.ts';
import { signCancellation, type WantedBack } from './undo-guard.ts';
import { signWithdrawal } from './withdrawal-guard.ts';

type SignedPayment = { transaction: string; lastValidHeight: number };

export type Signer = {
  signEvm: (orderId: string, authorization: TransferAuthorization) => Promise<Hex>;
  /** Nothing but the memo is the caller's: everything else is the order's, or pinned. */
  signSolana: (orderId: string, memo: string) => Promise<SignedPayment>;
  /** The same two for a reward that a community has confirmed, by the id of its card. */
  signRewardEvm: (cardId: string, authorization: TransferAuthorization) => Promise<Hex>;
  signRewardSolana: (cardId: string, memo: string) => Promise<SignedPayment>;
  /** Nothing in it is the caller's. The result must be stored at once, and forgotten if it cannot be. */
  signWithdrawal: (withdrawalId: string) => Promise<SignedWithdrawal>;
  /** Takes a payment of this order back, to the wallet that paid it. */
  signCancellation: (wanted: WantedBack) => Promise<SignedCancellation>;
};

/**
 * The only way to the keys. It trusts no caller, not even the bot: sum, payer and payee are read from the order, the
 * reward or the withdrawal in our own store and from the configuration, and anything that differs is refused with a
 * plain Error.
 */
export function createSigner(deps: SignerDeps): Signer {
  return {
    signWithdrawal: (withdrawalId) => signWithdrawal(deps, withdrawalId),
    signCancellation: (wanted) => signCancellation(deps, wanted),
    async signEvm(orderId, authorization) {
      const { wallets, payable } = await readOrder(deps, orderId, evmSigning);
      return signOnEvm(deps, wallets, payable, authorization);
    },
    async signSolana(orderId, memo) {
      const { wallets, payable } = await readOrder(deps, orderId, svmSigning);
      return signOnSolana(wallets, payable, memo);
    },
    async signRewardEvm(cardId, authorization) {
      const { wallets, payable } = await readReward(deps, cardId, evmSigning);
      return signOnEvm(deps, wallets, payable, authorization);
    },
    async signRewardSolana(cardId, memo) {
      const { wallets, payable } = await readReward(deps, cardId, svmSigning);
      return signOnSolana(wallets, payable, memo);
    },
  };
}

async function signOnEvm(
  { now }: SignerDeps,
  evm: EvmSigning,
  { walletId, payerAddress, total }: Payable,
  authorization: TransferAuthorization,
): Promise<Hex> {
  const { from, to, value } = authorization;
  const { network } = evm.pinned;
  if (value !== total) throw refusal(`value ${total}`, value);
  if (!sameAddress(network, to, evm.pinned.payTo)) throw refusal(`payTo ${evm.pinned.payTo}`, to);
  if (!sameAddress(network, from, payerAddress)) throw refusal(`payer ${payerAddress}`, from);
  checkDomain(authorization, evm.pinned);
  checkWindow(authorization, Math.floor(now() / 1_000));
  // Zero is what a forgotten nonce looks like.
  if (!isRandom(authorization.nonce, '0x')) throw refusal('32 random bytes as nonce', authorization.nonce);
  return evm.signTransferAuthorization(walletId, authorization);
}

async function signOnSolana(solana: SolanaSigning, { walletId, total }: Payable, memo: string): Promise<SignedPayment> {
  // Two payments with one memo and blockhash would be the same transaction.
  if (!isRandom(memo, '')) throw refusal('32 random bytes as memo', memo);
  const { payTo, feePayer } = solana.pinned;
  const { blockhash, lastValidHeight } = await solana.latestBlockhash();
  const transfer = { payTo, feePayer, amountMicroUsdc: total, blockhash, memo };
  return { transaction: await solana.signPayment(walletId, transfer), lastValidHeight };
}

/** The order, and what it costs, once everything in it is as it must be. */
async function readOrder<W extends Wallets>(
  deps: SignerDeps,
  orderId: string,
  signingOn: SigningOn<W>,
): Promise<ToSign<W>> {
  const { store, now } = deps;
  const order = await findOrder(store, orderId);
  if (!order) throw refusal('an order of ours', orderId);
  const wallets = signingOn(deps, order.network);
  const { network, payTo } = wallets.pinned;
  const total = checkOrder(order, wallets.pinned);
  const payer = await wallets.addressOf(order.walletId);
  const isPayer = (address: string) => sameAddress(network, address, payer);
  if (!isPayer(order.payerAddress)) throw refusal(`payer ${payer} in the order`, order.payerAddress);
  if (isPayer(payTo)) throw refusal('a payer other than the payee', payer);
  if (isTreasuryWallet(order.walletId)) await checkTreasuryDrop(store, order, now());
  else {
    const wallet = await findWallet(store, order, now());
    if (!wallet) throw refusal(`a wallet that ${order.userId} holds`, order.walletId);
    await checkCaps(store, order, total, now());
  }
  return { wallets, payable: { walletId: order.walletId, payerAddress: order.payerAddress, total } };
}

function checkOrder(order: OrderRow, pinned: PinnedTerms): MicroUsdc {
  const { network } = pinned;
  if (order.status !== 'priced') throw refusal('an order that is priced', order.status);
  if (order.network !== network) throw refusal(`an order on ${network}`, order.network);
  const amounts = amountsOfRequest(order);
  const amount = sumUsdc(amounts);
  if (amount !== order.amountMicroUsdc) throw refusal(`a request for ${order.amountMicroUsdc}`, amount);
  const asked = order.totalMicroUsdc ?? 0n;
  const total = agreedTotal(asked, amount, pinned, unaskedIn(order.body));
  if (asked !== total) throw refusal(`a price of ${total}`, asked);
  if (!isWithin(order, total)) throw refusal(`at most ${String(order.agreedMicroUsdc)}, as agreed`, total);
  return total;
}

function checkDomain({ asset, chainId, name, version }: TransferAuthorization, pinned: PinnedEvm): void {
  if (!sameAddress(pinned.network, asset, pinned.asset)) throw refusal(`asset ${pinned.asset}`, asset);
  if (chainId !== pinned.chainId) throw refusal(`chain ${pinned.chainId}`, chainId);
  if (name !== pinned.name) throw refusal(`token ${pinned.name}`, name);
  if (version !== pinned.version) throw refusal(`token version ${pinned.version}`, version);
}

function checkWindow({ validAfter, validBefore }: TransferAuthorization, nowSeconds: number): void {
  const latest = nowSeconds + VALIDITY_MAX_SECONDS;
  if (!Number.isSafeInteger(validAfter) || validAfter > nowSeconds) throw refusal('valid from now on', validAfter);
  if (!Number.isSafeInteger(validBefore) || validBefore <= nowSeconds) throw refusal('an end ahead', validBefore);
  if (validBefore > latest) throw refusal(`an end before ${latest}`, validBefore);
}

/** 32 bytes in hex behind this prefix, not all of them zero. */
function isRandom(text: string, prefix: '0x' | ''): boolean {
  const hex = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  return /^[0-9a-f]{64}$/i.test(hex) && !/^0+$/.test(hex);
}
