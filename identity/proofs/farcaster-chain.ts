import type { Client } from '@farcaster/auth-client';
import { z } from 'zod';
import { toEndpointRequest } from '../endpoint.ts';
import { FetchFailure } from '../fetch-failure.ts';
import type { LookupTools } from '../lookup.ts';
import { parseJson } from '../json.ts';

type EthereumConnector = Client['ethereum'];

/** Farcaster's contracts on Optimism: the holder of an fid, and the other keys that may sign in for it. */
const ID_REGISTRY = '0x00000000fc6c5f01fc30151999387bb99a9f489b';
const KEY_REGISTRY = '0x00000000fc1237824fb747abde0ff18990e59b7e';
/** The first four bytes of the hash of `idOf(address)` and of `keyDataOf(uint256,bytes)`. */
const ID_OF = '0xd94fe832';
const KEY_DATA_OF = '0xac34cc5a';
/** `KeyState.ADDED`, and the key type of addresses that may sign in. */
const STATE_ADDED = 1n;
const TYPE_AUTH_ADDRESS = 2n;

const replySchema = z.object({ result: z.unknown().optional(), error: z.object({ code: z.number() }).nullish() });
const wordsSchema = z.string().regex(/^0x(?:[0-9a-fA-F]{64})+$/);

/** Ethereum's JSON-RPC code for a failed call. Every other code is a failure of the node. */
const REVERTED = 3;

/** Set once the node gave no usable answer, which the library would report as a wrong signature. */
export type NodeTrouble = { hasHappened: boolean };

type ConnectorOptions = {
  rpcUrl: string;
  signal: AbortSignal;
  trouble: NodeTrouble;
  publicClient: EthereumConnector['publicClient'];
};

type Ask = (method: string, params: unknown) => Promise<unknown>;

/**
 * Sends the library's requests to Optimism over our guarded fetch: its own connector has no size limit, and repeats a
 * request for up to 40 seconds.
 */
export function createConnector(options: ConnectorOptions, tools: LookupTools): EthereumConnector {
  const { publicClient, trouble } = options;
  const ask = createAsk(options, tools);
  async function read(to: string, data: string): Promise<readonly bigint[]> {
    const words = wordsSchema.safeParse(await ask('eth_call', [{ to, data }, 'latest']));
    if (words.success) return (words.data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
    trouble.hasHappened = true;
    throw new Error('expected words of 32 bytes from a contract of Farcaster');
  }
  return {
    getFid: async (custody) => (await read(ID_REGISTRY, `${ID_OF}${toWord(BigInt(custody))}`))[0] ?? 0n,
    isValidAuthAddress: async (address, fid) => {
      const key = `${toWord(0x40n)}${toWord(32n)}${toWord(BigInt(address))}`;
      const [state, type] = await read(KEY_REGISTRY, `${KEY_DATA_OF}${toWord(fid)}${key}`);
      return state === STATE_ADDED && type === TYPE_AUTH_ADDRESS;
    },
    publicClient: toGuardedClient(publicClient, ask),
  };
}

/**
 * The library's client with our requests. Without `ccipRead: false` a contract as signer could make it fetch any URL,
 * also inside our network. The actions are removed because they are bound to the old client.
 */
function toGuardedClient(client: EthereumConnector['publicClient'], ask: Ask): EthereumConnector['publicClient'] {
  const unbound = { call: undefined, readContract: undefined, getCode: undefined };
  const request = (question: { method: string; params?: unknown }) => ask(question.method, question.params ?? []);
  // The type lists each method's answer; the library parses them like any node's.
  return { ...client, ...unbound, ccipRead: false, request: request as typeof client.request };
}

function createAsk({ rpcUrl, signal, trouble }: ConnectorOptions, { fetch, report }: LookupTools): Ask {
  const { url, headers } = toEndpointRequest(rpcUrl, '', {});
  function fail(reason: string): never {
    trouble.hasHappened = true;
    report(`Optimism: ${reason}`);
    throw new Error(`no usable answer from Optimism: ${reason}`);
  }
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const sent = { ...headers, 'content-type': 'application/json' };
    let answer;
    try {
      answer = await fetch.send(url, { method: 'POST', headers: sent, body, signal });
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      return fail(error.fault);
    }
    if (answer.status !== 200) return fail(`status ${answer.status}`);
    const reply = replySchema.safeParse(parseJson(answer.text));
    if (!reply.success) return fail('no JSON-RPC');
    const { error, result } = reply.data;
    if (!error) return result;
    if (error.code !== REVERTED) return fail(`error ${error.code}`);
    throw new Error('the call was reverted');
  };
}

function toWord(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
