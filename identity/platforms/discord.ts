import type { Resolver } from '../port.ts';
import type { PlatformIdentity } from './platform-identity.ts';

/** A Discord recipient already is a user id. */
export const resolveDiscord: Resolver = async ({ key }) => ({ kind: 'found', stableId: key });

export const discord: PlatformIdentity = { resolving: () => () => resolveDiscord };
