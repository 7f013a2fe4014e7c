import type { PageSite } from '../shared/page-site.ts';
import type { PayView } from './view.ts';

type Words = PageSite['texts']['payPage']['refused'];

/** What is wrong with the receiver is told as in the chat; otherwise only what a stranger can do about it. */
const OF_RECEIVERS: readonly string[] = ['receiver_not_found', 'receiver_opted_out'];

const OWN: Record<keyof Words, true> = {
  insufficient_funds: true,
  order_in_progress: true,
  not_confirmed: true,
  changed_payment: true,
  wallet_added: true,
  payer_not_allowed: true,
  link_over: true,
  service_closing: true,
  too_many_links: true,
  rate_limited: true,
  other: true,
};

/** Reasons of the API that mean the same to any holder of a wallet. */
const REASONS = new Map<string, keyof Words>([
  ['invalid_exact_evm_payload_authorization_valid_before', 'changed_payment'],
  ['invalid_exact_evm_payload_signature', 'changed_payment'],
  ['invalid_exact_svm_payload_signature_invalid', 'changed_payment'],
  ['invalid_exact_svm_payload_unknown_optional_instruction', 'wallet_added'],
  ['invalid_exact_svm_payload_transaction_instructions_length', 'wallet_added'],
  ['payment_expired', 'changed_payment'],
]);

/** The reason as the page's own address carries it. Anyone can write an address, so it is always one of a few. */
export function refusalWord(reason: string): string {
  if (OF_RECEIVERS.includes(reason)) return reason;
  return toOwn(reason);
}

/** Null for anything that `refusalWord` did not put there. */
export function readRefusalWord(found: string | undefined): string | null {
  return found !== undefined && refusalWord(found) === found ? found : null;
}

export function refusalText(
  { texts }: Pick<PageSite, 'texts'>,
  reason: string,
  { recipient, rewardFor }: Pick<PayView, 'recipient' | 'rewardFor'>,
): string {
  if (!OF_RECEIVERS.includes(reason)) return texts.payPage.refused[toOwn(reason)];
  const said = rewardFor === null ? texts.failure(reason, recipient) : texts.rewardProblem({ code: 'refused', reason });
  return said.map(({ text }) => text).join('');
}

function toOwn(reason: string): keyof Words {
  return isOwn(reason) ? reason : (REASONS.get(reason) ?? 'other');
}

function isOwn(reason: string): reason is keyof Words {
  return Object.hasOwn(OWN, reason);
}
