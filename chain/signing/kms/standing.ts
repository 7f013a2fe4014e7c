import { setTimeout as sleep } from 'node:timers/promises';
import { SignerAway, type SignerFault } from './away.ts';

/** A key that has signed within this time is not asked whether it can. */
const PROVEN_MS = 30_000;
const REST_MS = 500;
const REST_MAX_MS = 30_000;
/** Shorter than the look of a network, which ends on its own after a while. */
const LOOK_MS = 1_500;

/** Why a key does not sign; null: it does again. */
export type Tell = (fault: SignerFault | null, code: string | null) => void;

export type KeyStanding = {
  /** Runs one question. After a failure the service is left in peace, each time for twice as long. */
  ask: <T>(question: () => Promise<T>) => Promise<T>;
  /** Whether the key cannot sign now, by its last signature or by a try. */
  isAway: () => Promise<boolean>;
};

export type StandingOptions = {
  address: string;
  /** Lets the service check everything, and sign nothing. */
  tryOut: () => Promise<unknown>;
  now?: () => number;
  tell?: Tell;
};

/** How one key of a key service stands. Many rounds ask for signatures, each of which would make a busy service busier. */
export function createKeyStanding({ address, tryOut, now = Date.now, tell }: StandingOptions): KeyStanding {
  let failures = 0;
  let wasTold = false;
  let restUntilMs = -Infinity;
  let provenAtMs = -Infinity;
  let trying: Promise<void> | null = null;

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    if (now() < restUntilMs) throw new SignerAway(address, 'resting');
    const failuresBefore = failures;
    try {
      const answer = await question();
      if (wasTold) tell?.(null, null);
      wasTold = false;
      failures = 0;
      restUntilMs = -Infinity;
      provenAtMs = now();
      return answer;
    } catch (error) {
      // Of several questions at once, which meet the same, one counts.
      failures = Math.max(failures, failuresBefore + 1);
      restUntilMs = now() + Math.min(REST_MS * 2 ** (failures - 1), REST_MAX_MS);
      if (!wasTold && error instanceof SignerAway) {
        wasTold = true;
        tell?.(error.fault, error.code);
      }
      throw error;
    }
  }

  async function isAway(): Promise<boolean> {
    if (failures === 0 && now() - provenAtMs < PROVEN_MS) return false;
    if (now() < restUntilMs) return true;
    trying ??= ask(tryOut)
      .then(
        () => undefined,
        // It is counted; how it failed is told where it is counted.
        () => undefined,
      )
      .finally(() => (trying = null));
    await Promise.race([trying, sleep(LOOK_MS)]);
    // Of a try that still runs nothing is known: what was true before it counts, and a key that never signed is away.
    return failures > 0 || provenAtMs === -Infinity;
  }

  return { ask, isAway };
}
