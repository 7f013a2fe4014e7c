import type { Platform } from '../core/platforms/platforms.ts';
import { formatRecipient, type Recipient } from '../core/platforms/recipient.ts';
import { createMemory, type MemoryLimits } from './memory.ts';
import type { Identity, Resolution, Resolver } from './port.ts';
import type { Log } from './trouble.ts';

/** How long a payer waits for a name. */
const TIMEOUT_MS = 1_500;

/**
 * Short, because a handle that changed hands must not pay its old owner for long, and a new name must not stay unknown.
 */
const MEMORY_LIMITS: MemoryLimits = { foundMs: 5 * 60_000, notFoundMs: 30_000, max: 10_000 };

export type ResolveOptions = {
  /** Null: not configured. */
  resolvers: Readonly<Record<Platform, Resolver | null>>;
  now: () => number;
  log: Log;
  timeoutMs?: number;
  cache?: MemoryLimits;
};

/**
 * Resolves a name within a time limit, once for all simultaneous callers, and remembers the answer. No failure reaches
 * the caller: a resolver that throws, hangs or is absent counts as a platform that does not answer.
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
    // Runs later than the line above even when there was nothing to wait for; otherwise the flight would stay.
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

/** The race ends even a resolver that ignores its signal. */
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
