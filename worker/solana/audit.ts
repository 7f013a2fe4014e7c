import { expectedBalance, findViolations, type Violation } from '../../db/invariants.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { knownTransactions } from '../../db/solana/scan.ts';
import { stopSigning } from '../../db/stops.ts';
import type { SolanaWorker } from '../dependencies.ts';

const FOUND_MAX = 500;

/**
 * Compares the books with themselves and with our account on the chain. Any difference stops signing until an operator
 * has looked; payment routes then answer `service_paused`.
 */
export async function audit(worker: SolanaWorker): Promise<Violation[]> {
  const violations = [...(await findViolations(worker.store)), ...(await compareWithChain(worker))];
  for (const { rule, detail } of violations) {
    worker.log.error({ rule, detail }, 'an invariant is broken; signing stops');
    await stopSigning(worker.store, 'invariant_broken', `${rule}: ${detail}`, worker.now());
  }
  return violations;
}

/**
 * Comparable only when the books and the balance know the same transactions: nothing found on the account that is not in
 * the books, and nothing in the books that came after the balance. Otherwise the next audit decides.
 */
async function compareWithChain(worker: SolanaWorker): Promise<Violation[]> {
  const { rpc, store, profile, treasury, treasuryAccount } = worker;
  const cursor = await readCursor(store, profile.network);
  const balance = await rpc.tokenBalance(treasuryAccount, 'confirmed');
  if (cursor === null || balance === null) return [];
  const until = cursor.blockHash === '' ? null : cursor.blockHash;
  const options = { until, minContextSlot: balance.slot, max: FOUND_MAX };
  const { found, more } = await rpc.signaturesFor(treasuryAccount, options);
  const inBooks = await expectedBalance(store, profile.network, treasury.address);
  if (more || inBooks === balance.amount) return [];
  const known = await knownTransactions(store, profile.network, (found[0]?.slot ?? 0) - 1);
  const unknown = found.filter(({ signature, failed }) => !failed && !known.has(signature));
  const later = await knownTransactions(store, profile.network, balance.slot);
  if (unknown.length > 0 || later.size > 0) return [];
  const again = await expectedBalance(store, profile.network, treasury.address);
  if (again !== inBooks) return [];
  const detail = `${treasuryAccount} holds ${balance.amount} at slot ${balance.slot}, books say ${inBooks}`;
  return [{ rule: 'ledger = chain', detail }];
}
