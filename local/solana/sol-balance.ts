import { z } from 'zod';
import { callRpc } from '../processes/rpc.ts';

const answerSchema = z.object({ value: z.int() });

/** In lamports, in the newest block. */
export async function readSolBalance(rpcUrl: string, address: string): Promise<bigint> {
  const { value } = answerSchema.parse(await callRpc(rpcUrl, 'getBalance', [address, { commitment: 'processed' }]));
  return BigInt(value);
}
