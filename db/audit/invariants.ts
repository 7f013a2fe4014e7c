import { STOP_SCOPES, type StopScope } from '../../core/payments/outages.ts';
import { SCAN_CHECKS } from './scan-checks.ts';
import type { Store } from '../store/store.ts';
import { TASK_CHECKS } from './task-checks.ts';
import { TRANSFER_CHECKS } from './transfer-checks.ts';
import { LEDGER_CHECKS, WHOLE_LEDGER_CHECKS } from './ledger-checks.ts';
import { LINE_CHECKS } from './line-checks.ts';
import type { Check, Question, View } from './question.ts';

/** One broken rule, in words that an operator can act on. The list must always be empty. */
export type Violation = { rule: string; detail: string; network: StopScope };

/** As a database answers: text. */
export function toViolation(rule: string, detail: unknown, network: unknown): Violation {
  const scope = STOP_SCOPES.find((known) => known === network);
  if (scope === undefined) throw new Error(`"${rule}" concerns the network "${String(network)}", which is unknown`);
  return { rule, detail: String(detail), network: scope };
}

const CHECKS = [...LEDGER_CHECKS, ...LINE_CHECKS, ...SCAN_CHECKS, ...TRANSFER_CHECKS, ...TASK_CHECKS];
/** All that can be asked about everything. */
export const CHECKS_OF_ALL: readonly Check[] = [...CHECKS, ...WHOLE_LEDGER_CHECKS];

/**
 * The invariants of the money model that the database can judge alone (ARCHITECTURE.md, "Money"); the comparison with
 * the chain needs a node and is the worker's.
 */
export const questionsOf = (view: View, scope: 'all' | 'changed'): Question[] =>
  (scope === 'all' ? CHECKS_OF_ALL : CHECKS).map((check) => check(view, scope));

/**
 * Checks all of them at once, over everything. The first look reads one by one while others write; only what a second look
 * within one transaction confirms is a violation.
 */
export async function findViolations(store: Store, scope: 'all' | 'changed' = 'all'): Promise<Violation[]> {
  const suspected = await look(store, scope);
  return suspected.length === 0 ? [] : store.tx((db) => look({ ...store, read: db }, scope));
}

async function look(view: View, scope: 'all' | 'changed'): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const { rule, query } of questionsOf(view, scope)) {
    for (const { detail, network } of await query) found.push(toViolation(rule, detail, network));
  }
  return found;
}
