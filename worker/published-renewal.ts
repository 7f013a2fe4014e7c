import { canonicalAddress } from '../core/networks.ts';
import { findPlatform } from '../core/platforms/platforms.ts';
import { forgetPublished, renewPublished, stalePublished, type StaleAddress } from '../db/published/stale.ts';
import type { FindPublished } from '../identity/platforms/published.ts';
import type { WorkerContext } from './dependencies.ts';

/** People take down what they lost, and websites get other owners: an address counts while it is published. */
export const RENEW_AFTER_MS = 24 * 3_600_000;
const ROUND_EVERY_MS = 60_000;
/** Few, because recipients who were just paid wait behind them. */
const RENEWED_MAX = 40;
/** At the same time. */
const AT_ONCE = 8;

type RenewalWorker = Pick<WorkerContext, 'store' | 'now' | 'log'> & { published: { find: FindPublished } };

/** Checks once a day whether each published address that we use is still published. */
export function createRenewal(worker: RenewalWorker): () => Promise<void> {
  const { store, now } = worker;
  let nextMs = -Infinity;
  return async () => {
    if (now() < nextMs) return;
    nextMs = now() + ROUND_EVERY_MS;
    const stale = await stalePublished(store, now() - RENEW_AFTER_MS, RENEWED_MAX);
    for (let first = 0; first < stale.length; first += AT_ONCE) {
      await Promise.all(stale.slice(first, first + AT_ONCE).map((address) => look(worker, address)));
    }
  };
}

/** While its source does not answer, the address stays in use. */
async function look({ store, published, now, log }: RenewalWorker, stale: StaleAddress): Promise<void> {
  const { identityId, network } = stale;
  try {
    const platform = findPlatform(stale.platform);
    if (platform === null) return;
    const found = await published.find({ ...stale, platform }, new AbortController().signal);
    if (found.kind === 'unavailable') return;
    const isThere = found.addresses.some(
      (each) => each.network === network && canonicalAddress(each.network, each.address) === stale.address,
    );
    if (isThere) return await renewPublished(store, stale, now());
    if (await forgetPublished(store, stale)) log.info({ identityId, network }, 'an address is not published any more');
  } catch (error) {
    log.error({ err: error, identityId, network }, 'a published address could not be checked; it is tried again');
  }
}
