/**
 * How fast payouts leave that all come due at once: people who are owed many lines get a wallet, and all of them are paid
 * on the chain. `npm run bench -- backlog lines=2000` for fewer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { and, count, eq, inArray } from 'drizzle-orm';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { runRow } from '../../scripts/bench/row.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { startLocalService } from '../support/local-service.ts';
import type { Service } from '../../service/start.ts';
import { linkPeople, payBatch } from './load/batches.ts';
import { BLOCK_MS } from './load/world.ts';

const settings = readSettings(process.argv.slice(2));
const wanted = settings.number('lines', 10_000);
const LINES_PER_PAYMENT = 100;
const AT_ONCE = 5;
let people = 0;

async function countPaid({ store }: Service): Promise<number> {
  const { transfers } = store.tables;
  const isPaid = and(eq(transfers.purpose, 'payout'), inArray(transfers.status, ['confirmed', 'final']));
  const [row] = await store.read.select({ paid: count() }).from(transfers).where(isPaid);
  return row?.paid ?? 0;
}

await runRow({
  name: settings.row,
  about: `${wanted} payouts to one person, ${BLOCK_MS / 1_000} s blocks, SQLite`,
  read: 'From the wallet to the last block; the payments before it are not in it.',
  rounds: settings.number('rounds', 1),
  open: () => startLocalService({ env: { LOCAL_BLOCK_MS: String(BLOCK_MS) } }),
  async round(service) {
    people += 1;
    const name = `owed${people}`;
    const receivers = Array.from({ length: LINES_PER_PAYMENT }, () => name);
    for (let paid = 0; paid < wanted; paid += LINES_PER_PAYMENT * AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => payBatch(service, 'base', receivers)));
    const paidBefore = await countPaid(service);
    const lines = Math.ceil(wanted / (LINES_PER_PAYMENT * AT_ONCE)) * LINES_PER_PAYMENT * AT_ONCE;
    const [startedMs, cpuBefore] = [performance.now(), process.cpuUsage()];
    await linkPeople(service, 'base', [parseRecipient('x', name)]);
    while ((await countPaid(service)) < paidBefore + lines) await sleep(500);
    const seconds = (performance.now() - startedMs) / 1_000;
    const { user, system } = process.cpuUsage(cpuBefore);
    return [
      { what: 'payouts a second', unit: '/s', better: 'more', ours: lines / seconds, gate: { of: 'ours', at: 150 } },
      { what: 'CPU a payout', unit: 'ms', better: 'less', ours: (user + system) / 1_000 / lines },
    ];
  },
  close: (service) => service.close(),
});
process.exit();
