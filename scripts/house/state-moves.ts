import type { Node } from 'oxc-parser';
import { declarationsOf, type Declarations } from './declarations.ts';
import { lineAt, type House, type Place } from './tree.ts';
import { memberName, stringIn, walk } from './walk.ts';

const ALIASES_DEEP_MAX = 8;

/**
 * `update(…).set(…)` that writes a status, also by a constant or a spread: such a change need not name the state before
 * it, and no table of moves allows it.
 */
export function findStateMoves(house: House): Place[] {
  return [...house.sources.values()].flatMap(({ path, text, program }) => {
    const known = declarationsOf(house, path);
    const places: Place[] = [];
    walk(program, (node) => {
      if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
      if (memberName(node.callee) !== 'set' || !isUpdate(node.callee.object)) return;
      if (!writesStatus(node.arguments[0], known)) return;
      const place = node.callee.property.start;
      places.push({ file: path, line: lineAt(text, place), what: text.slice(place, node.end).replace(/\s+/g, ' ') });
    });
    return places;
  });
}

function isUpdate(node: Node): boolean {
  return node.type === 'CallExpression' && memberName(node.callee) === 'update';
}

/** Looks through what an object is put together from, not into the values of its fields. */
function writesStatus(node: Node | null | undefined, known: Declarations, depth = 0): boolean {
  if (!node || depth > ALIASES_DEEP_MAX) return false;
  const parts = node.type === 'Identifier' ? [known.valueOf(node.name)] : partsOf(node);
  return isStatus(node) || parts.some((part) => writesStatus(part, known, depth + 1));
}

function partsOf(node: Node): readonly Node[] {
  if (node.type === 'ObjectExpression') return node.properties;
  if (node.type === 'SpreadElement') return [node.argument];
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate];
  if (node.type === 'LogicalExpression') return [node.left, node.right];
  const isWrapped =
    node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' || node.type === 'ParenthesizedExpression';
  return isWrapped ? [node.expression] : [];
}

function isStatus(node: Node): boolean {
  if (node.type !== 'Property') return false;
  return node.key.type === 'Identifier' ? node.key.name === 'status' : stringIn(node.key) === 'status';
}
