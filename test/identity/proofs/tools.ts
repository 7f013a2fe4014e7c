import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createGuardedFetch, type FetchLimits } from '../../../identity/guarded-fetch.ts';
import type { LookupTools } from '../../../identity/lookup.ts';

export const FOREVER = new AbortController().signal;

export const random = (count: number): Uint8Array => randomBytes(count);

/** As the proofs get them, but open to this machine; what would go to the log is kept. */
export function createTools(limits: Partial<FetchLimits> = {}): LookupTools & { reasons: string[] } {
  const fetch = createGuardedFetch({
    timeoutMs: 5_000,
    bytesMax: 100_000,
    redirectsMax: 0,
    allowsAddress: () => true,
    ...limits,
  });
  onTestFinished(() => fetch.close());
  const reasons: string[] = [];
  return { fetch, reasons, report: (reason) => void reasons.push(reason) };
}

/** Closed with the test. */
export async function keep<T extends { close: () => Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  onTestFinished(() => started.close());
  return started;
}
