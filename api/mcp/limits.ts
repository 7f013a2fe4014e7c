import type { Context } from 'hono';
import { limitCalls } from '../payments/caller-limit.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { callerAddress, hasBotToken } from '../http/caller.ts';
import type { ApiEnv } from '../http/env.ts';

/** Requests per IP and minute, as for REST; here a payment may also come inside the message. */
export async function limitCaller(
  c: Context<ApiEnv>,
  dependencies: ApiDependencies,
  proof: () => string | null,
): Promise<void> {
  const { botApiToken, trustedProxies } = dependencies.settings;
  const caller = { address: callerAddress(c, trustedProxies), isBot: hasBotToken(c, botApiToken) };
  await limitCalls(dependencies, caller, proof);
}
