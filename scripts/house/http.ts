import type { Node } from 'oxc-parser';
import type { House, Place } from './tree.ts';
import { findNodes, memberName, walk } from './walk.ts';

/** The request headers by which a payment is presented, in both x402 generations. */
const PAYMENT_HEADERS = new Set<unknown>(['payment-signature', 'x-payment']);
const PAYMENT_REQUIRED = new Set<unknown>([402]);
const SETTERS = new Set(['set', 'append', 'setHeader', 'setRequestHeader']);

/** A header is set as a key of an object, by assignment, or by a call with a value. Reading one does not count. */
export function findPaymentHeaders(house: House): Place[] {
  const isHeader = matcher(house, (value) =>
    PAYMENT_HEADERS.has(typeof value === 'string' ? value.toLowerCase() : value),
  );
  return findNodes(house, (node) => namesSet(node).some(isHeader));
}

/** A status is read by comparing it with 402. Answering 402 does not count. */
export function findStatus402(house: House): Place[] {
  const is402 = matcher(house, (value) => PAYMENT_REQUIRED.has(value));
  return findNodes(house, (node) => comparedWith(node).some(is402));
}

/**
 * `AbortSignal.any` beside an `AbortSignal.timeout` of the same file. On Node 20 nothing holds the second one inside the
 * first: it is collected as garbage, and the limit never comes. `startLimit` in identity/time-limit.ts holds its timer.
 */
export function findLostLimits(house: House): Place[] {
  const hasTimeout = new Set(findNodes(house, (node) => isCallOf(node, 'timeout')).map(({ file }) => file));
  return findNodes(house, (node) => isCallOf(node, 'any')).filter(({ file }) => hasTimeout.has(file));
}

function isCallOf(node: Node, method: string): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object } = node.callee;
  return object.type === 'Identifier' && object.name === 'AbortSignal' && memberName(node.callee) === method;
}

/** What names a header that this node sets. A plain key such as `headers` is a name by itself, never a constant. */
function namesSet(node: Node): Node[] {
  if (node.type === 'ObjectExpression') {
    return node.properties.flatMap((one) =>
      one.type === 'Property' && (one.computed || one.key.type === 'Literal') ? [one.key] : [],
    );
  }
  if (node.type === 'AssignmentExpression') {
    return node.left.type === 'MemberExpression' && node.left.computed ? [node.left.property] : [];
  }
  if (node.type !== 'CallExpression' || node.arguments.length < 2) return [];
  return SETTERS.has(memberName(node.callee) ?? '') ? node.arguments.slice(0, 1) : [];
}

/** `a === b`, `case b`, and `[b, c].includes(a)`. */
function comparedWith(node: Node): (Node | null)[] {
  if (node.type === 'BinaryExpression') return /^[!=]==?$/.test(node.operator) ? [node.left, node.right] : [];
  if (node.type === 'SwitchCase') return [node.test];
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return [];
  const list = node.callee.object;
  return memberName(node.callee) === 'includes' && list.type === 'ArrayExpression' ? list.elements : [];
}

/**
 * Matches literals and constants that hold one, so that a name does not hide it. Such names are assumed to be unique in
 * the repository.
 */
function matcher(house: House, matches: (value: unknown) => boolean): (node: Node | null) => boolean {
  const isMatch = (node: Node | null) => node?.type === 'Literal' && matches(node.value);
  const constants = new Set<string>();
  for (const { program } of house.sources.values()) {
    walk(program, (node) => {
      if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && isMatch(node.init))
        constants.add(node.id.name);
    });
  }
  return (node) => isMatch(node) || (node?.type === 'Identifier' && constants.has(node.name));
}
