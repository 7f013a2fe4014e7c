import type { CallToolResult } from '@modelcontextprotocol/server';
import { REFUSAL_TEXTS, type ProofRefusal } from '../../core/payments/refusals.ts';
import { paymentRequiredV2 } from '../../core/payments/x402.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { challengeInput, type Challenge } from '../payments/terms.ts';
import { PAYMENT_REQUIRED, type Refusal } from './refusal.ts';

/** The price of a call, and why it is not paid yet. */
export type Price = { taskId: string; reason: ProofRefusal; text: string; paymentRequired: Record<string, unknown> };

export function priceOf(
  dependencies: Pick<ApiDependencies, 'networks' | 'outageOf'>,
  challenge: Challenge,
  { tool, taskId }: { tool: string; taskId: string },
): Price {
  const { reason } = challenge;
  // As the x402 specification names what is paid for over MCP.
  const input = challengeInput(dependencies, challenge, `mcp://tool/${tool}`);
  const paymentRequired = paymentRequiredV2(input);
  const text = reason === 'payment_required' ? `Payment required: ${input.description}.` : REFUSAL_TEXTS[reason];
  return { taskId, reason, text, paymentRequired };
}

/** The contract's form (section 6): an error that carries what to sign. */
export function toPriceRefusal({ taskId, reason, text, paymentRequired }: Price): Refusal {
  const { x402Version, accepts } = paymentRequired;
  const data = { taskId, paymentRequired, x402Version, accepts, error: reason, detail: text };
  return { code: PAYMENT_REQUIRED, message: text, data };
}

/** The form of the x402 specification, for clients that ask for it: a result that is an error. */
export function toPriceResult({ taskId, paymentRequired }: Price): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(paymentRequired) }],
    structuredContent: paymentRequired,
    _meta: { taskId },
  };
}
