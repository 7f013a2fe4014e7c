import { confirmClaimBody, declineClaimBody, openClaimBody, proveClaimBody } from '../bodies/claims.ts';
import type { ErrorCode } from '../errors.ts';
import { claimAnswer, openClaimAnswer, proveClaimAnswer } from './claim-answers.ts';
import { CLAIM_EXAMPLE, OPEN_CLAIM_EXAMPLE, PROVE_CLAIM_EXAMPLE } from './examples.ts';
import { BODY, FREE, PLAIN, TRANSPORT, type CatalogRow } from './row.ts';

const POSTED = [...BODY, 'wrong_origin', 'upstream_unavailable', ...TRANSPORT] as const satisfies readonly ErrorCode[];
const OWN = ['claim_not_found', 'claim_expired', 'claim_refused'] as const satisfies readonly ErrorCode[];

const CLAIM = { ...FREE, ...PLAIN, method: 'post', group: 'Claims' } as const;
const WORD = { ...CLAIM, parameters: ['id'], success: claimAnswer, answerExample: CLAIM_EXAMPLE } as const;

/** How recipients collect their money. Only the browser that opened a claim can use it, by its cookie. */
export const CLAIM_OPERATIONS = {
  openClaim: {
    ...CLAIM,
    path: '/claims',
    summary: 'Ask to collect what waits for a name',
    description:
      'Says where the money is to go, and is told how to prove that the name is yours. The answer sets a cookie: everything further is for its holder only. It is the same whether or not money waits.',
    parameters: [],
    request: {
      in: 'body',
      schema: openClaimBody,
      example: { platform: 'email', handle: 'someone@example.com', payout: { keep: true } },
    },
    success: openClaimAnswer,
    answerExample: OPEN_CLAIM_EXAMPLE,
    successStatus: 201,
    errors: ['invalid_receiver', 'platform_unavailable', 'invalid_payout_address', 'too_many_claims', ...POSTED],
  },
  proveClaim: {
    ...CLAIM,
    path: '/claims/{id}/proof',
    summary: 'Prove that the name is yours',
    description:
      'With the code from the mail, or empty once you have published the line or signed in. What waits, and the token that confirms, are told after the proof.',
    parameters: ['id'],
    request: { in: 'body', schema: proveClaimBody, example: { code: '00000000' } },
    success: proveClaimAnswer,
    answerExample: PROVE_CLAIM_EXAMPLE,
    errors: [
      'wrong_code',
      'wrong_account',
      'not_published',
      'platform_unavailable',
      'too_many_claims',
      ...OWN,
      ...POSTED,
    ],
  },
  sendClaimCode: {
    ...WORD,
    path: '/claims/{id}/resend',
    summary: 'Have another code sent',
    description:
      'To the same address; the code before ends. One in ten minutes and five an hour go to an address, no matter who asks.',
    request: null,
    errors: ['too_many_claims', ...OWN, 'wrong_account', ...POSTED],
  },
  confirmClaim: {
    ...WORD,
    path: '/claims/{id}/confirm',
    summary: 'Confirm where the money goes',
    description:
      'Once, with the token from the proof. What waits is on its way then; later money goes there by itself.',
    request: { in: 'body', schema: confirmClaimBody, example: { confirm_token: 'from the proof' } },
    errors: [
      'invalid_confirm_token',
      'invalid_payout_address',
      'declined',
      'wrong_account',
      'not_published',
      ...OWN,
      ...POSTED,
    ],
  },
  declineClaim: {
    ...WORD,
    path: '/claims/{id}/decline',
    summary: 'Send back what waits',
    description: 'With the token from the proof. With opt_out later payments are refused as well.',
    request: { in: 'body', schema: declineClaimBody, example: { confirm_token: 'from the proof', opt_out: false } },
    errors: ['invalid_confirm_token', 'wrong_account', 'not_published', ...OWN, ...POSTED],
  },
  readClaim: {
    ...WORD,
    method: 'get',
    path: '/claims/{id}',
    summary: 'Read a claim',
    description: 'For the browser that opened it: JSON, a live stream, or the page where it goes on.',
    request: null,
    errors: ['claim_not_found', ...TRANSPORT],
    otherTypes: ['text/html', 'text/event-stream'],
  },
} as const satisfies Record<string, CatalogRow>;
