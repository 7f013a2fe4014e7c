import { FetchFailure } from './fetch-failure.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { parseJson } from './json.ts';
import type { Resolution, Resolver } from './port.ts';
import type { ReportTrouble } from './trouble.ts';

export type LookupTools = { fetch: GuardedFetch; report: ReportTrouble };

export type LookupRequest = { url: string; headers: Readonly<Record<string, string>> };

/** `json` is undefined where the body is not JSON. */
export type Answer = { status: number; json: unknown };

/** How a provider is asked for a name, and how its answers are read. */
export type Provider = {
  toRequest: (name: string) => LookupRequest;
  /** Gets every status but 404 and those that refuse us. Null: an unknown form of answer. */
  read: (answer: Answer, name: string) => Resolution | null;
};

/** The provider refuses us or is broken, which says nothing about the name. */
const REFUSALS: readonly number[] = [401, 403, 429];

export function createLookup(provider: Provider, tools: LookupTools): Resolver {
  return async ({ key }, signal) => {
    const answer = await askProvider(provider.toRequest(key), signal, tools);
    if (answer === null) return { kind: 'unavailable' };
    if (answer.status === 404) return { kind: 'not-found' };
    const resolution = provider.read(answer, key);
    if (resolution !== null) return resolution;
    tools.report(`unexpected answer with status ${answer.status}`);
    return { kind: 'unavailable' };
  };
}

/** Null: no answer, or one that refuses us; both are reported. */
export async function askProvider(
  { url, headers }: LookupRequest,
  signal: AbortSignal,
  { fetch, report }: LookupTools,
): Promise<Answer | null> {
  try {
    const { status, text } = await fetch.get(url, { headers, signal });
    if (!REFUSALS.includes(status) && status < 500) return { status, json: parseJson(text) };
    report(`status ${status}`);
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    report(error.fault);
  }
  return null;
}

/** Replaces `{name}` with the name; a URL without `{name}` gets it as its last path segment. */
export function fillName(template: string, name: string): string {
  const encoded = encodeURIComponent(name);
  if (template.includes('{name}')) return template.replaceAll('{name}', encoded);
  const url = new URL(template);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${encoded}`;
  return url.href;
}
