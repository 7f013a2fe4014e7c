import { ASK_FOR_MS } from '../core/lookups.ts';
import { findPlatform } from '../core/platforms/platforms.ts';
import { dueLookups, takeLookups, type DueLookup } from '../db/identities/lookups.ts';
import { resolveLine, returnUnresolved } from '../db/resolving/resolve-line.ts';
import type { Identity, Resolution } from '../identity/port.ts';
import type { WorkerContext } from './dependencies.ts';

const PAUSE_MIN_MS = 5_000;
const PAUSE_MAX_MS = 4 * 60_000;
const DUE_MAX = 200;
/** Names asked for at the same time: few, so that a platform that comes back is not flooded. */
const NAMES_AT_ONCE = 16;

export type ResolvingWorker = Pick<WorkerContext, 'store' | 'ids' | 'transferIdOf' | 'now' | 'log' | 'announce'> & {
  identity: Pick<Identity, 'resolve'>;
};

/**
 * Resolves again the names whose platforms did not answer before the payment. All state is in rows, each row is taken
 * before it is asked for, and each outcome names the old state, so a round may stop anywhere and run in several workers
 * at once. Answers how many lines were decided.
 */
export async function resolvingRound(worker: ResolvingWorker): Promise<number> {
  const due = await dueLookups(worker.store, worker.now(), DUE_MAX);
  const names = groupByName(due);
  let decided = 0;
  for (let first = 0; first < names.length; first += NAMES_AT_ONCE) {
    const wave = names.slice(first, first + NAMES_AT_ONCE).map((lookups) => askFor(worker, lookups));
    for (const count of await Promise.all(wave)) decided += count;
  }
  return decided;
}

function groupByName(due: readonly DueLookup[]): DueLookup[][] {
  const names = new Map<string, DueLookup[]>();
  for (const lookup of due) {
    const name = `${lookup.platform}:${lookup.key}`;
    names.set(name, [...(names.get(name) ?? []), lookup]);
  }
  return [...names.values()];
}

/** All lines for one name. */
async function askFor(worker: ResolvingWorker, lookups: readonly DueLookup[]): Promise<number> {
  const wanted = lookups.map((lookup) => ({ ...lookup, nextTryAtMs: nextTry(lookup, worker.now()) }));
  const taken = await takeLookups(worker.store, wanted);
  const mine = lookups.filter(({ txnId }) => taken.has(txnId));
  const [first] = mine;
  if (first === undefined) return 0;
  const askedAtMs = worker.now();
  const resolution = await ask(worker, first);
  let decided = 0;
  for (const lookup of mine) {
    // Taking the lookup has already put it off, and a failure must not stop the others.
    if (await conclude(worker, lookup, resolution, askedAtMs).catch(report(worker, lookup))) decided += 1;
  }
  return decided;
}

/** A platform that this version no longer knows does not answer. */
async function ask({ identity }: ResolvingWorker, { platform: name, key, display }: DueLookup): Promise<Resolution> {
  const platform = findPlatform(name);
  return platform === null ? { kind: 'unavailable' } : identity.resolve({ platform, key, display });
}

/** Whether the line was decided. */
async function conclude(
  worker: ResolvingWorker,
  lookup: DueLookup,
  resolution: Resolution,
  askedAtMs: number,
): Promise<boolean> {
  const { store, ids, transferIdOf, now, log } = worker;
  const { txnId, paymentId, platform, tries } = lookup;
  const isOver = askedAtMs >= lookup.settledAtMs + ASK_FOR_MS;
  if (resolution.kind === 'unavailable' && !isOver) return false;
  const result =
    resolution.kind === 'found'
      ? await resolveLine(store, txnId, resolution, {
          newIdentityId: ids.identityId,
          transferIdOf,
          nowMs: now(),
        })
      : await returnUnresolved(store, txnId, resolution.kind === 'not-found' ? 'not_found' : 'no_answer', now());
  if (result === 'not-waiting') return false;
  log.info({ paymentId, txnId, platform, tries: tries + 1, result }, 'a name was looked up after its payment');
  worker.announce([paymentId]);
  return true;
}

/** The wait grows with each try; the last try comes when the time is over. */
function nextTry({ tries, settledAtMs }: DueLookup, nowMs: number): number {
  const next = nowMs + Math.min(PAUSE_MIN_MS * 2 ** tries, PAUSE_MAX_MS);
  const endsAtMs = settledAtMs + ASK_FOR_MS;
  return nowMs < endsAtMs ? Math.min(next, endsAtMs) : next;
}

const report = ({ log }: ResolvingWorker, { txnId }: DueLookup) => {
  return (error: unknown): boolean => {
    log.error({ err: error, txnId }, 'a line could not be decided; its name is asked for again');
    return false;
  };
};
