import type { PinnedTerms } from '../shared/terms.ts';

/** What the code to scan holds; `isPayment`: the amount too, and not the address alone. */
export type TransferCode = { text: string; isPayment: boolean };

/**
 * Many wallets misread the payment links of EVM networks (EIP-681), so there it is the bare address. On Solana it is a
 * transfer request of Solana Pay, whose amount alone says what is paid for: it needs neither memo nor reference.
 * `pinned` is null where the network was switched off: its token is not known then.
 */
export function transferCode(
  pinned: Pick<PinnedTerms, 'family' | 'asset'> | null,
  { address, amountText }: { address: string; amountText: string },
): TransferCode {
  switch (pinned?.family) {
    case 'svm':
      return { text: `solana:${address}?amount=${amountText}&spl-token=${pinned.asset}`, isPayment: true };
    case 'evm':
    case undefined:
      return { text: address, isPayment: false };
  }
}
