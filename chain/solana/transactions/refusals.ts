/**
 * Why a payer's transaction is refused: x402's own words where there are any (`@x402/svm`, errors of the facilitator),
 * one word for each thing that a payer can change.
 */
const REFUSALS = [
  'invalid_exact_svm_payload_transaction_could_not_be_decoded',
  'invalid_exact_svm_fee_payer_mismatch',
  'invalid_exact_svm_payload_signature_invalid',
  'invalid_exact_svm_payload_excessive_signers',
  'invalid_exact_svm_payload_transaction_instructions_length',
  'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction',
  'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high',
  'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction',
  'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
  'invalid_exact_svm_payload_no_transfer_instruction',
  'invalid_exact_svm_payload_unknown_optional_instruction',
  'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
  'invalid_exact_svm_payload_transaction_fee_payer_included_in_instruction_accounts',
  'invalid_exact_svm_payload_mint_mismatch',
  'invalid_exact_svm_payload_recipient_mismatch',
  'invalid_exact_svm_payload_amount_mismatch',
  'invalid_exact_svm_payload_memo_count',
  'invalid_exact_svm_smart_wallet_alt_resolution_not_available',
  'invalid_exact_svm_verification_failed',
  // Ours: the standard has no word for it.
  'durable_nonce',
] as const;
export type SolanaRefusal = (typeof REFUSALS)[number];

/** The library numbers the optional instructions that it does not know. */
const UNKNOWN_INSTRUCTION = /^invalid_exact_svm_payload_unknown_[a-z]+_instruction$/;

/** The library's reason as one of ours. An unknown reason is a refusal too. */
export function toRefusal(reason: string | undefined): SolanaRefusal {
  if (UNKNOWN_INSTRUCTION.test(reason ?? '')) return 'invalid_exact_svm_payload_unknown_optional_instruction';
  return REFUSALS.find((refusal) => refusal === reason) ?? 'invalid_exact_svm_verification_failed';
}
