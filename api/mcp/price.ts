import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Invocation } from '../../core/catalog/invocation.ts';
import { refusalProblem } from '../../core/payments/mpp/answers.ts';
import { toNativeChallenge } from '../../core/payments/mpp/challenge.ts';
import { REFUSAL_TEXTS, type ProofRefusal } from '../../core/payments/refusals.ts';
import { paymentRequiredV2 } from '../../core/payments/x402.ts';
import { challengesOf, type Challenging } from '../payments/challenges.ts';
import { challengeInput, type Challenge } from '../payments/terms.ts';
import { PAYMENT_REQUIRED, type Refusal } from './refusal.ts';

/** The price of a call, and why it is not paid yet. */
export type Price = {
  taskId: string;
  reason: ProofRefusal;
  text: string;
  paymentRequired: Record<string, unknown>;
  /** The same for the Machine Payments Protocol; empty where that is switched off. */
  challenges: Record<string, unknown>[];
};

export function priceOf(
  dependencies: Challenging,
  challenge: Challenge,
  { tool, invocation, taskId }: { tool: string; invocation: Invocation; taskId: string },
): Price {
  const { reason } = challenge;
  // As the x402 specification names what is paid for over MCP.
  const input = challengeInput(dependencies, challenge, { resource: `mcp://tool/${tool}`, invocation });
  const paymentRequired = paymentRequiredV2(input);
  const text = reason === 'payment_required' ? `Payment required: ${input.description}.` : REFUSAL_TEXTS[reason];
  const challenges = challengesOf(dependencies, input, false).map(toNativeChallenge);
  return { taskId, reason, text, paymentRequired, challenges };
}

/** The contract's form (section 6): an error that carries what to sign. */
export function toPriceRefusal({ taskId, reason, text, paymentRequired }: Price): Refusal {
  const { x402Version, accepts } = paymentRequired;
  const data = { taskId, paymentRequired, x402Version, accepts, error: reason, detail: text };
  return { code: PAYMENT_REQUIRED, message: text, data };
}

/**
 * The form of the x402 specification, for clients that ask for it: a result that is an error. Clients of the Machine
 * Payments Protocol find their challenges beside it (draft-payment-transport-mcp-00); the draft's own error code -32042
 * means something else in MCP.
 */
export function toPriceResult({ taskId, reason, paymentRequired, challenges }: Price): CallToolResult {
  const [first] = challenges;
  const problem = { ...refusalProblem(reason), ...(first === undefined ? {} : { challengeId: first['id'] }) };
  const required = { 'org.paymentauth/payment-required': { httpStatus: 402, challenges, problem } };
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(paymentRequired) }],
    structuredContent: paymentRequired,
    _meta: { taskId, ...(first === undefined ? {} : required) },
  };
}
