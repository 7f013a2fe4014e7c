import { findViolations, type Violation } from '../../db/audit/invariants.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { bookedSince } from '../../db/solana/scan.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { differencesOf, reportViolations, type Difference as BooksDiffer } from '../networks/solvency.ts';
import { compareAccount, ownAccounts } from './compare.ts';

/** After this many more slots a node lists every transaction. */
const LISTED_AFTER_SLOTS = 32;

/** A difference between books and chain, as it was first seen. */
type Doubt = { account: string; slot: number; atMs: number };

/**
 * Audits by a running worker, of its chain. Nodes list a transaction shortly after its block, so a difference counts only when it has
 * outlived the slot in which it was seen and no transaction of those slots was booked since.
 */
export function createAudit(worker: SolanaWorker): () => Promise<Violation[]> {
  let doubt: Doubt | null = null;
  return async () => {
    const atMs = worker.now();
    const found = await findDifference(worker);
    const before = doubt?.account === found?.account ? doubt : null;
    doubt = found === null ? null : { account: found.account, slot: found.slot, atMs };
    if (found === null || before === null) return [];
    const cursor = await readCursor(worker.store, worker.profile.network);
    const isListed = cursor !== null && cursor.finalizedBlock >= before.slot + LISTED_AFTER_SLOTS;
    const wasLate = await bookedSince(worker.store, worker.profile.network, before.slot, before.atMs);
    // The first sighting stays until it is certain.
    if (!isListed) doubt = before;
    const violations = isListed && !wasLate ? [found.violation] : [];
    return reportViolations(worker, [], violations);
  };
}

/**
 * Compares the books with themselves and with our account on the chain, at once. Any difference stops signing until an
 * operator has looked; payment routes then answer `service_paused`.
 */
export async function audit(worker: SolanaWorker): Promise<Violation[]> {
  const found = await findDifference(worker);
  return reportViolations(worker, await findViolations(worker.store), found === null ? [] : [found.violation]);
}

/**
 * A difference that cannot be a transaction on its way: none found on the account that is not booked, and none booked
 * after the balance was read. Otherwise the next audit decides.
 */
async function findDifference(worker: SolanaWorker): Promise<Difference | null> {
  for (const own of await ownAccounts(worker)) {
    const one = await compareAccount(worker, own);
    if (one === null || !one.isQuiet) continue;
    const [violation] = differencesOf({ block: one.slot, held: [one] });
    if (violation !== undefined) return { account: own.account, slot: one.slot, violation };
  }
  return null;
}

type Difference = { account: string; slot: number; violation: BooksDiffer };
