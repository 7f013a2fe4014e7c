/** JSON-RPC 2.0: finds the method of a call, and words its outcome. */
import { z } from 'zod';
import type { Methods } from '../rpc/method.ts';
import { RpcError } from '../rpc/rpc-error.ts';

const CALLS_MAX = 100;

const callSchema = z.object({
  jsonrpc: z.literal('2.0'),
  /** A call without one wants no answer. */
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

export type Reply = { jsonrpc: '2.0'; id: string | number | null } & (
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } }
);

export type Dispatcher = {
  /** Null when nothing is to be answered. */
  answer: (request: unknown) => Promise<Reply | Reply[] | null>;
};

export function createDispatcher(methods: Methods): Dispatcher {
  async function answerOne(request: unknown): Promise<Reply | null> {
    const call = callSchema.safeParse(request);
    if (!call.success) return toError(null, new RpcError(-32600, 'Invalid request'));
    const { id, method: name, params } = call.data;
    const reply = await run(name, params, id ?? null);
    return id === undefined ? null : reply;
  }

  async function run(name: string, params: unknown, id: Reply['id']): Promise<Reply> {
    try {
      const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
      if (!method) throw new RpcError(-32601, 'Method not found');
      return { jsonrpc: '2.0', id, result: await method(params) };
    } catch (error) {
      return toError(id, error);
    }
  }

  return {
    async answer(request) {
      if (!Array.isArray(request)) return answerOne(request);
      if (request.length === 0 || request.length > CALLS_MAX) {
        return toError(null, new RpcError(-32600, `Invalid request: a batch holds 1 to ${CALLS_MAX} calls`));
      }
      const replies: Reply[] = [];
      // One after another: a batch that sends and then asks finds what it sent.
      for (const call of request) {
        const reply = await answerOne(call);
        if (reply) replies.push(reply);
      }
      return replies.length === 0 ? null : replies;
    },
  };
}

export function toParseError(): Reply {
  return toError(null, new RpcError(-32700, 'Parse error'));
}

/** Unexpected errors are shown too: the caller is a developer, and the chain is theirs. */
function toError(id: Reply['id'], error: unknown): Reply {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { jsonrpc: '2.0', id, error: { code: -32603, message: `Internal error: ${message}` } };
}
