import type { Config } from '../core/config.ts';
import { PLATFORM_NAMES, PLATFORMS } from '../core/platforms.ts';
import { resolveByName } from '../identity/names.ts';
import type { Identity } from '../identity/port.ts';
import { createLocalIdentity } from '../local/identity.ts';

/** Who knows who owns a name: stand-ins in local mode; elsewhere, so far, only names that are their own identity. */
export function createIdentity(config: Config): Identity {
  if (config.mode === 'local') return createLocalIdentity(config.platforms);
  const resolvable = PLATFORM_NAMES.filter((platform) => PLATFORMS[platform].nameIsIdentity);
  const offered = config.platforms === 'configured' ? resolvable : config.platforms;
  return {
    platforms: resolvable.filter((platform) => offered.includes(platform)),
    resolve: async (recipient) => resolveByName(recipient) ?? { kind: 'unavailable' },
  };
}
