import type { Context } from 'hono';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { askerOf, type Asker } from '../http/asker.ts';
import { hasBotToken } from '../http/caller.ts';
import { eventEndpointOf } from '../http/event-endpoint.ts';
import { connectionOf, handOver } from '../payments/delivery.ts';
import type { CallerConnection } from '../responses/responses.ts';
import type { ApiEnv } from '../http/env.ts';
import { wantsFirstGeneration } from './extensions.ts';

/** The caller, as far as a call depends on it. */
export type AgentCaller = {
  address: string;
  asker: Asker;
  isBot: boolean;
  /** The payer's endpoint that is told what becomes of what a signed payment pays for. */
  endpointId: string | null;
  /** Reads x402 of the first generation. */
  isFirstGeneration: boolean;
  connection: CallerConnection;
  /** The answer being made hands over what the payment bought. */
  handsOver: (paymentId: string) => void;
  /** Notes the outcome of the hand-over: the answer leaves now, or something failed after the payment had settled. */
  noteHandedOver: (isAnswered: boolean) => Promise<void>;
};

export function toCaller(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'settings' | 'responses' | 'ids'>,
): AgentCaller {
  const { settings } = dependencies;
  const connection = connectionOf(c, dependencies);
  let handed: string | null = null;
  const asker = askerOf(c, settings.isTrustedProxy);
  return {
    address: asker.caller,
    asker,
    isBot: hasBotToken(c, settings.botApiToken),
    endpointId: eventEndpointOf(c),
    isFirstGeneration: wantsFirstGeneration(c),
    connection,
    handsOver: (paymentId) => (handed = paymentId),
    noteHandedOver: async (isAnswered) => {
      const paymentId = handed;
      // A stream may hand over later what it had not at its beginning, and each once.
      handed = null;
      if (paymentId === null) return;
      if (isAnswered) await handOver(c, dependencies, paymentId);
      else await dependencies.responses.end(connection, paymentId, 'missed');
    },
  };
}
