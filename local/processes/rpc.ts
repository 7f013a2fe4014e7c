/** One JSON-RPC call to a local chain. Small on purpose: starting a chain needs no client library. */
import { z } from 'zod';
import { postJson } from './post.ts';

const TIMEOUT_MS = 10_000;

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/** The chain could not be reached, or its answer was not one. */
export class RpcUnreachable extends Error {}

/** Local chains listen on loopback and nowhere else. */
export function toRpcUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Answers the result unchecked. Throws `RpcUnreachable`, or a plain Error with what the node said. */
export async function callRpc(rpcUrl: string, method: string, params: unknown[] = [], timeoutMs = TIMEOUT_MS) {
  const answer = await post(rpcUrl, { jsonrpc: '2.0', id: 1, method, params }, timeoutMs);
  if (answer.error) throw new Error(`the local chain refused ${method}: ${answer.error.message}`);
  return answer.result;
}

async function post(rpcUrl: string, body: unknown, timeoutMs: number) {
  try {
    const { text } = await postJson(rpcUrl, JSON.stringify(body), timeoutMs);
    return answerSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new RpcUnreachable(`the local chain at ${rpcUrl} does not answer`, { cause });
  }
}
