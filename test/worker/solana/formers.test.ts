/** Which queued payouts the treasury of now may sign after a rotation. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transferTag } from '../../../chain/solana/messages/tags.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { noteFormer } from '../../../db/rotations/formers.ts';
import { noteHeads } from '../../../db/rotations/heads.ts';
import { startCursor } from '../../../db/scan/cursor.ts';
import type { Store } from '../../../db/store/store.ts';
import type { SolanaWorker } from '../../../worker/dependencies.ts';
import { withoutFormers } from '../../../worker/solana/formers.ts';
import { openMigrated } from '../../support/databases/migrated.ts';

const network = 'solana' as const;
const [OLD, NEXT, STRANGE] = ['old', 'next', 'strange'];
const READ_AT = 10_000;

let store: Store;
let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-formers-'));
  store = await openMigrated({ kind: 'sqlite', path: join(dir, 'test.sqlite') });
  const heights = { firstBlock: 1, block: 1_000, safeBlock: 1_000, finalizedBlock: 1_000 };
  await startCursor(store, { network, ...heights, blockHash: '', blockTime: READ_AT, taskSignature: null }, [], 1);
  await store.tx((db) => noteFormer(db, store.tables, { network, address: OLD, sinceMs: 1 }));
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true });
});

async function queued(id: string, fromAddress: string): Promise<TransferRow> {
  const ends = { network, purpose: 'payout' as const, fromAddress, toAddress: 'someone', amountMicroUsdc: 1n };
  const state = { status: 'queued' as const, generation: 0, tries: 0, exposed: false, nextTryAtMs: 0, createdAtMs: 0 };
  const [row] = await store.tx((db) =>
    db
      .insert(store.tables.transfers)
      .values({ id, ...ends, ...state })
      .returning(),
  );
  if (row === undefined) throw new Error('it was not written');
  return row;
}

async function ready(rows: readonly TransferRow[], finalized: { slot: number; height: number }) {
  const worker = {
    store,
    profile: { network },
    treasury: { address: NEXT },
    formers: [{ key: { address: OLD }, account: 'account' }],
    log: pino({ level: 'silent' }),
    now: () => 1,
    rpc: { finalized: () => Promise.resolve(finalized) },
  };
  const found = await withoutFormers(worker as unknown as SolanaWorker, rows);
  return found.map(({ id, fromAddress }) => [id, fromAddress]);
}

/** A rotation so long after the books were last read, up to whose height plus 150 the old key may have signed. */
const rotated = (secondsLater: number | null) =>
  noteHeads(store, network, {
    number: 1_100,
    time: secondsLater === null ? null : READ_AT + secondsLater,
    until: 850,
  });

test('what was planned for a former treasury is taken over, and what is planned for a stranger waits alone', async () => {
  await rotated(120);
  const rows = [await queued('a', OLD), await queued('b', NEXT), await queued('c', STRANGE)];
  expect(await ready(rows, { slot: 1_000, height: 800 })).toEqual([
    ['b', NEXT],
    ['a', NEXT],
  ]);
});

test.each([
  ['the books were far behind it', 121],
  ['nobody knows how far the books were behind it', null],
])(
  'where %s, nothing leaves before they have read all that the old key may have signed',
  async (_case, secondsLater) => {
    await rotated(secondsLater);
    const rows = [await queued('a', OLD), await queued('b', NEXT)];
    // 32 slots are listed late, and of those that are not read yet each may have been a block.
    expect(await ready(rows, { slot: 1_000, height: 882 })).toEqual([]);
    expect(await ready(rows, { slot: 1_200, height: 1_082 })).toEqual([]);
    expect(await ready(rows, { slot: 1_200, height: 1_083 })).toEqual([
      ['b', NEXT],
      ['a', NEXT],
    ]);
  },
);

test.each([
  ['is held where the books say that it was taken there', 'taken', 'held'],
  ['waits where the books do not say yet what it was', null, 'queued'],
])('what a former address has paid under its tag %s', async (_case, consumedBy, status) => {
  await rotated(0);
  const [paid, other] = [await queued('a', OLD), await queued('b', OLD)];
  await store.tx((db) =>
    db.insert(store.tables.observedTransfers).values({
      fact: 'fact',
      network,
      transaction: 'transaction',
      logIndex: 0,
      block: 1_200,
      blockHash: '',
      fromAddress: OLD,
      toAddress: 'someone',
      amountMicroUsdc: 1n,
      memo: transferTag('a'),
      outgoing: true,
      landed: true,
      landings: 1,
      consumedBy,
      returnWanted: false,
      seenAtMs: 1,
    }),
  );
  expect(await ready([paid, other], { slot: 1_000, height: 800 })).toEqual([['b', NEXT]]);
  const { transfers } = store.tables;
  const [row] = await store.read.select().from(transfers).where(eq(transfers.id, 'a'));
  expect(row).toMatchObject({ status, fromAddress: OLD });
  if (status !== 'held') return;
  // The operator has compared it.
  const released = { status: 'queued', heldReason: null, formerNonceAtMs: 1 } as const;
  const rows = await store.tx((db) => db.update(transfers).set(released).where(eq(transfers.id, 'a')).returning());
  expect(await ready(rows, { slot: 1_000, height: 800 })).toEqual([['a', NEXT]]);
});
