import type { Platform } from '../core/platforms/platforms.ts';
import { formatRecipient, type Recipient } from '../core/platforms/recipient.ts';
import { createMemory, type MemoryLimits } from './memory.ts';
import type { Identity, Resolution, Resolver } from './port.ts';
import type { Log } from './trouble.ts';

/** Contract, section 1: a payer waits this long for a name. */
const TIMEOUT_MS = 1_500;

/**
 * A handle that changes hands must not be paid to its old owner for long; a name that was just registered must not be
 * unknown for long.
 */
const MEMORY_LIMITS: MemoryLimits = { foundMs: 5 * 60_000, notFoundMs: 30_000, max: 10_000 };

export type ResolveOptions = {
  /** Null: this installation cannot ask that platform. */
  resolvers: Readonly<Record<Platform, Resolver | null>>;
  now: () => number;
  log: Log;
  timeoutMs?: number;
  cache?: MemoryLimits;
};

/**
 * Asks whoever knows a name, within a time limit, once for all who ask at the same time, and remembers what was said.
 * No failure reaches the caller: a resolver that throws, hangs or is absent is a platform that does not answer.
 */
export function createResolver(options: ResolveOptions): Pick<Identity, 'resolve' | 'peek'> {
  const { resolvers, now, log, timeoutMs = TIMEOUT_MS, cache = MEMORY_LIMITS } = options;
  const memory = createMemory(cache, now);
  const flights = new Map<string, Promise<Resolution>>();

  async function ask(recipient: Recipient, name: string): Promise<Resolution> {
    try {
      const resolver = resolvers[recipient.platform];
      const resolution = resolver
        ? await askInTime(resolver, recipient, timeoutMs)
        : ({ kind: 'unavailable' } as const);
      memory.remember(name, resolution);
      return resolution;
    } catch (error) {
      log.warn(
        { platform: recipient.platform, err: error },
        'resolver failed; treated as a platform that does not answer',
      );
      return { kind: 'unavailable' };
    }
  }

  function startFlight(recipient: Recipient, name: string): Promise<Resolution> {
    const flight = ask(recipient, name);
    flights.set(name, flight);
    // Always later than the line above, even when there was nothing to wait for: otherwise the flight would stay.
    void flight.then(() => flights.delete(name));
    return flight;
  }

  return {
    peek: (recipient) => memory.recall(formatRecipient(recipient)),
    resolve: async (recipient) => {
      const name = formatRecipient(recipient);
      const known = memory.recall(name);
      if (known !== null) return known;
      return flights.get(name) ?? startFlight(recipient, name);
    },
  };
}

/** The race holds even against a resolver that does not listen to its signal. */
async function askInTime(resolver: Resolver, recipient: Recipient, timeoutMs: number): Promise<Resolution> {
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Resolution>((resolve) => {
    timer = setTimeout(() => {
      limit.abort();
      resolve({ kind: 'unavailable' });
    }, timeoutMs);
  });
  try {
    return await Promise.race([resolver(recipient, limit.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
