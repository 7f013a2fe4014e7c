import type { Node } from 'oxc-parser';
import type { House, Place } from './tree.ts';
import { findNodes, memberName } from './walk.ts';

/**
 * A cast to the transaction that may store signed bytes. One file makes it, beside the check of the lease; all others are
 * handed one, so none can store what it has signed without that check.
 */
export function findSigningCasts(house: House): Place[] {
  return findNodes(house, (node) => node.type === 'TSAsExpression' && isNamed(node.typeAnnotation, 'SigningDb'));
}

/** `insert(…)` into the table of signed bytes. The compiler hands the one function that does so a checked transaction. */
export function findSignedInserts(house: House): Place[] {
  return findNodes(house, (node) => {
    if (node.type !== 'CallExpression' || memberName(node.callee) !== 'insert') return false;
    const [table] = node.arguments;
    if (table === undefined) return false;
    const name = table.type === 'Identifier' ? table.name : memberName(table);
    return name === 'carrierTransactions';
  });
}

function isNamed(type: Node, name: string): boolean {
  return type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === name;
}
