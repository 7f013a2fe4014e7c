import type { Site } from '../wallet/layout.ts';

/** What is wrong with the receiver is said as the chat says it; of everything else only what a stranger can do about it. */
export function refusalText({ texts }: Pick<Site, 'texts'>, reason: string, recipient: string): string {
  const { refused } = texts.payPage;
  if (/^receiver_[a-z_]{1,40}$/.test(reason)) {
    return texts
      .failure(reason, recipient)
      .map(({ text }) => text)
      .join('');
  }
  return new Map<string, string>(Object.entries(refused)).get(REASONS.get(reason) ?? reason) ?? refused.other;
}

/** Words of the API that mean the same to whoever holds a wallet. */
const REASONS = new Map([
  ['invalid_exact_evm_payload_authorization_valid_before', 'changed_payment'],
  ['invalid_exact_evm_payload_signature', 'changed_payment'],
  ['invalid_exact_svm_payload_signature_invalid', 'changed_payment'],
  ['payment_expired', 'changed_payment'],
  ['price_not_agreed', 'other'],
]);
