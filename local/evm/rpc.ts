/** Calls of a local Base chain that answer hex digits, as most of them do. */
import { z } from 'zod';
import { callRpc } from '../processes/rpc.ts';

export type Hex = `0x${string}`;
export const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]*$/i)]);

export async function callHex(rpcUrl: string, method: string, params: unknown[] = []): Promise<Hex> {
  return hexSchema.parse(await callRpc(rpcUrl, method, params));
}
