/** One payment to a hundred people who have a wallet: transactions, gas or fee, and time until all of them are paid. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gt } from 'drizzle-orm';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { callRpc } from '../../local/processes/rpc.ts';
import { runRow } from '../../scripts/bench/row.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import type { Sample } from '../../scripts/bench/figures.ts';
import type { Service } from '../../service/start.ts';
import { startLocalService } from '../support/local-service.ts';
import { rpcUrlOf } from '../support/served.ts';
import { linkPeople, payBatch, type BatchNetwork } from './load/batches.ts';
import { minedOf } from './load/blocks.ts';
import { makeTokenDear } from './load/dear-token.ts';
import { BLOCK_MS } from './load/world.ts';

const settings = readSettings(process.argv.slice(2));
const network = settings.text('network', 'base') as BatchNetwork;
const size = settings.number('size', 100);
const AGAIN_MS = 20;
let asked = 0;
let rpcUrl = '';
const plainFetch = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const isNode = typeof input === 'string' && rpcUrl !== '' && new URL(input).host === new URL(rpcUrl).host;
  if (isNode && typeof init?.body === 'string') asked += init.body.match(/"method"/g)?.length ?? 0;
  return plainFetch(input, init);
};

/** Of this payment: when all of them were confirmed, and in which transactions. */
async function untilPaid({ store }: Service, sinceMs: number) {
  const { transfers } = store.tables;
  for (;;) {
    const rows = await store.read.select().from(transfers).where(gt(transfers.createdAtMs, sinceMs));
    const paid = rows.filter(({ status }) => status === 'confirmed' || status === 'final');
    if (paid.length >= size) return new Set(paid.flatMap(({ landedTransaction }) => landedTransaction ?? []));
    const held = rows.find(({ status }) => status === 'held');
    if (held !== undefined) throw new Error(`a payout is held: ${held.heldReason}`);
    await sleep(AGAIN_MS);
  }
}

/** Gas on Base, lamports on Solana. */
async function costOf(transactions: ReadonlySet<string>): Promise<number> {
  if (network === 'base') {
    const mined = await minedOf(rpcUrl, transactions);
    return Number([...mined.values()].reduce((sum, { gas }) => sum + gas, 0n));
  }
  let lamports = 0;
  for (const transaction of transactions) {
    const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
    const found = (await callRpc(rpcUrl, 'getTransaction', [transaction, options])) as { meta: { fee: number } } | null;
    lamports += found?.meta.fee ?? 0;
  }
  return lamports;
}

async function payAll(service: Service, names: readonly string[], whose: string): Promise<Sample[]> {
  const sinceMs = Date.now() - 1;
  await payBatch(service, network, names);
  const [answeredMs, cpuBefore, askedBefore] = [performance.now(), process.cpuUsage(), asked];
  const transactions = await untilPaid(service, sinceMs);
  const seconds = (performance.now() - answeredMs) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const less = { better: 'less' } as const;
  const cost = network === 'base' ? 'gas a payout' : 'fee a payout';
  return [
    { what: `from the 200 to all paid, ${whose}`, unit: 's', ...less, ours: seconds },
    { what: `transactions, ${whose}`, unit: '', ...less, ours: transactions.size },
    {
      what: `${cost}, ${whose}`,
      unit: network === 'base' ? '' : 'lamports',
      ...less,
      ours: (await costOf(transactions)) / size,
    },
    { what: `RPC calls a payout, ${whose}`, unit: '', ...less, ours: (asked - askedBefore) / size },
    { what: `CPU a payout, ${whose}`, unit: 'ms', ...less, ours: (user + system) / 1_000 / size },
  ];
}

await runRow({
  name: settings.row,
  about: `one payment to ${size} people with wallets, ${network === 'base' ? `${BLOCK_MS / 1_000} s blocks, a token as dear as Circle’s` : '400 ms slots'}, SQLite`,
  read: 'Counted from the 200 on, so the inbound is not in it; CPU is that of the whole service, and of this bench.',
  rounds: settings.number('rounds', 3),
  async open() {
    const service = await startLocalService({ env: { LOCAL_BLOCK_MS: String(BLOCK_MS) }, slotMs: 400 });
    rpcUrl = rpcUrlOf(service, network);
    if (network === 'base') await makeTokenDear(rpcUrl);
    return service;
  },
  async round(service, round) {
    const names = Array.from({ length: size }, (_, index) => `payee${round}x${index}`);
    await linkPeople(
      service,
      network,
      names.map((name) => parseRecipient('x', name)),
    );
    const samples = network === 'base' ? await payAll(service, names, 'new holders') : [];
    return [...samples, ...(await payAll(service, names, 'known holders'))];
  },
  close: (service) => service.close(),
});
process.exit();
