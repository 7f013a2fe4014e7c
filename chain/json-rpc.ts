import { z } from 'zod';
import { type ChainFault, ChainUnavailable } from './errors.ts';

/** Asks one question. The answer is parsed with `schema`; every failure is a ChainUnavailable. */
export type JsonRpc = <T>(method: string, params: readonly unknown[], schema: z.ZodType<T>) => Promise<T>;

/** Providers limit batches; 100 is below the limit of all those we know. */
const BATCH_MAX = 100;
/** A hundred receipts of full batches are about 27 MB. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

const replySchema = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number() }).nullish(),
});
const repliesSchema = z.array(replySchema);
type Reply = z.infer<typeof replySchema>;

export type JsonRpcOptions = {
  url: string;
  timeoutMs: number;
  /** False sends each question in its own request, for providers that take no batches. */
  batches?: boolean;
};

type Question = {
  method: string;
  params: readonly unknown[];
  resolve: (result: unknown) => void;
  reject: (error: ChainUnavailable) => void;
};

/** Why a whole exchange failed; each of its questions gets its own ChainUnavailable. */
class ExchangeFailure extends Error {
  readonly fault: ChainFault;
  readonly code: number | null;

  constructor(fault: ChainFault, code: number | null = null) {
    super(fault);
    this.fault = fault;
    this.code = code;
  }
}

/**
 * JSON-RPC over HTTP. All questions of one turn of the event loop share one request, if the node takes batches. viem's
 * own transport is not used: it pairs batch answers by order (a node that leaves one out shifts all others), and its
 * time limit ends when the headers arrive.
 */
export function createJsonRpc({ url, timeoutMs, batches = true }: JsonRpcOptions): JsonRpc {
  const endpoint = parseEndpoint(url);
  const questionsMax = batches ? BATCH_MAX : 1;
  let waiting: Question[] = [];

  function flush(): void {
    const questions = waiting;
    waiting = [];
    for (let start = 0; start < questions.length; start += questionsMax) {
      void exchange(questions.slice(start, start + questionsMax));
    }
  }

  async function exchange(questions: readonly Question[]): Promise<void> {
    try {
      const calls = toCalls(questions);
      const text = await post(endpoint, JSON.stringify(batches ? calls : calls[0]), timeoutMs);
      deliver(questions, parseReplies(text, batches));
    } catch (error) {
      const { fault, code } = toFailure(error);
      for (const { method, reject } of questions) reject(new ChainUnavailable(method, fault, code));
    }
  }

  return async (method, params, schema) => {
    const result = await new Promise<unknown>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ method, params, resolve, reject });
    });
    const parsed = schema.safeParse(result);
    if (!parsed.success) throw new ChainUnavailable(method, 'malformed');
    return parsed.data;
  };
}

function toCalls(questions: readonly Question[]): object[] {
  return questions.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
}

/** A reply belongs to the question with its id. Where an id comes twice, no reply is trusted. */
function deliver(questions: readonly Question[], replies: readonly Reply[]): void {
  const byId = new Map(replies.map((reply) => [reply.id, reply]));
  const unambiguous = byId.size === replies.length;
  for (const [id, { method, resolve, reject }] of questions.entries()) {
    const reply = byId.get(id);
    if (!unambiguous || !reply) reject(new ChainUnavailable(method, 'malformed'));
    else if (reply.error) reject(new ChainUnavailable(method, 'refused', reply.error.code));
    else resolve(reply.result);
  }
}

type Endpoint = { url: string; headers: Record<string, string> };

/** `fetch` refuses credentials in a URL; providers that use them expect basic authentication. */
function parseEndpoint(text: string): Endpoint {
  const url = new URL(text);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  return { url: url.href, headers };
}

/** The signal also aborts reading the body, so the limit covers the whole exchange. */
async function post({ url, headers }: Endpoint, body: string, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  if (!response.ok) {
    await response.body?.cancel();
    throw new ExchangeFailure('http-status', response.status);
  }
  return readText(response);
}

async function readText(response: Response): Promise<string> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > ANSWER_BYTES_MAX) throw new ExchangeFailure('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const refusalSchema = z.object({ error: z.object({ code: z.number() }) });

/** A node that refuses a batch as a whole answers with one error object instead of an array. */
function parseReplies(text: string, isBatch: boolean): Reply[] {
  const json: unknown = parseJson(text);
  const refusal = refusalSchema.safeParse(json);
  if (refusal.success) throw new ExchangeFailure('refused', refusal.data.error.code);
  const replies = repliesSchema.safeParse(isBatch ? json : [json]);
  if (!replies.success) throw new ExchangeFailure('malformed');
  return replies.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExchangeFailure('malformed');
  }
}

function toFailure(error: unknown): ExchangeFailure {
  if (error instanceof ExchangeFailure) return error;
  // fetch throws the signal's TimeoutError unchanged; any other error means that no answer arrived.
  return new ExchangeFailure(error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable');
}
