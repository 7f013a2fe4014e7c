import type { Resolver } from '../port.ts';
import type { PlatformIdentity } from './platform-identity.ts';

/** A Discord recipient is a user id already. */
export const resolveDiscord: Resolver = async ({ key }) => ({ kind: 'found', stableId: key });

export const discord: PlatformIdentity = { resolving: () => () => resolveDiscord };
