import type { Context } from 'hono';
import { callerAddress } from './caller.ts';
import type { ApiEnv } from './env.ts';
import type { ProxyTrust } from './proxies.ts';

/**
 * Who asks, as far as a price depends on it. `payer`: the address that will pay, as its client says beforehand; nothing is
 * granted for it, and a false one only asks for another's price.
 */
export type Asker = { payer: string | null; caller: string };

/** `named`: by something else than the header, as a call of a tool can. */
export function askerOf(c: Context<ApiEnv>, isTrustedProxy: ProxyTrust, named: unknown = null): Asker {
  const text = typeof named === 'string' ? named : (c.req.header('X-Payer') ?? '');
  return { payer: text.trim() === '' ? null : text.trim(), caller: callerAddress(c, isTrustedProxy) };
}
