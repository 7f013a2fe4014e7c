/** When each block of a local chain could be seen first, and what a transaction in it cost. */
import { WebSocket } from 'ws';
import { z } from 'zod';
import { callRpc } from '../../../local/processes/rpc.ts';

const messageSchema = z.object({ params: z.object({ result: z.object({ number: z.string() }) }).optional() });
const receiptSchema = z.object({ blockNumber: z.string(), gasUsed: z.string() });

export async function watchBlocks(rpcUrl: string) {
  const seenMs = new Map<number, number>();
  const waiting: (() => void)[] = [];
  const socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('message', (text: Buffer) => {
    const { params } = messageSchema.parse(JSON.parse(text.toString()));
    if (params === undefined) return;
    seenMs.set(Number(params.result.number), performance.now());
    for (const resolve of waiting.splice(0)) resolve();
  });
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }));
  return {
    seenMs: seenMs as ReadonlyMap<number, number>,
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
    close: () => socket.close(),
  };
}

export type Mined = { block: number; gas: bigint };

/** Of each of these transactions that is in a block. */
export async function minedOf(rpcUrl: string, transactions: Iterable<string>): Promise<Map<string, Mined>> {
  const mined = new Map<string, Mined>();
  for (const transaction of new Set(transactions)) {
    const receipt = await callRpc(rpcUrl, 'eth_getTransactionReceipt', [transaction]);
    if (receipt === null) continue;
    const { blockNumber, gasUsed } = receiptSchema.parse(receipt);
    mined.set(transaction, { block: Number(blockNumber), gas: BigInt(gasUsed) });
  }
  return mined;
}
