import type { Node } from 'oxc-parser';
import { lineAt, type House, type Place } from './tree.ts';

/** Calls `visit` for `start` and each node below it; where it answers false, the node's children are skipped. */
export function walk(start: unknown, visit: (node: Node) => boolean | void): void {
  if (Array.isArray(start)) {
    for (const item of start) walk(item, visit);
  } else if (isNode(start) && visit(start) !== false) {
    for (const value of Object.values(start)) walk(value, visit);
  }
}

/** The places of all nodes that match, each with its first line. */
export function findNodes(house: House, matches: (node: Node) => boolean): Place[] {
  return [...house.sources.values()].flatMap(({ path, text, program }) => {
    const places: Place[] = [];
    walk(program, (node) => {
      if (!matches(node)) return;
      const [what = ''] = text.slice(node.start, node.end).split('\n');
      places.push({ file: path, line: lineAt(text, node.start), what });
    });
    return places;
  });
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The value of a string literal, or of a template without a hole; null for everything else. */
export function stringIn(node: Node | null | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null;
  return null;
}

/** `set` of `headers.set`, `headers?.set` and `headers['set']`. */
export function memberName(node: Node): string | null {
  if (node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression') return memberName(node.expression);
  if (node.type !== 'MemberExpression') return null;
  if (node.computed) return stringIn(node.property);
  return node.property.type === 'Identifier' ? node.property.name : null;
}
