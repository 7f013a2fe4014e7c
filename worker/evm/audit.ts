import { expectedBalance, findViolations, type Violation } from '../../db/audit/invariants.ts';
import { readCursor, type Cursor } from '../../db/scan/cursor.ts';
import { stopSigning } from '../../db/store/stops.ts';
import type { EvmWorker } from '../dependencies.ts';

type Hex = `0x${string}`;

/**
 * Compares the books with themselves and with the chain at the block they were written for. Any difference stops
 * signing until an operator has looked; payment routes then answer `service_paused`.
 */
export async function audit(worker: EvmWorker): Promise<Violation[]> {
  const violations = [...(await findViolations(worker.store)), ...(await compareWithChain(worker))];
  for (const { rule, detail } of violations) {
    worker.log.error({ rule, detail }, 'an invariant is broken; signing stops');
    await stopSigning(worker.store, 'invariant_broken', `${rule}: ${detail}`, worker.now());
  }
  return violations;
}

async function compareWithChain(worker: EvmWorker): Promise<Violation[]> {
  const { network } = worker.profile;
  const before = await readCursor(worker.store, network);
  if (before === null) return [];
  const addresses = [worker.treasury.address, ...(worker.task ? [worker.task.address] : [])];
  const found = await Promise.all(addresses.map((address) => compareOne(worker, before, address)));
  return found.flat();
}

async function compareOne(worker: EvmWorker, before: Cursor, address: Hex): Promise<Violation[]> {
  const { network } = worker.profile;
  const [onChain, inBooks, headers] = await Promise.all([
    worker.rpc.balanceOf(address, before.block),
    expectedBalance(worker.store, network, address),
    worker.rpc.blocks(before.block, before.block),
  ]);
  if (onChain === inBooks) return [];
  // Books and chain are comparable only at one block. Where the scan has moved on, or has not yet noticed a
  // reorganisation, the next audit decides.
  const after = await readCursor(worker.store, network);
  if (after?.block !== before.block || after.blockHash !== before.blockHash) return [];
  if (headers[0]?.hash !== before.blockHash) return [];
  return [
    { rule: 'ledger = chain', detail: `${address} holds ${onChain} at block ${before.block}, books say ${inBooks}` },
  ];
}
