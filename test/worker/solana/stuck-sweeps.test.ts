/** A former address whose USDC nobody here can move any more, because who knows its key gave the account away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import type { TokenAccountView } from '../../../chain/solana/rpc/account-reads.ts';
import { accounts } from '../../../core/ledger.ts';
import { noteFormer } from '../../../db/rotations/formers.ts';
import { readStuck } from '../../../db/rotations/stuck.ts';
import { openCarriers } from '../../../db/carriers/carriers.ts';
import { closeTransaction, type TransactionEnd } from '../../../db/solana/close-transaction.ts';
import type { Store } from '../../../db/store/store.ts';
import type { SolanaWorker } from '../../../worker/dependencies.ts';
import { sendSweeps } from '../../../worker/solana/sweeps.ts';
import { signersOf } from '../../chain/signing/signers.ts';
import { openMigrated } from '../../support/databases/migrated.ts';

const network = 'solana' as const;
const profile = solanaProfile('local');
const signers = signersOf({ treasury: Keypair.generate(), formers: [Keypair.generate()] }, profile);
const { treasury } = signers;
const [former = treasury] = signers.formers;
const account = tokenAccountOf(former.address, profile);
const OURS: TokenAccountView = { kind: 'usdc', owner: former.address, amount: 1_000_000n, frozen: false };

let store: Store;
let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-stuck-'));
  store = await openMigrated({ kind: 'sqlite', path: join(dir, 'test.sqlite') });
  const { tables } = store;
  const name = accounts.chain(network, former.address);
  const held = { name, unit: 'usdc', side: 'asset', balance: 1_000_000n, balanceWei: '0' } as const;
  await store.tx(async (db) => {
    await noteFormer(db, tables, { network, address: former.address, sinceMs: 1 });
    await db.insert(tables.accounts).values(held);
  });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true });
});

async function sweep(
  view: TokenAccountView,
  nowMs: number,
  ok = false,
  reason = 'custom program error',
): Promise<[number, boolean]> {
  let count = 0;
  const worker = {
    store,
    profile,
    treasury,
    formers: [{ key: former, account }],
    ids: { payoutId: () => `sweep-${nowMs}`, carrierId: () => `carrier-${(count += 1)}-${nowMs}` },
    pace: { microLamportsPerUnit: 1 },
    settings: { carriers: { sweep: { failpoint: 'sweep' } } },
    failpoint: () => undefined,
    log: pino({ level: 'silent' }),
    now: () => nowMs,
    rpc: {
      latestBlockhash: async () => ({ blockhash: treasury.address, lastValidHeight: 1 }),
      simulate: async () => (ok ? { ok } : { ok, reason }),
      tokenAccounts: async () => [view],
      sendRaw: async () => undefined,
    },
  };
  const sent = await sendSweeps(worker as unknown as SolanaWorker);
  return [sent, (await readStuck(store.read, store.tables)).has({ network, address: former.address })];
}

test('it is stuck where the account is another’s or frozen, and no longer once a sweep of it works', async () => {
  expect(await sweep(OURS, 1)).toEqual([0, false]);
  expect(await sweep({ ...OURS, owner: treasury.address }, 10_000)).toEqual([0, true]);
  expect(await sweep(OURS, 20_000, true)).toEqual([1, false]);
});

test('a frozen one is stuck', async () => {
  expect(await sweep({ ...OURS, frozen: true }, 1)).toEqual([0, true]);
});

const MINUTE_MS = 60_000;
const isStuck = async () => (await readStuck(store.read, store.tables)).has({ network, address: former.address });
/** Each look finds the account open; `reason` as the node names it where an instruction fails. */
const fails = (minute: number) => sweep(OURS, minute * MINUTE_MS, false, 'failed');

async function end(kind: TransactionEnd['kind'], minute: number): Promise<void> {
  const [open] = await openCarriers(store, network);
  if (open === undefined) throw new Error('no sweep is on its way');
  const how: TransactionEnd = kind === 'dead' ? { kind } : { kind, lamportsSpent: 5_000n, rents: [] };
  const at = { nowMs: minute * MINUTE_MS, failuresCounter: () => 'none' };
  expect((await closeTransaction(store, open, how, at)).closed).toBe(true);
}

test('it is stuck where its sweeps fail for minutes, although each look finds it open, until one has landed', async () => {
  expect(await fails(10)).toEqual([0, false]);
  expect(await fails(11)).toEqual([0, false]);
  expect(await fails(12)).toEqual([0, false]);
  expect(await fails(15)).toEqual([0, true]);
  // It would work at this moment, and fails on the chain.
  expect(await sweep(OURS, 16 * MINUTE_MS, true)).toEqual([1, true]);
  await end('failed', 17);
  expect(await isStuck()).toBe(true);
  expect(await sweep(OURS, 18 * MINUTE_MS, true)).toEqual([1, true]);
  await end('final', 19);
  expect(await isStuck()).toBe(false);
  // The count begins anew.
  expect(await fails(20)).toEqual([0, false]);
});

test('what fails on the chain counts, and what is far apart is not in a row', async () => {
  expect(await fails(10)).toEqual([0, false]);
  expect(await sweep(OURS, 13 * MINUTE_MS, true)).toEqual([1, false]);
  await end('failed', 14);
  expect(await isStuck()).toBe(false);
  expect(await fails(40)).toEqual([0, false]);
  expect(await sweep(OURS, 43 * MINUTE_MS, true)).toEqual([1, false]);
  await end('failed', 44);
  expect(await fails(46)).toEqual([0, true]);
});
