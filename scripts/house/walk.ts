import type { Node } from 'oxc-parser';

/** Calls `visit` for `start` and each node below it; where it answers false, the node's children are skipped. */
export function walk(start: unknown, visit: (node: Node) => boolean | void): void {
  if (Array.isArray(start)) {
    for (const item of start) walk(item, visit);
  } else if (isNode(start) && visit(start) !== false) {
    for (const value of Object.values(start)) walk(value, visit);
  }
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
