import type { Node } from 'oxc-parser';
import { NETWORKS } from '../../core/networks.ts';
import { lineAt, type House, type Place } from './tree.ts';
import { memberName, stringIn, walk } from './walk.ts';

const EQUALITY = new Set(['===', '!==', '==', '!=']);
/** Methods by which a name is compared or looked up. */
const ASKING = new Set(['includes', 'indexOf', 'startsWith', 'endsWith', 'has', 'get']);
/** The name alone, or as a CAIP-2 name begins. */
const NAMES = new Set(NETWORKS.flatMap((name) => [name, `${name}:`]));

export function findNetworkNames(house: House): Place[] {
  const places: Place[] = [];
  for (const { path, text, program } of house.sources.values()) {
    walk(program, (node) => {
      if (!comparedWith(node).some((value) => NAMES.has(stringIn(value) ?? ''))) return;
      const end = node.type === 'SwitchCase' && node.test ? node.test.end : node.end;
      places.push({
        file: path,
        line: lineAt(text, node.start),
        what: text.slice(node.start, end).replace(/\s+/g, ' '),
      });
    });
  }
  return places;
}

/** What a node holds something against; nothing for a node that compares nothing. */
function comparedWith(node: Node): Node[] {
  if (node.type === 'BinaryExpression' && EQUALITY.has(node.operator)) return [node.left, node.right];
  if (node.type === 'SwitchCase') return node.test ? [node.test] : [];
  if (node.type === 'CallExpression' && ASKING.has(memberName(node.callee) ?? '')) return node.arguments.slice(0, 1);
  return [];
}
