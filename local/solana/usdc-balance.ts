import { address } from '@solana/kit';
import { z } from 'zod';
import { type MicroUsdc, ZERO_USDC, microUsdc } from '../../core/money.ts';
import { callRpc } from '../base/rpc.ts';
import { usdcAccountOf } from './usdc-account.ts';

const tokenSchema = z.object({
  parsed: z.object({ info: z.object({ tokenAmount: z.object({ amount: z.string() }) }) }),
});
const answerSchema = z.object({ value: z.object({ data: tokenSchema }).nullable() });

/** What the owner's token account has in the newest block; nothing without an account. */
export async function readUsdcBalance(rpcUrl: string, owner: string): Promise<MicroUsdc> {
  const config = { encoding: 'jsonParsed', commitment: 'processed' };
  const account = await usdcAccountOf(address(owner));
  const { value } = answerSchema.parse(await callRpc(rpcUrl, 'getAccountInfo', [account, config]));
  return value === null ? ZERO_USDC : microUsdc(BigInt(value.data.parsed.info.tokenAmount.amount));
}
