import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { connectionAddress } from '../http/caller.ts';
import type { ApiEnv } from '../http/env.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Listens everywhere, without a configured host name. */
const ANYWHERE = ['0.0.0.0', '[::]'];

/**
 * Refuses a page whose own name points at this machine (DNS rebinding): such a request names another host than ours.
 * Any `Origin` is fine, as everywhere in this interface, because nothing here knows a caller by what a browser adds by
 * itself. A proxy that the operator trusts may call us by an inner name.
 */
export function refuseForeignHost(c: Context<ApiEnv>, { settings }: Pick<ApiDependencies, 'settings'>): void {
  const own = new URL(settings.baseUrl).hostname;
  const named = new URL(c.req.url).hostname;
  if (named === own || LOOPBACK.includes(named) || ANYWHERE.includes(own)) return;
  if (!LOOPBACK.includes(own) && settings.trustedProxies.includes(connectionAddress(c))) return;
  throw new AppError('wrong_origin', { field: 'Host', detail: `This server is called ${own}, not as in the request.` });
}
