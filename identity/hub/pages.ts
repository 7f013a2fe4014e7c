import type { z } from 'zod';
import type { AppError } from '../../core/errors.ts';
import type { Answer } from '../lookup.ts';
import type { AskHub } from './ask.ts';

type Message = { hash: string };

export type Listing<T extends Message> = {
  path: string;
  query: Readonly<Record<string, string>>;
  pageSize: number;
  pagesMax: number;
  messagesMax: number;
  /** The error when there are more. */
  tooMany: () => AppError;
  /** Null: a message of another type, which is skipped. */
  schema: z.ZodType<{ messages: readonly (T | null)[]; nextPageToken?: string | null | undefined }>;
};

/**
 * Reads a list page by page, each message once. It ends where the hub says so, or where a page brings nothing new: hubs
 * have shards, and while one continues they start another again, or end with a token that leads back to the beginning.
 * Throws AppError `upstream_unavailable`, or `tooMany` after too many pages or messages.
 */
export async function* readPages<T extends Message>(
  ask: AskHub,
  listing: Listing<T>,
  signal: AbortSignal,
): AsyncGenerator<readonly T[], void> {
  const { path, query, pageSize, pagesMax, messagesMax, tooMany } = listing;
  const seen = new Set<string>();
  const tokens = new Set<string>();
  let pageToken = '';
  for (let page = 0; page < pagesMax; page += 1) {
    const paging = { pageSize: String(pageSize), ...(pageToken === '' ? {} : { pageToken }) };
    const answer = await ask.get(path, { ...query, ...paging }, signal);
    const { messages, next } = parsePage(ask, listing, answer);
    const fresh: T[] = [];
    for (const message of messages) {
      if (message === null || seen.has(message.hash)) continue;
      seen.add(message.hash);
      fresh.push(message);
    }
    if (seen.size > messagesMax) throw tooMany();
    yield fresh;
    const isRepeated = messages.some((message) => message !== null) && fresh.length === 0;
    if (next === '' || tokens.has(next) || isRepeated) return;
    tokens.add(next);
    pageToken = next;
  }
  throw tooMany();
}

function parsePage<T extends Message>(ask: AskHub, { schema }: Listing<T>, answer: Answer) {
  const parsed = schema.safeParse(answer.json);
  if (answer.status !== 200 || !parsed.success) throw ask.refuse(answer);
  return { messages: parsed.data.messages, next: parsed.data.nextPageToken ?? '' };
}
