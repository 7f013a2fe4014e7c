/** Books that are a backup, and a chain that shows what the lost ones did. */
import { randomBytes } from 'node:crypto';
import { factOf, type ObservedTransfer } from '../../../core/observed.ts';
import { reconcile, type ReconcileResult } from '../../../db/operator/reconcile.ts';
import { applyBlocks } from '../../../db/scan/apply.ts';
import { readCursor } from '../../../db/scan/cursor.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { chainNamesOf } from '../../../worker/paid-before.ts';
import { START_MS, TREASURY, type Books } from '../../support/books.ts';

const NETWORK = 'base';
const MINUTE_MS = 60_000;
const COMMAND = { name: 'reconcile', arguments: [], who: 'a test' };
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`;

type Moved = { from: string; to: string; value: bigint; nonce?: string };

export function openLostTime(books: Books, ownAddresses: readonly string[] = [TREASURY]) {
  /** The chain moved money, and the books that did it are lost. Answers the names of the transfers. */
  async function seeLost(moved: readonly Moved[], seenAtMs = START_MS): Promise<string[]> {
    const cursor = await readCursor(books.store, NETWORK);
    if (cursor === null) throw new Error('there is no cursor');
    const block = cursor.block + 1;
    const hash = hex(32);
    const transfers = moved.map(({ nonce = hex(32), ...move }, logIndex): ObservedTransfer => {
      const place = { transaction: hex(32), logIndex, position: 0, block, blockHash: hash };
      return { ...place, ...move, authorizer: move.from, nonce };
    });
    const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: seenAtMs };
    const time = Math.floor(seenAtMs / 1_000);
    const from = { block: cursor.block, hash: cursor.blockHash };
    const finality = { safeBlock: block, finalizedBlock: block };
    const step = { network: NETWORK, from, blocks: [{ number: block, hash, time }], transfers, sealed: [] } as const;
    await applyBlocks(books.store, { ...step, ...finality, ownAddresses }, settle);
    return transfers.map((transfer) => factOf(NETWORK, transfer));
  }

  const naming = { namesOf: chainNamesOf, transferIdOf: books.transferIdOf };

  return {
    seeLost,
    naming,
    /** A payment of the lost time. */
    seePaid: async (from: string, value: bigint) => (await seeLost([{ from, to: TREASURY, value }]))[0] ?? '',
    /** It left for a line of that payment. */
    async seeLeft(fact: string, line: number, to: string, value: bigint): Promise<string> {
      const { nonce } = chainNamesOf(books.transferIdOf({ network: NETWORK, fact, line }));
      return (await seeLost([{ from: TREASURY, to, value, nonce }]))[0] ?? '';
    },
    /** What a process writes down when it notices, here before the chain is read on. */
    async notice(): Promise<void> {
      const { restoredCursors, scanCursors } = books.store.tables;
      await stopSigning(books.store, { reason: 'database_restored', network: 'all', detail: 'a test' }, START_MS);
      const [cursor] = await books.store.read.select().from(scanCursors);
      await books.store.tx((db) => db.insert(restoredCursors).values({ network: NETWORK, block: cursor?.block ?? 0 }));
    },
    /** The chain is read past everything that was signed in the lost time. */
    async run(known: string[] = [], atMs = START_MS + 70 * MINUTE_MS): Promise<ReconcileResult> {
      await seeLost([], atMs);
      return reconcile(books.store, known, { ...naming, newId: () => hex(16).slice(2), command: COMMAND, nowMs: atMs });
    },
  };
}
