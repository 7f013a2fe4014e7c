/**
 * Reasons of a refused payment proof: x402's own codes where the standard or its packages have one. Each has a text for
 * people: what came, and what to do about it.
 */
export const CHALLENGE_MESSAGE = 'The payment header is required';

const GENERAL_TEXTS = {
  payment_required: CHALLENGE_MESSAGE,
  invalid_payload: 'The payment header is not a payment: it must be base64 of the x402 JSON object.',
  invalid_x402_version: 'The payment names an x402 version other than 1 or 2.',
  unsupported_scheme: 'Only the "exact" scheme is accepted.',
  invalid_network: 'The payment is for a network that is not offered here.',
  invalid_payment_requirements: 'The accepted terms in the payment are not the terms asked for.',
  payer_not_allowed: 'This account cannot be a payer.',
  too_many_unsettled_payments: 'This payer has 20 payments on their way; wait for one to finish.',
  too_many_failed_payments: 'Too many payments of this payer failed on the chain today; try again tomorrow.',
  insufficient_funds: 'The payer does not hold enough USDC.',
  invalid_transaction_state: 'The transfer would fail on the chain as it stands.',
  fee_required:
    'Payments of this kind are beyond what is carried for free today: the price now has a line for the cost of the transaction.',
  payment_expired: 'The payment did not land in its time and never will. Nothing was charged.',
} as const;

/** Of the Machine Payments Protocol. */
const CHALLENGE_TEXTS = {
  invalid_challenge:
    'The challenge in the credential is not one of ours for this request, was changed, or came in another field than the one it names.',
  challenge_expired: 'The challenge has expired: sign the new one.',
} as const;

const BASE_TEXTS = {
  invalid_exact_evm_payload_recipient_mismatch: 'The payment goes to another account than the one asked for.',
  invalid_exact_evm_payload_authorization_value: 'The payment is not for exactly the amount asked for.',
  invalid_exact_evm_payload_authorization_valid_after: 'The payment is not valid yet.',
  invalid_exact_evm_payload_authorization_valid_before:
    'The payment has expired, is about to, or stays valid for more than five minutes.',
  invalid_exact_evm_payload_signature: 'The signature does not belong to the payer and these terms.',
  undeployed_smart_wallet: 'Smart wallets that are not deployed yet (ERC-6492) are not accepted; deploy it first.',
} as const;

const SOLANA_TEXTS = {
  invalid_exact_svm_payload_transaction_could_not_be_decoded: 'The transaction in the payment cannot be read.',
  invalid_exact_svm_fee_payer_mismatch: 'The transaction must name the fee payer of the challenge as its fee payer.',
  invalid_exact_svm_payload_signature_invalid: 'The payer’s signature is missing or is not of this transaction.',
  invalid_exact_svm_payload_excessive_signers:
    'The transaction needs more signatures than the payer’s and the fee payer’s.',
  invalid_exact_svm_payload_transaction_instructions_length:
    'The transaction must hold a compute limit, a compute price, the transfer and little else.',
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction:
    'The first instruction must set the compute limit.',
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high:
    'The compute limit is above 100,000 units, which we would pay for.',
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction:
    'The second instruction must set the compute price.',
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high:
    'The compute price is above 50,000 micro-lamports, which we would pay for.',
  invalid_exact_svm_payload_no_transfer_instruction:
    'The third instruction must be the USDC transfer (TransferChecked).',
  invalid_exact_svm_payload_unknown_optional_instruction:
    'The transaction holds an instruction that has no place in a payment.',
  invalid_exact_svm_payload_transaction_fee_payer_transferring_funds: 'The fee payer cannot be the one who pays.',
  invalid_exact_svm_payload_transaction_fee_payer_included_in_instruction_accounts:
    'An instruction of the transaction uses the fee payer.',
  invalid_exact_svm_payload_mint_mismatch: 'The payment is not in USDC.',
  invalid_exact_svm_payload_recipient_mismatch: 'The payment goes to another account than the one asked for.',
  invalid_exact_svm_payload_amount_mismatch: 'The payment is not for exactly the amount asked for.',
  invalid_exact_svm_payload_memo_count: 'The transaction holds more than one memo.',
  invalid_exact_svm_smart_wallet_alt_resolution_not_available:
    'Transactions with address lookup tables are not accepted.',
  invalid_exact_svm_verification_failed: 'The transaction is not a payment as it was asked for.',
  durable_nonce: 'Transactions with a durable nonce are not accepted: use a recent blockhash.',
} as const;

export const REFUSAL_TEXTS = { ...GENERAL_TEXTS, ...CHALLENGE_TEXTS, ...BASE_TEXTS, ...SOLANA_TEXTS } as const;
export type ProofRefusal = keyof typeof REFUSAL_TEXTS;

/** What the issuer of USDC forbids. New terms would be signed in vain, so none are given. */
export const FORBIDDEN = ['payer_barred', 'token_paused'] as const;
export type Forbidden = (typeof FORBIDDEN)[number];

/** Why a transfer would fail as its network stands. */
export type TransferRefusal = ProofRefusal | Forbidden;

export function findForbidden(reason: string | null): Forbidden | null {
  return FORBIDDEN.find((word) => word === reason) ?? null;
}
