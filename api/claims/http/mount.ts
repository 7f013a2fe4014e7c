import type { ApiDependencies } from '../../environment/dependencies.ts';
import type { StreamPlaces } from '../../../queue/stream-places.ts';
import type { PagesDependencies } from '../../pages/app.ts';
import type { ClaimsAppDependencies } from './app.ts';
import { createClaimHandlers } from './json.ts';
import { createClaimStreams } from './stream.ts';

/** The dependencies of the claims application, from those of the API. */
export function toClaimsApp(
  dependencies: PagesDependencies & Pick<ApiDependencies, 'collecting'>,
  places?: StreamPlaces,
): ClaimsAppDependencies {
  const { collecting, settings, now, log } = dependencies;
  const { claims, waitForChange, offers: claimOffers, random } = collecting;
  const streams = createClaimStreams({ claims, now, log, waitForChange }, places);
  const handlers = createClaimHandlers({ settings, random, claims, streams });
  return { ...dependencies, claims, claimOffers, random, handlers };
}
