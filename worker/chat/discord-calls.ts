import { z } from 'zod';

const API_URL = 'https://discord.com/api';
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Longer than this, the row of the outbox waits instead of the worker. */
const PATIENCE_MS = 3_000;
const WAITS_MAX = 5;

const limited = z.looseObject({ retry_after: z.number().nonnegative() });
const refused = z.looseObject({ code: z.number() });

/**
 * The chat is gone, the bot may not do that there, or Discord does not take it in this form (an archived thread takes no
 * signs): it can be done neither now nor later.
 */
export class Unreachable extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number) {
    super(`Discord lets nothing be done there (${status}, ${code})`);
    this.status = status;
    this.code = code;
  }
}

export type DiscordCall = (method: 'POST' | 'PUT', path: string, body?: object) => Promise<unknown>;

/** Asks something of Discord as the bot: null where the answer is empty. Rejects where it may work the next time. */
export function createDiscordCall({
  token,
  apiUrl = API_URL,
}: {
  token: string;
  apiUrl?: string | undefined;
}): DiscordCall {
  return async (method, path, body) => {
    for (let waits = 0; ; waits++) {
      const response = await fetch(`${apiUrl}/v10${path}`, {
        method,
        headers: { authorization: `Bot ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = await readAnswer(response);
      if (response.ok) return answer;
      if (response.status === 429) {
        const waitMs = limited.parse(answer).retry_after * 1_000;
        if (waits < WAITS_MAX && waitMs <= PATIENCE_MS) await new Promise((resolve) => setTimeout(resolve, waitMs));
        else throw new Error(`Discord wants to be asked nothing for ${waitMs} ms`);
        continue;
      }
      const { status } = response;
      if (status === 400 || status === 403 || status === 404) throw new Unreachable(status, codeOf(answer));
      throw new Error(`Discord answered ${status} (${codeOf(answer)})`);
    }
  };
}

/** Null for what is no JSON, such as the page of a proxy. */
async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text.length > ANSWER_BYTES_MAX) throw new Error(`Discord answered with ${text.length} characters`);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function codeOf(answer: unknown): number {
  return refused.safeParse(answer).data?.code ?? 0;
}
