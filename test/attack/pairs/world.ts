import type { Network } from '../../../core/networks.ts';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { reservePayment, type Reservation } from '../../../db/payments/reserve.ts';
import { declareDead } from '../../../db/payments/reject.ts';
import { giveBackHeld } from '../../../db/operator/give-back.ts';
import { releaseByOperator } from '../../../db/operator/held.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { applyBlocks, type ScanStep } from '../../../db/scan/apply.ts';
import { rollBack } from '../../../db/scan/rollback.ts';
import type { Store } from '../../../db/store/store.ts';
import { assignTransfers, holdTransfer } from '../../../db/transfers/authorize.ts';
import { exposureCounter } from '../../../db/transfers/exposure.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { openBooks, START_MS, TREASURY } from '../../support/books.ts';
import type { DatabaseAddress } from '../../../db/store/open.ts';

const NETWORK: Network = 'base';
const PAYER = `0x${'99'.repeat(20)}`;
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`;

/** Everything that the functions are about, made once, so that every run of them starts from the same rows and ids. */
export type Scene = Awaited<ReturnType<typeof makeScene>>;

/** One payment has settled and nobody has collected it, one is reserved, one is queued to leave, and one is held. */
export async function makeScene(database: DatabaseAddress) {
  const books = await openBooks(database);
  const carol = await books.meet('carol', '3');
  await books.link(carol);
  const paid = await books.pay({ payer: PAYER, payees: [{ name: 'alice', stableId: '1' }] });
  const sent = await books.pay({ payer: PAYER, payees: [{ name: 'carol', stableId: '3' }] });
  const reserved = await books.claim({ payer: PAYER, payees: [{ name: 'alice', stableId: '1' }] });
  if (reserved.kind !== 'reserved') throw new Error(`expected a reservation, found ${reserved.kind}`);
  await books.pay({ payer: PAYER, payees: [{ name: 'carol', stableId: '3' }] });
  const [line] = await books.linesFor(paid.paymentId);
  const [queued, held] = await books.payouts();
  if (line === undefined || queued === undefined || held === undefined)
    throw new Error('the scene lacks a line or a transfer');
  const { store } = books;
  await holdTransfer(store, held.id, 'screening', START_MS);
  const payment = await books.paymentOf(reserved.paymentId);
  const [cursor] = await store.read.select().from(store.tables.scanCursors);
  const blocks = await store.read.select().from(store.tables.scannedBlocks);
  if (cursor === undefined) throw new Error('nothing was scanned');
  const before = blocks.find(({ number }) => number === cursor.block - 1);
  if (before === undefined) throw new Error('there is no block to go back to');
  const from = { block: cursor.block, hash: cursor.blockHash };
  const block = { number: cursor.block + 1, hash: hex(32), time: cursor.block + 1 };
  const step: ScanStep = {
    network: NETWORK,
    from,
    blocks: [block],
    sealed: [],
    ownAddresses: [TREASURY],
    safeBlock: cursor.safeBlock,
    finalizedBlock: cursor.finalizedBlock,
    transfers: [
      {
        transaction: hex(32),
        logIndex: 0,
        position: 0,
        block: block.number,
        blockHash: block.hash,
        from: payment.payer,
        to: payment.payTo,
        value: payment.sumMicroUsdc + payment.feeMicroUsdc,
        authorizer: payment.payer,
        nonce: payment.nonce,
      },
    ],
  };
  const fresh = books.toClaim({ payer: PAYER, payees: [{ name: 'alice', stableId: '1' }] });
  const other = books.toClaim({ payer: PAYER, payees: [{ name: 'dora', stableId: '4' }] });
  const scene = {
    step,
    rollback: { network: NETWORK, from, fork: { number: before.number, hash: before.hash, time: before.number } },
    reservedId: reserved.paymentId,
    txnId: line.txnId,
    alice: line.identityId,
    queued,
    heldId: held.id,
    fresh,
    sameNonce: { ...other, nonce: fresh.nonce } satisfies Reservation,
    sameKey: { ...other, nonce: hex(32), idempotencyKey: 'one-key-of-this-payer' } satisfies Reservation,
    sameKeyToo: { ...fresh, paymentId: books.ids.attemptId(START_MS), idempotencyKey: 'one-key-of-this-payer' },
    addresses: [hex(20), hex(20)] as const,
    sentId: sent.paymentId,
  };
  await books.close();
  return scene;
}

const NOW = START_MS + 1_000;

/** The functions that decide about money, each on the rows of the scene. Ids that they make are the same in every run. */
export const FUNCTIONS: Record<string, (store: Store, scene: Scene) => Promise<unknown>> = {
  reserve: (store, { fresh }) => reservePayment(store, fresh),
  'reserve the same nonce': (store, { sameNonce }) => reservePayment(store, sameNonce),
  'reserve with a key': (store, { sameKey }) => reservePayment(store, sameKey),
  'reserve with the key again': (store, { sameKeyToo }) => reservePayment(store, sameKeyToo),
  'take a block': (store, { step }) => applyBlocks(store, step, settling('block')),
  'lose a block': (store, { rollback }) => rollBack(store, rollback, NOW),
  'link a wallet': (store, { alice, addresses }) => link(store, alice, addresses[0]),
  'link another': (store, { alice, addresses }) => link(store, alice, addresses[1]),
  'give a line back': (store, { txnId }) => refundLine(store, txnId, NOW),
  'declare dead': (store, { reservedId }) => declareDead(store, reservedId, 'payment_expired', NOW),
  'assign a transfer': (store, { queued }) => {
    const { id, fromAddress, generation, amountMicroUsdc } = queued;
    const signed = { id, fromAddress, generation, nonce: `0x${'ab'.repeat(32)}`, validBefore: 9, signature: '0x00' };
    const cap = { counter: exposureCounter(NETWORK), capMicroUsdc: 10_000_000n };
    return assignTransfers(store, [{ ...signed, amountMicroUsdc, exposed: true }], cap, NOW);
  },
  'give back what is held': (store, { heldId }) =>
    giveBackHeld(store, heldId, { name: 'return', arguments: [heldId], who: 'one' }, NOW),
  'release what is held': (store, { heldId }) =>
    releaseByOperator(store, { payoutId: heldId }, { name: 'release', arguments: [heldId], who: 'another' }, NOW),
  'hold a transfer': (store, { queued }) => holdTransfer(store, queued.id, 'blocked_recipient', NOW),
};

function link(store: Store, identityId: string, address: string) {
  return linkWallet(store, { identityId, network: NETWORK, address, source: 'test' }, nextId(address), NOW);
}

const settling = (name: string) => ({ transferIdOf: nextId(name), answerFor: () => ({ code: 200 }), nowMs: NOW });

/** A function may run more than once, and the ids of a run that was undone are gone: so they are told by what they are of. */
function nextId(name: string) {
  return () => `out_${name.slice(0, 8)}`;
}

/** Numbers that say in which order rows were written, or when by the database's clock. */
const OF_ONE_RUN: Record<string, readonly string[]> = {
  audit_feed: ['id'],
  entries: ['id'],
  operator_actions: ['id'],
  outbox: ['id'],
  postings: ['entry_id'],
  seals: ['entry_id'],
  payments: ['reserved_at_ms'],
};

/** All rows of a database, told the same way whatever order they were written in. */
export async function dumpRows(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'lock\\_%' AND tablename <> 'migrations' ORDER BY 1`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const without = (OF_ONE_RUN[name] ?? []).map((column) => ` - '${column}'`).join('');
    const { rows } = await client.query<{ row: string }>(
      `SELECT (to_jsonb(t)${without})::text AS row FROM "${name}" t`,
    );
    const texts = rows.map(({ row }) => `${name} ${row}`).toSorted();
    parts.push(...texts);
  }
  await client.end();
  return parts.join('\n');
}
