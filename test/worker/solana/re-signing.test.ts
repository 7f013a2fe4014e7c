/** One transaction lands late. Another one signed meanwhile pays twice; waiting for certainty pays once. */
import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { reSigning } from '../../attack/solana/re-signing.ts';
import { post } from '../../support/pay.ts';
import { startSolanaChain, type SolanaChain } from '../../support/chains/solana-chain.ts';
import { makeSolanaProof } from '../../support/chains/solana-pay.ts';
import { startSolanaService, type SolanaService } from '../../support/solana-service.ts';

let chain: SolanaChain;
let service: SolanaService | null = null;
beforeEach(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
});
afterEach(async () => {
  await service?.close();
  service = null;
  await chain.close();
});

/** Slots until the first transaction lands: longer than a usual worker waits, shorter than its blockhash lives. */
const LATE_BLOCKS = 100;
/** Of the control. */
const ROUNDS_MAX = 5;

/** Pays one tip out while its first transaction is late. Answers what the recipient has when everything has landed. */
async function payOutLate(options: Partial<Parameters<typeof startSolanaService>[0]>): Promise<bigint> {
  const started = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, ...options });
  service = started;
  const { store, parts, url, solana } = started;
  const payer = await chain.createKeypair({ usdc: microUsdc(1_000_000n) });
  const terms = { payTo: parts.treasury.address, feePayer: parts.feePayer.address, value: 1_000_000n };
  const header = await makeSolanaProof(payer, chain.rpcUrl, terms);
  const reply = await post(`${url}/payments/x/pay`, { receiver: 'late', amount: 1 }, { 'PAYMENT-SIGNATURE': header });
  expect(reply.status).toBe(200);
  // So that the treasury has something to pay twice with.
  await chain.fundUsdc(parts.treasury.address, microUsdc(5_000_000n));
  const wallet = Keypair.generate().publicKey.toBase58();
  await chain.fundUsdc(wallet, microUsdc(7n));
  await chain.setFault({ kind: 'late', times: 1, blocks: LATE_BLOCKS });
  const [line] = await store.read.select().from(store.tables.lines);
  const link = { identityId: line?.identityId ?? '', network: 'solana' as const, address: wallet, source: 'test' };
  await linkWallet(store, link, solana.transferIdOf, Date.now());
  started.worker?.wake();
  await eventually(async () => expect(await chain.fired('late')).toBe(1));
  await eventually(async () => expect(await chain.usdcBalance(wallet)).toBeGreaterThan(7n), 20_000);
  chain.expireBlockhashes();
  return (await chain.usdcBalance(wallet)) - 7n;
}

test('a payout whose transaction is late is paid once', async () => {
  expect(await payOutLate({})).toBe(1_000_000n);
});

test('the control that re-signs on a time-out pays it twice', async () => {
  const paid: bigint[] = [];
  // Where much else runs, the first transaction may land before the worker has lost its patience.
  for (let round = 0; round < ROUNDS_MAX && !paid.includes(2_000_000n); round += 1) {
    if (service !== null) await service.close();
    paid.push(await payOutLate({ decorateWorker: (worker) => ({ ...worker, rpc: reSigning(worker.rpc) }) }));
  }
  expect(paid).toContain(2_000_000n);
});
