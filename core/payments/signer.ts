import type { Network } from '../networks.ts';
import type { HeaderEnd } from './charge.ts';

/** What a payer knows of a network without asking the service. */
export type PinnedNetwork = {
  network: Network;
  /** CAIP-2, such as `eip155:8453`. */
  caip2: string;
  /** The token, or the mint. */
  asset: string;
  /** What the terms must repeat: the token's EIP-712 domain, and who pays for the transaction where that is known. */
  extra: Readonly<Record<string, string>>;
};

export type PinnedPayer = PinnedNetwork & {
  /** Whether it is an address on this network, and not one where money is lost. */
  isPayable: (address: string) => boolean;
};

/** What is to be signed. `binding`: 32 bytes in hex that bind it to its request. Amounts in micro-USDC. */
export type TransferToSign = {
  payTo: string;
  /** Pays for the transaction and signs it last; null where none is needed. */
  feePayer: string | null;
  amountMicroUsdc: bigint;
  binding: string;
};

/** An account that pays. A wallet, a program or a device keeps its key. */
export type PaymentSigner = {
  pinned: PinnedPayer;
  address: string;
  /** Signs one transfer of USDC and nothing else. */
  sign: (transfer: TransferToSign, nowMs: number) => Promise<{ payload: Record<string, unknown>; end: HeaderEnd }>;
  /** Signs that a payment is taken back. `validBefore` in Unix seconds. */
  signCancellation: (cancellation: { txnId: number; validBefore: number }) => Promise<string>;
  /** Whether what was signed can certainly take no effect any more. False also where that is unknown. */
  isOver: (end: HeaderEnd, nowMs: number) => Promise<boolean>;
};

/** Longer than any wait for the answer, within the five minutes that a service allows. */
export const HEADER_LIFE_SECONDS = 240;
/** Clocks differ, so a header counts as over only this long after its time. */
const CLOCK_MARGIN_SECONDS = 60;

/** Whether a time to which a signature holds is certainly past. */
export function isTimeOver(validBefore: number, nowMs: number): boolean {
  return nowMs / 1_000 > validBefore + CLOCK_MARGIN_SECONDS;
}
