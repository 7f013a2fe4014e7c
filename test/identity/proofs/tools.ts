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

/** What a person does in a browser on a pretend page: fills the form in and presses a button. */
export async function submit(pageUrl: string, filled: Record<string, string>): Promise<Response> {
  const page = await (await fetch(pageUrl)).text();
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1];
  if (action === undefined) throw new Error(`expected a form at ${pageUrl}, found ${page.slice(0, 2_000)}`);
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const body = new URLSearchParams({
    ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
    ...filled,
  });
  return fetch(new URL(action, pageUrl), { method: 'POST', body, redirect: 'manual' });
}
