/**
 * A withdrawal is `requested`, then `signed` by whoever holds the wallet's key, then `sent` by our worker. It is `paid`
 * when the chain says so for good. `dead` can provably never land: it may be signed again in its next generation, or
 * ended. `failed` is over, and nothing moved. `sent` goes back to `signed` when its batch is on the chain without it:
 * the same bytes travel again.
 */
export const WITHDRAWAL_STATES = ['requested', 'signed', 'sent', 'paid', 'dead', 'failed'] as const;
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number];

/** Those that are not over yet; a wallet may have only few of them. */
export const OPEN_WITHDRAWAL_STATES = [
  'requested',
  'signed',
  'sent',
  'dead',
] as const satisfies readonly WithdrawalState[];

/** Why nothing moved, in a word for the row and a sentence for the person. */
export const WITHDRAWAL_FAILURES = {
  insufficient_funds: 'The wallet does not hold that much any more.',
  sender_blacklisted: 'USDC does not let this wallet send.',
  recipient_blacklisted: 'USDC does not let that address receive.',
  forbidden_address: 'Money sent to that address would be lost, so it is not sent.',
  no_token_account: 'That address has no USDC account yet, and it cannot be opened now.',
  token_account_not_theirs: 'The USDC account of that address belongs to somebody else now.',
  invalid_signature: 'What was signed is not what was asked for, so it is not sent.',
  failed_on_chain: 'The network refused the transfer several times.',
  gave_up: 'It could not be sent in time. Ask for it again.',
  cancelled: 'It was cancelled.',
} as const;
export type WithdrawalFailure = keyof typeof WITHDRAWAL_FAILURES;
