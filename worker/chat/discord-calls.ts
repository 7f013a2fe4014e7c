import { z } from 'zod';

const API_URL = 'https://discord.com/api';
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Above this the outbox row waits instead of the worker. */
const PATIENCE_MS = 3_000;
const WAITS_MAX = 5;

const limited = z.looseObject({ retry_after: z.number().nonnegative() });
const refused = z.looseObject({ code: z.number() });

/**
 * It can be done neither now nor later: the chat is gone, the bot lacks permission, or Discord refuses the form (an
 * archived thread takes no reactions).
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

/** Calls Discord as the bot; null for an empty answer. Rejects where a later try may work. */
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

/** Null for an answer that is no JSON, such as a proxy's page. */
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
