/**
 * How fast payouts leave that all come due at once: people who are owed many lines get a wallet, and all of them are paid
 * on the chain. `npm run bench -- backlog 2000` for fewer lines.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, count, eq, inArray } from 'drizzle-orm';
import { privateKeyToAccount } from 'viem/accounts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../db/identities/identities.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import { localUserId } from '../../local/identity.ts';
import { startLocalService } from '../support/local-service.ts';
import { makeProof, post } from '../support/pay.ts';
import { basePartsOf, fundOn } from '../support/served.ts';
import { testTransferIds } from '../support/transfers/transfer-ids.ts';

const LINES = Number(process.argv[2] ?? 10_000);
const LINES_PER_PAYMENT = 100;
const AT_ONCE = 5;
const BLOCK_MS = 2_000;

const newAccount = () => privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
const service = await startLocalService({ env: { LOCAL_BLOCK_MS: String(BLOCK_MS) } });
const { store } = service;
const { treasury } = basePartsOf(service);

async function payBatch(): Promise<void> {
  const value = BigInt(LINES_PER_PAYMENT) * 10_000n;
  const signer = newAccount();
  await fundOn(service, 'base', signer.address);
  const header = await makeProof({ from: signer.address, signer, payTo: treasury.address, value });
  const receivers = Array.from({ length: LINES_PER_PAYMENT }, () => ({ receiver: 'alice', amount: 0.01 }));
  const send = () => post(`${service.url}/payments/x/batch-pay`, { receivers }, { 'PAYMENT-SIGNATURE': header });
  let reply = await send();
  while (reply.body['error'] === 'settlement_pending') reply = await send();
  if (reply.status !== 200) throw new Error(`expected a payment, found ${reply.status} ${JSON.stringify(reply.body)}`);
}

async function countPaid(): Promise<number> {
  const { transfers } = store.tables;
  const isPaid = and(eq(transfers.purpose, 'payout'), inArray(transfers.status, ['confirmed', 'final']));
  const [row] = await store.read.select({ paid: count() }).from(transfers).where(isPaid);
  return row?.paid ?? 0;
}

for (let paid = 0; paid < LINES; paid += LINES_PER_PAYMENT * AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, payBatch));
}
const recipient = parseRecipient('x', 'alice');
const person = { ...recipient, stableId: localUserId(recipient) };
const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, 'alice', Date.now()));
const wallet = { identityId, network: 'base', address: newAccount().address, source: 'bench' } as const;
const [startedMs, cpuBefore] = [performance.now(), process.cpuUsage()];
await linkWallet(store, wallet, testTransferIds, Date.now());
for (let paid = 0; paid < LINES; paid = await countPaid()) await sleep(500);
const seconds = (performance.now() - startedMs) / 1_000;
const { user, system } = process.cpuUsage(cpuBefore);
const cpuMs = (user + system) / 1_000 / LINES;
console.log(`${LINES} payouts, ${BLOCK_MS} ms blocks, SQLite: ${(LINES / seconds).toFixed(0)} lines a second`);
console.log(`${seconds.toFixed(1)} s from the wallet to the last block, ${cpuMs.toFixed(2)} ms CPU a line`);
await service.close();
process.exit();
