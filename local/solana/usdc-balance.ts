import { z } from 'zod';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import { type MicroUsdc, ZERO_USDC, microUsdc } from '../../core/money.ts';
import { callRpc } from '../processes/rpc.ts';

const tokenSchema = z.object({
  parsed: z.object({ info: z.object({ tokenAmount: z.object({ amount: z.string() }) }) }),
});
const answerSchema = z.object({ value: z.object({ data: tokenSchema }).nullable() });

/** What the owner's token account has in the newest block; nothing without an account. */
export async function readUsdcBalance(rpcUrl: string, owner: string): Promise<MicroUsdc> {
  return (await findUsdcBalance(rpcUrl, owner)) ?? ZERO_USDC;
}

/** The same, but null without an account: an empty one can be paid into, and one that is not there cannot. */
export async function findUsdcBalance(rpcUrl: string, owner: string): Promise<MicroUsdc | null> {
  const config = { encoding: 'jsonParsed', commitment: 'processed' };
  const account = tokenAccountOf(owner, solanaProfile('local'));
  const { value } = answerSchema.parse(await callRpc(rpcUrl, 'getAccountInfo', [account, config]));
  return value === null ? null : microUsdc(BigInt(value.data.parsed.info.tokenAmount.amount));
}
