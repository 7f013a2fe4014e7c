import type { Context } from 'hono';
import { markDelivery } from '../../db/payments/records/deliver.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { callerAddress, hasBotToken } from '../http/caller.ts';
import { hangUpSignal, noteDelivery } from '../payments/delivery.ts';
import type { ApiEnv } from '../http/env.ts';
import { wantsFirstGeneration } from './extensions.ts';

/** The caller, as far as a call depends on it. */
export type AgentCaller = {
  address: string;
  isBot: boolean;
  /** Reads x402 of the first generation. */
  isFirstGeneration: boolean;
  /** Aborted when the caller hangs up. */
  signal: AbortSignal;
  /** The answer being made hands over what the payment bought. */
  handsOver: (paymentId: string) => void;
  /** Notes the outcome of the hand-over: the answer leaves now, or something failed after the payment had settled. */
  noteHandedOver: (isAnswered: boolean) => Promise<void>;
};

export function toCaller(c: Context<ApiEnv>, dependencies: ApiDependencies): AgentCaller {
  const { settings } = dependencies;
  let handed: string | null = null;
  return {
    address: callerAddress(c, settings.trustedProxies),
    isBot: hasBotToken(c, settings.botApiToken),
    isFirstGeneration: wantsFirstGeneration(c),
    signal: hangUpSignal(c),
    handsOver: (paymentId) => (handed = paymentId),
    noteHandedOver: async (isAnswered) => {
      if (handed === null) return;
      if (isAnswered) noteDelivery(c, dependencies, handed);
      else await markDelivery(dependencies.store, handed, 'missed');
    },
  };
}
