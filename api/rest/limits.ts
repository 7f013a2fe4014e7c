import type { Context } from 'hono';
import { limitCalls } from '../caller-limit.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { callerAddress, hasBotToken } from './caller.ts';
import type { ApiEnv } from './env.ts';
import { proofHeaderOf } from './proof-header.ts';

/** Requests per IP and minute. */
export async function limitCaller(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<void> {
  const { botApiToken, trustedProxies } = dependencies.settings;
  const caller = { address: callerAddress(c, trustedProxies), isBot: hasBotToken(c, botApiToken) };
  await limitCalls(dependencies, caller, () => proofHeaderOf(c));
}
