/**
 * A chain's node as its own rules have it, in front of anvil, which keeps to none of them: a tip that is too low is refused,
 * some have no `safe` block, and finality can stand still.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, parseTransaction } from 'viem';
import { z } from 'zod';
import type { ChainRules } from '../../chain/evm/rpc/profile.ts';
import { postJson } from '../processes/post.ts';
import { callRpc } from '../processes/rpc.ts';
import { KEEP_ALIVE_MS } from '../solana/server/ports.ts';
import { hexSchema } from './rpc.ts';

export type RuledNode = {
  url: string;
  /** Keeps the newest final block where it is from now on. */
  stallFinality: () => Promise<void>;
  resumeFinality: () => void;
  /** Multiplies the cost of the next block. It falls again as on the real chain. */
  multiplyBaseFee: (times: number) => Promise<void>;
  close: () => Promise<void>;
};

const callSchema = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.infer<typeof callSchema>;
const BODY_BYTES_MAX = 4 * 1024 * 1024;

export async function startRuledNode(target: string, rules: ChainRules): Promise<RuledNode> {
  const state: { finalized: Hex | null } = { finalized: null };

  async function answer(call: Call): Promise<unknown> {
    const refusal = findRefusal(call, rules);
    if (refusal !== null) return { jsonrpc: '2.0', id: call.id, error: { code: -32_000, message: refusal } };
    const { finalized } = state;
    const params = finalized === null ? call.params : call.params.map((one) => (one === 'finalized' ? finalized : one));
    return forward(target, { ...call, params });
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    serve(request, response, answer).catch(() => request.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stallFinality() {
      const block = z
        .object({ number: hexSchema })
        .parse(await callRpc(target, 'eth_getBlockByNumber', ['finalized', false]));
      state.finalized = block.number;
    },
    resumeFinality() {
      state.finalized = null;
    },
    async multiplyBaseFee(times) {
      const newest = z.object({ baseFeePerGas: hexSchema });
      const { baseFeePerGas } = newest.parse(await callRpc(target, 'eth_getBlockByNumber', ['latest', false]));
      const next = BigInt(baseFeePerGas) * BigInt(times);
      await callRpc(target, 'anvil_setNextBlockBaseFeePerGas', [`0x${next.toString(16)}`]);
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

function findRefusal({ method, params }: Call, { safeTag, tip }: ChainRules): string | null {
  if (safeTag !== 'safe' && params.includes('safe')) return 'safe block not found';
  if (method !== 'eth_sendRawTransaction') return null;
  const { maxPriorityFeePerGas = 0n } = parseTransaction(hexSchema.parse(params[0]));
  return maxPriorityFeePerGas >= tip
    ? null
    : `transaction underpriced: gas tip cap ${maxPriorityFeePerGas}, minimum needed ${tip}`;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (call: Call) => Promise<unknown>,
): Promise<void> {
  const body = z.union([callSchema, z.array(callSchema)]).parse(JSON.parse(await readBody(request)));
  const reply = Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES_MAX) throw new Error(`a request may have ${BODY_BYTES_MAX} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function forward(target: string, call: Call): Promise<unknown> {
  const { text } = await postJson(target, JSON.stringify(call));
  return JSON.parse(text);
}
