/**
 * `make.ts COUNT`: a real service finishes a payment on each network, and its rows are copied that often. Nothing is kept
 * whose books do not pass the whole audit.
 */
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { findViolations } from '../../../db/audit/invariants.ts';
import { startPass } from '../../../db/audit/pass.ts';
import { auditRound } from '../../../db/audit/round.ts';
import { openStore } from '../../../db/store/open.ts';
import { finishPayments } from '../../support/databases/finish-payments.ts';
import { readFinished } from '../../support/databases/finished-payment.ts';
import { addHistory } from '../../support/databases/history.ts';
import { refuseViolations } from '../../support/databases/refuse-violations.ts';
import { startLocalService } from '../../support/local-service.ts';
import { folderOf } from './folder.ts';

const copies = Number(process.argv[2]);
if (!Number.isInteger(copies) || copies < 1) throw new Error('make.ts COUNT');
const folder = folderOf(copies);
const draft = `${folder}.new`;
const path = join(draft, 'pennypost.sqlite');
const database = { kind: 'sqlite', path } as const;

rmSync(draft, { recursive: true, force: true });
mkdirSync(draft, { recursive: true });
await timed(`${copies} payments stored`, fill);
await timed('the whole audit', audit);
console.log(`  ${Math.round(statSync(path).size / 2 ** 20)} MiB`);
mkdirSync(dirname(folder), { recursive: true });
renameSync(draft, folder);

async function fill(): Promise<void> {
  const service = await startLocalService({ dataDir: draft });
  const ids = await finishPayments(service);
  const finished = await Promise.all(ids.map((id) => readFinished(service.store, id)));
  await service.close();
  await addHistory(service.store, database, finished, { first: 1, copies });
}

/**
 * What a service that has run all the time would have audited is as if it had: the checkpoint stands at the newest entry,
 * once everything was found sound from the first on.
 */
async function audit(): Promise<void> {
  const store = await openStore(database);
  try {
    refuseViolations(await findViolations(store));
    const handle = new Database(path);
    handle.exec(`begin immediate;
      delete from audit_feed;
      delete from audited_balances;
      insert into audited_balances (account, amount)
        select account, sum(amount) from postings group by account having sum(amount) <> 0;
      insert into audit_checkpoints (name, entry_id) select 'books', max(id) from entries where true
        on conflict (name) do update set entry_id = excluded.entry_id;
      commit;`);
    handle.close();
    refuseViolations(await auditRound(store, startPass(), Date.now()));
  } finally {
    await store.close();
  }
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const beganMs = performance.now();
  await work();
  console.log(`  ${what}: ${((performance.now() - beganMs) / 1_000).toFixed(1)} s`);
}
