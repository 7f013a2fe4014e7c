import { AppError, ERRORS } from '../../core/errors.ts';
import { networkTitle } from '../../core/networks.ts';
import { OUTAGES, type Outage } from '../../core/payments/outages.ts';
import { stopOutageOn } from '../../core/payments/stops.ts';
import { nextDayMs } from '../../db/limits/daily.ts';
import { signingStops } from '../../db/store/stops.ts';
import type { ApiDependencies, ApiNetwork } from '../environment/dependencies.ts';
import type { Authorization } from '../proofs/proof-check.ts';
import type { Proof } from './proof.ts';

const PAUSED_SECONDS = 60;
const OUT_SECONDS = 15;

/** The operator, the books or the issuer stopped it, so it will not be over in a moment. */
const PAUSED: ReadonlySet<Outage> = new Set(['stopped', 'payments_stopped', 'wind_down', 'token_paused']);

type Serving = Pick<ApiDependencies, 'store' | 'now' | 'networks' | 'outageOf'>;

/** Those that settle payments now. */
export function servedNetworks({ networks, outageOf }: Pick<Serving, 'networks' | 'outageOf'>): readonly ApiNetwork[] {
  return networks.filter(({ terms }) => (outageOf?.(terms.network) ?? null) === null);
}

/** Those that new terms name: a proof of them would land in time. Where all are full, a refused proof still gets a price. */
export function offeredNetworks(
  serving: Pick<ApiDependencies, 'networks' | 'outageOf' | 'admission'>,
): readonly ApiNetwork[] {
  const served = servedNetworks(serving);
  const carried = served.filter(({ terms }) => serving.admission?.carries(terms.network) !== false);
  return carried.length > 0 ? carried : served;
}

/**
 * Refuses what could not be settled now; nothing was reserved for it. `proof`: null for a request without one. Call it
 * only after the proof was looked up in the books.
 */
export async function assertServing(serving: Serving, proof: Proof | null): Promise<void> {
  const { store, networks, outageOf } = serving;
  const wanted = proof === null ? networks : [proof.network];
  // A price costs no query, so a stop shows in `outageOf` a second late; a proof of that second is refused here.
  const stops = proof === null && outageOf !== undefined ? [] : await signingStops(store);
  const outages = wanted.map(({ terms: { network } }) => stopOutageOn(stops, network) ?? outageOf?.(network) ?? null);
  if (outages.every((outage) => outage !== null && PAUSED.has(outage)))
    throw await refusalWhilePaused(proof, outages.includes('wind_down'));
  if (outages.includes(null)) return;
  const why = wanted.map(({ terms }, index) => describe(terms.network, outages[index] ?? null)).join(' ');
  const taken = proof === null ? '' : ' This payment was not taken here.';
  // A day's budget stays used up until the day ends; everything else may be over at any moment.
  const isForToday = outages.every((outage) => outage === 'budget');
  const retryAfterSeconds = isForToday ? secondsLeftToday(serving.now()) : OUT_SECONDS;
  throw new AppError('network_unavailable', { detail: why + taken, retryAfterSeconds });
}

const secondsLeftToday = (nowMs: number): number => Math.ceil((nextDayMs(nowMs) - nowMs) / 1_000);

function describe(network: string, outage: Outage | null): string {
  return outage === null ? '' : `${networkTitle(network, null)} is out: ${OUTAGES[outage]}.`;
}

/** Says about a charge only what the chain has just shown: after a restore the books may not know a payment. */
export async function refusalWhilePaused(
  proof: Pick<Proof, 'network' | 'authorization'> | null,
  isClosing = false,
): Promise<AppError> {
  const paused = { retryAfterSeconds: PAUSED_SECONDS };
  const code = isClosing ? 'service_closing' : 'service_paused';
  // Nothing is worth asking for again once the service ends.
  if (proof === null) return new AppError(code, isClosing ? {} : paused);
  const why = ERRORS[code].detail;
  const { authorization, network } = proof;
  const again = 'Repeat the same request with the same proof later; do not sign a new one.';
  switch (await network.checker.lookUp(authorization)) {
    case 'unused': {
      const detail = `${why} Not charged so far; it cannot be ${endText(authorization)}.`;
      return new AppError(code, isClosing ? { detail } : { ...paused, detail });
    }
    case 'used': {
      const detail = `${why} The chain shows that this proof was used. ${again}`;
      return new AppError('settlement_pending', { ...paused, detail });
    }
    case 'unknown': {
      const detail = `${why} Whether this proof was used cannot be looked up now. ${again}`;
      return new AppError('settlement_pending', { ...paused, detail });
    }
  }
}

/** On Solana a proof lives as long as its blockhash, which is counted in blocks. */
function endText({ validBefore }: Authorization): string {
  return validBefore === 0
    ? 'once 150 more blocks have passed'
    : `after ${new Date(validBefore * 1_000).toISOString()}`;
}
