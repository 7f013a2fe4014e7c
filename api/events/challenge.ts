import { challengeBody } from '../../core/events/events.ts';
import { AppError } from '../../core/errors.ts';
import { FetchFailure, type FetchFault } from '../../identity/fetch-failure.ts';
import type { FetchedText } from '../../identity/guarded-fetch.ts';
import type { ApiDependencies, Events } from '../environment/dependencies.ts';

/** What is told of a failure: an address that is not public answers like one that nobody answers at. */
const FAULTS = {
  timeout: 'It did not answer in time.',
  unreachable: 'It cannot be reached on the public internet.',
  'forbidden-address': 'It cannot be reached on the public internet.',
  'bad-url': 'It is no address.',
  redirected: 'It answered with a redirect, and none is followed.',
  'too-large': 'Its answer was larger than 64 KiB.',
} as const satisfies Record<FetchFault, string>;

/**
 * Asks the address whether it wants to be told. Only the challenge alone counts: hosts that show what they are sent would
 * answer with all of the body. Throws AppError.
 */
export async function askChallenge(
  { ids, now }: Pick<ApiDependencies, 'ids' | 'now'>,
  { fetch }: Pick<Events, 'fetch'>,
  url: string,
): Promise<void> {
  const challenge = ids.challenge();
  const { status, text } = await send(fetch, url, challengeBody(challenge, now()));
  if (status >= 200 && status < 300 && text.trim() === challenge) return;
  const found = status >= 200 && status < 300 ? 'another text' : `status ${status}`;
  const detail = `It must answer with a status of 2xx and, as its whole body, the text in data.challenge; it answered ${found}.`;
  throw new AppError('event_endpoint_refused', { field: 'url', detail });
}

async function send(fetch: Events['fetch'], url: string, body: string): Promise<FetchedText> {
  const headers = { 'content-type': 'application/json' };
  try {
    return await fetch.send(url, { method: 'POST', headers, body, signal: new AbortController().signal });
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    throw new AppError('event_endpoint_refused', { field: 'url', detail: FAULTS[error.fault] });
  }
}
