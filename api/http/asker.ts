import type { Context } from 'hono';
import { callerAddress } from './caller.ts';
import type { ApiEnv } from './env.ts';
import type { ProxyTrust } from './proxies.ts';

/**
 * Who asks, as far as a price depends on it. `payer`: the address that will pay, as its client says beforehand; nothing is
 * granted for it, and a false one only gets the price of another payer.
 */
export type Asker = { payer: string | null; caller: string };

/** `named`: by other means than the header, such as the arguments of a tool. */
export function askerOf(c: Context<ApiEnv>, isTrustedProxy: ProxyTrust, named: unknown = null): Asker {
  const text = typeof named === 'string' ? named : (c.req.header('X-Payer') ?? '');
  return { payer: payerIn(text.trim()), caller: callerAddress(c, isTrustedProxy) };
}

/** As a proof's payer is stored: an address of an EVM network in lower case, though clients write it with a checksum. */
function payerIn(text: string): string | null {
  if (text === '') return null;
  return EVM_ADDRESS.test(text) ? text.toLowerCase() : text;
}

const EVM_ADDRESS = /^0x[\da-f]{40}$/i;
