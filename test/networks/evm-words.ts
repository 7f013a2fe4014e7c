import type { NetworkUnderTest } from './network.ts';

/** What both generations of x402 say of a flawed proof on an EVM network. */
export const EVM_WORDS: NetworkUnderTest['words'] = {
  'signed for another amount': 'invalid_exact_evm_payload_authorization_value',
  'signed for another payee': 'invalid_exact_evm_payload_recipient_mismatch',
  // The signature covers the token's address, so one for another token is nobody's here.
  'signed for another token': 'invalid_exact_evm_payload_signature',
  'signed by another key': 'invalid_exact_evm_payload_signature',
  'of an accepted amount that is not the price': 'invalid_payment_requirements',
  'of an accepted payee that is not ours': 'invalid_payment_requirements',
  'of an accepted token that is not USDC': 'invalid_payment_requirements',
  'for a network that is not offered': 'invalid_network',
  'whose time was over before it came': 'invalid_exact_evm_payload_authorization_valid_before',
  'of our own treasury': 'payer_not_allowed',
  'that is no payment at all': 'invalid_payload',
};
