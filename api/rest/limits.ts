import type { Context } from 'hono';
import { limitCalls } from '../payments/caller-limit.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { callerAddress, hasBotToken } from '../http/caller.ts';
import type { ApiEnv } from '../http/env.ts';
import { proofHeaderOf } from '../payments/proof-header.ts';

/** Requests per IP and minute. */
export async function limitCaller(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<void> {
  const { botApiToken, trustedProxies } = dependencies.settings;
  const caller = { address: callerAddress(c, trustedProxies), isBot: hasBotToken(c, botApiToken) };
  await limitCalls(dependencies, caller, () => proofHeaderOf(c));
}
