import { expectedBalance, findViolations, type Violation } from '../../db/audit/invariants.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { bookedSince, knownTransactions } from '../../db/solana/scan.ts';
import { stopSigning } from '../../db/store/stops.ts';
import type { SolanaWorker } from '../dependencies.ts';

const FOUND_MAX = 500;
/** After so many more slots a node lists every transaction. */
const LISTED_AFTER_SLOTS = 32;

/** A difference between books and chain, as it was first seen. */
type Doubt = { account: string; slot: number; atMs: number };

/**
 * Audits of a running worker. Nodes list a transaction shortly after its block, so a difference counts only when it has
 * outlived the slot in which it was seen and no transaction of those slots was booked since.
 */
export function createAudit(worker: SolanaWorker): () => Promise<Violation[]> {
  let doubt: Doubt | null = null;
  return async () => {
    const atMs = worker.now();
    const found = await compareWithChain(worker);
    const before = doubt?.account === found?.account ? doubt : null;
    doubt = found === null ? null : { account: found.account, slot: found.slot, atMs };
    if (found === null || before === null) return report(worker, await findViolations(worker.store));
    const cursor = await readCursor(worker.store, worker.profile.network);
    const isListed = cursor !== null && cursor.finalizedBlock >= before.slot + LISTED_AFTER_SLOTS;
    const wasLate = await bookedSince(worker.store, worker.profile.network, before.slot, before.atMs);
    // The first sighting stays until it is certain.
    if (!isListed) doubt = before;
    const violations = isListed && !wasLate ? [found.violation] : [];
    return report(worker, [...(await findViolations(worker.store)), ...violations]);
  };
}

/**
 * Compares the books with themselves and with our account on the chain, at once. Any difference stops signing until an
 * operator has looked; payment routes then answer `service_paused`.
 */
export async function audit(worker: SolanaWorker): Promise<Violation[]> {
  const found = await compareWithChain(worker);
  return report(worker, [...(await findViolations(worker.store)), ...(found === null ? [] : [found.violation])]);
}

async function report(worker: SolanaWorker, violations: Violation[]): Promise<Violation[]> {
  for (const { rule, detail } of violations) {
    worker.log.error({ rule, detail }, 'an invariant is broken; signing stops');
    await stopSigning(worker.store, 'invariant_broken', `${rule}: ${detail}`, worker.now());
  }
  return violations;
}

/**
 * Comparable only when books and balance know the same transactions: none found on the account that is not booked, and
 * none booked after the balance was read. Otherwise the next audit decides.
 */
async function compareWithChain(worker: SolanaWorker): Promise<Difference | null> {
  const { store, profile, task, treasury, treasuryAccount } = worker;
  const cursor = await readCursor(store, profile.network);
  if (cursor === null) return null;
  const ofTreasury = { account: treasuryAccount, address: treasury.address, since: cursor.blockHash };
  const found = await compareOne(worker, ofTreasury);
  if (found !== null || !task || cursor.taskSignature === null) return found;
  return compareOne(worker, { account: task.account, address: task.key.address, since: cursor.taskSignature });
}

type Difference = { account: string; slot: number; violation: Violation };
type Compared = { account: string; address: string; since: string };

async function compareOne(worker: SolanaWorker, { account, address, since }: Compared): Promise<Difference | null> {
  const { rpc, store, profile } = worker;
  const balance = await rpc.tokenBalance(account, 'confirmed');
  if (balance === null) return null;
  const options = { until: since === '' ? null : since, minContextSlot: balance.slot, max: FOUND_MAX };
  const { found, more } = await rpc.signaturesFor(account, options);
  const inBooks = await expectedBalance(store, profile.network, address);
  if (more || inBooks === balance.amount) return null;
  const known = await knownTransactions(store, profile.network, (found[0]?.slot ?? 0) - 1);
  const unknown = found.filter(({ signature, failed }) => !failed && !known.has(signature));
  const later = await knownTransactions(store, profile.network, balance.slot);
  if (unknown.length > 0 || later.size > 0) return null;
  const again = await expectedBalance(store, profile.network, address);
  if (again !== inBooks) return null;
  const detail = `${account} holds ${balance.amount} at slot ${balance.slot}, books say ${inBooks}`;
  return { account, slot: balance.slot, violation: { rule: 'ledger = chain', detail } };
}
