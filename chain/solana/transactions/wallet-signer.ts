import { VersionedTransaction } from '@solana/web3.js';
import { solanaPayload } from '../../../core/payments/payment-header.ts';
import type { PaymentSigner } from '../../../core/payments/signer.ts';
import { pinSolana } from '../messages/addresses.ts';
import { toBase58 } from '../messages/base58.ts';
import { cancellationText } from '../messages/cancellation-text.ts';
import { SIGNATURE_BYTES } from '../messages/programs.ts';
import { solanaProfile } from '../messages/profile.ts';
import { preparePayment } from './payment-transaction.ts';

/** A key as `@solana/kit` has it. */
export type KitSigner = {
  address: string;
  signMessages: (
    messages: readonly { content: Uint8Array; signatures: Record<string, never> }[],
  ) => Promise<readonly Readonly<Record<string, Uint8Array>>[]>;
};

/** A wallet in a browser, as the Wallet Standard has it: bytes in, bytes out. */
export type SolanaWallet = {
  address: string;
  /** The signature alone: 64 bytes. */
  signMessage: (message: Uint8Array) => Promise<Uint8Array>;
  /** The whole transaction with the wallet's signature in it. */
  signTransaction: (transaction: Uint8Array) => Promise<Uint8Array>;
};

/** What signing asks of a Solana node. */
export type BlockReads = {
  latestBlockhash: () => Promise<{ blockhash: string; lastValidHeight: number }>;
  /** Null where the node does not answer. */
  finalizedHeight: () => Promise<number | null>;
};

/** Pays with USDC on Solana, signed by a key of `@solana/kit` or by a wallet. */
export function createSolanaSigner(
  owner: KitSigner | SolanaWallet,
  { reads, testnet = false }: { reads: BlockReads; testnet?: boolean },
): PaymentSigner {
  const profile = solanaProfile(testnet ? 'testnet' : 'mainnet');
  const pinned = pinSolana(profile);
  return {
    pinned,
    address: owner.address,
    async sign({ payTo, feePayer, amountMicroUsdc, binding: memo }) {
      if (feePayer === null) throw new Error('a payment on Solana needs a fee payer, found none');
      if (!pinned.isPayable(payTo)) throw new Error(`USDC may not go to ${payTo}`);
      const { blockhash, lastValidHeight } = await reads.latestBlockhash();
      const terms = { payTo, feePayer, amountMicroUsdc, blockhash, memo };
      const prepared = Buffer.from(preparePayment(owner.address, terms, profile), 'base64');
      const signed = await signTransaction(owner, prepared);
      // A header counts as over by the end of this blockhash.
      if (VersionedTransaction.deserialize(signed).message.recentBlockhash !== blockhash)
        throw new Error('the wallet has put another blockhash into the payment');
      return { payload: solanaPayload(Buffer.from(signed).toString('base64')), end: { lastValidHeight } };
    },
    async signCancellation({ txnId, validBefore }) {
      const text = cancellationText({ network: profile.caip2, txnId, validBefore });
      return toBase58(await signBytes(owner, new Uint8Array(Buffer.from(text))));
    },
    async isOver(end) {
      if (!('lastValidHeight' in end)) return false;
      const height = await reads.finalizedHeight();
      return height !== null && height > end.lastValidHeight;
    },
  };
}

/** Two signatures come first: the fee payer's, which stays empty, and the payer's. */
async function signTransaction(owner: KitSigner | SolanaWallet, prepared: Uint8Array): Promise<Uint8Array> {
  if ('signTransaction' in owner) return owner.signTransaction(new Uint8Array(prepared));
  const start = 1 + 2 * SIGNATURE_BYTES;
  const signed = new Uint8Array(prepared);
  signed.set(await signBytes(owner, signed.slice(start)), start - SIGNATURE_BYTES);
  return signed;
}

async function signBytes(owner: KitSigner | SolanaWallet, content: Uint8Array): Promise<Uint8Array> {
  const signature =
    'signMessage' in owner
      ? await owner.signMessage(content)
      : (await owner.signMessages([{ content, signatures: {} }]))[0]?.[owner.address];
  if (signature?.length !== SIGNATURE_BYTES) throw new Error('the account must answer a signature of 64 bytes');
  return signature;
}
