/** The part of Optimism that signing in with Farcaster needs: the owner of an account, and the check of a signature. */
import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  erc6492SignatureValidatorByteCode,
  parseAbi,
  recoverAddress,
} from 'viem';
import { z } from 'zod';
import type { FarcasterPeople } from './farcaster-people.ts';
import { startStandIn, type Reply, type StandIn } from './server.ts';

type Hex = `0x${string}`;

export type OptimismOptions = {
  people: FarcasterPeople;
  /** Addresses beside the owner's that may sign in for an account. */
  authAddresses?: readonly { fid: number; address: string }[];
};

const ID_REGISTRY = '0x00000000fc6c5f01fc30151999387bb99a9f489b';
const KEY_REGISTRY = '0x00000000fc1237824fb747abde0ff18990e59b7e';
const registryAbi = parseAbi([
  'function idOf(address owner) view returns (uint256)',
  'function keyDataOf(uint256 fid, bytes key) view returns ((uint8 state, uint32 keyType))',
]);
/** The address, hash and signature with which the validator is deployed for the length of a call. */
const VALIDATED = [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }] as const;

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)]);
const callSchema = z.object({
  id: z.number(),
  method: z.literal('eth_call'),
  params: z.tuple([z.object({ to: z.string().optional(), data: hexSchema }), z.string()]),
});

export function startOptimismStandIn(options: OptimismOptions): Promise<StandIn> {
  return startStandIn(async ({ method, body }): Promise<Reply> => {
    if (method !== 'POST') return { status: 405 };
    const call = callSchema.safeParse(parseJson(body));
    if (!call.success)
      return { status: 200, body: { jsonrpc: '2.0', id: null, error: { code: -32_601, message: 'unknown' } } };
    const { id, params } = call.data;
    const [{ to, data }] = params;
    const result = to === undefined ? await validate(data) : readRegistry(to.toLowerCase(), data, options);
    const answer = result === null ? { error: { code: 3, message: 'execution reverted', data: '0x' } } : { result };
    return { status: 200, body: { jsonrpc: '2.0', id, ...answer } };
  });
}

/** Null: reverted, as the validator does with what is no signature at all. */
async function validate(data: Hex): Promise<Hex | null> {
  if (!data.startsWith(erc6492SignatureValidatorByteCode)) return null;
  const args: Hex = `0x${data.slice(erc6492SignatureValidatorByteCode.length)}`;
  const [signer, hash, signature] = decodeAbiParameters(VALIDATED, args);
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase() === signer.toLowerCase() ? '0x01' : '0x00';
  } catch {
    return null;
  }
}

function readRegistry(to: string, data: Hex, { people, authAddresses = [] }: OptimismOptions): Hex | null {
  const { functionName, args } = decodeFunctionData({ abi: registryAbi, data });
  if (functionName === 'idOf' && to === ID_REGISTRY) {
    return encodeAbiParameters([{ type: 'uint256' }], [BigInt(people.byAddress(args[0])?.fid ?? 0)]);
  }
  if (functionName !== 'keyDataOf' || to !== KEY_REGISTRY) return null;
  const [fid, key] = args;
  const address = `0x${key.slice(-40)}`;
  const isAdded = authAddresses.some(
    (entry) => BigInt(entry.fid) === fid && entry.address.toLowerCase() === address && key.length === 66,
  );
  return encodeAbiParameters([{ type: 'uint8' }, { type: 'uint32' }], isAdded ? [1, 2] : [0, 0]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
