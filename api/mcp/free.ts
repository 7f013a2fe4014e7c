import type { ApiDependencies } from '../environment/dependencies.ts';
import { createDistribution } from '../rewards/create.ts';
import { toCreatedAnswer } from '../rewards/read.ts';
import { findValidated } from '../payments/validation.ts';
import { PAYMENT_REQUIRED, Refused } from './refusal.ts';

/** The question to a free tool, over any interface. */
export type FreeCall = {
  toolArguments: Record<string, unknown>;
  proof: string | null;
  isBot: boolean;
  /** The caller's address, for limits. */
  address: string;
  signal: AbortSignal;
};

/** Answers what REST answers with 200. Throws AppError or Refused. */
export type FreeTool = (dependencies: ApiDependencies, call: FreeCall) => Promise<Record<string, unknown>>;

/** The handler of a free tool, by the id of its row in the catalog. Paid tools need none. */
export const FREE_TOOLS: Readonly<Record<string, FreeTool>> = {
  validatePayment: async (dependencies, { toolArguments, proof, isBot }) => {
    const found = await findValidated(dependencies, { fields: toolArguments, proof, isBot });
    if (found.kind === 'found') return found.answer;
    // As REST: the code of a price, with nothing to pay.
    const data = { x402Version: 2, accepts: [], error: 'payment_required', detail: found.message };
    throw new Refused({ code: PAYMENT_REQUIRED, message: found.message, data });
  },
  createDistribution: async (dependencies, { toolArguments, ...caller }) =>
    toCreatedAnswer(dependencies.settings, await createDistribution(dependencies, toolArguments, caller)),
};
