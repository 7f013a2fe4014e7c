import { setTimeout as pause } from 'node:timers/promises';
import { readBooks } from '../../db/audit/books.ts';
import { findViolations, type Violation } from '../../db/audit/invariants.ts';
import { sweptOf, type EvmWorker } from '../dependencies.ts';
import { bookMissed } from './recover.ts';
import { differencesOf, reportViolations, type Compared } from '../networks/solvency.ts';

/**
 * Compares the books with the chain at the block they were written for. A difference that remains when the last blocks were
 * read again, and the balance once more, stops signing until an operator has looked; payment routes then answer
 * `service_paused`.
 */
export async function auditChain(worker: EvmWorker): Promise<Violation[]> {
  const compared = await compareAgain(worker);
  return reportViolations(worker, [], compared === null ? [] : differencesOf(compared));
}

/** What was missed may lie in several parts of the chain. */
const REREADINGS_MAX = 5;
/** A node that has just got a block, or one of several behind one address, answers for another block than it was asked for. */
const ASKED_AGAIN_AFTER_MS = 500;

async function compareAgain(worker: EvmWorker): Promise<Compared | null> {
  let isAskedAgain = false;
  for (let reading = 1; ; reading += 1) {
    const compared = await compareWithChain(worker);
    if (compared === null || differencesOf(compared).length === 0 || reading > REREADINGS_MAX) return compared;
    const { block, books } = compared;
    if ((await bookMissed(worker, { block, hash: books.blockHash })) > 0) continue;
    if (isAskedAgain) return compared;
    isAskedAgain = true;
    worker.log.warn({ differences: differencesOf(compared) }, 'books and chain differ; the chain is asked once more');
    await pause(ASKED_AGAIN_AFTER_MS);
  }
}

/** The same, and the books with themselves, at once and in full. */
export async function audit(worker: EvmWorker): Promise<Violation[]> {
  const compared = await compareWithChain(worker);
  return reportViolations(worker, await findViolations(worker.store), compared === null ? [] : differencesOf(compared));
}

/** Null where the scan has not begun, or has not yet noticed a reorganisation. */
export async function compareWithChain(worker: EvmWorker): Promise<Compared | null> {
  const { rpc, store, profile, treasury } = worker;
  const addresses = [treasury, ...sweptOf(worker)].map(({ address }) => address);
  const books = await readBooks(store, profile.network, addresses);
  if (books === null) return null;
  const [balances, headers] = await Promise.all([
    Promise.all(addresses.map((address) => rpc.balanceOf(address, books.block))),
    rpc.blocks(books.block, books.block),
  ]);
  if (headers[0]?.hash !== books.blockHash) return null;
  const held = addresses.map((address, index) => ({
    address,
    onChain: balances[index] ?? 0n,
    inBooks: books.held.get(address) ?? 0n,
  }));
  return { block: books.block, books, held };
}
