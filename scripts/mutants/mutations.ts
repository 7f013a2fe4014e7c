import type { Expression, Node, Statement } from 'oxc-parser';
import { lineAt, parse } from '../house/tree.ts';
import { memberName, walk } from '../house/walk.ts';

/** One change in one place. `id` names the place by the code around it, not by its line. */
export type Mutation = {
  id: string;
  file: string;
  line: number;
  change: string;
  start: number;
  end: number;
  replacement: string;
};

type Change = Pick<Mutation, 'change' | 'start' | 'end' | 'replacement'>;

const COMPARISONS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const LOGICAL: Record<string, string> = { '&&': '||', '||': '&&' };

/** Every single change of a file that the tests should notice, in the order of the file. */
export function mutationsIn(file: string, text: string): Mutation[] {
  const changes: Change[] = [];
  walk(parse(file, text), (node) => {
    // No test can notice a change in a type or a log line.
    if (/^TS(Type|Interface|Literal|Enum)/.test(node.type) || isLogCall(node)) return false;
    changes.push(...changesOf(node, text));
    return true;
  });
  const seen = new Map<string, number>();
  return changes
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map((change) => {
      const key = `${file} ${change.change}`;
      const nth = (seen.get(key) ?? 0) + 1;
      seen.set(key, nth);
      return { id: nth === 1 ? key : `${key} (${nth})`, file, line: lineAt(text, change.start), ...change };
    });
}

export function mutate(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function changesOf(node: Node, text: string): Change[] {
  if (node.type === 'BinaryExpression') {
    return [...swapOperator(node, text, COMPARISONS), ...(isSum(node) ? swapOperator(node, text, { '+': '-' }) : [])];
  }
  if (node.type === 'LogicalExpression') return swapOperator(node, text, LOGICAL);
  if (node.type === 'ConditionalExpression') return [negate(node.test, text)];
  if (node.type === 'IfStatement') {
    return [negate(node.test, text), ...(isGuard(node) ? [drop(node, text, 'drops the guard')] : [])];
  }
  if (node.type === 'ExpressionStatement') {
    return isAwaitedCall(node.expression) ? [drop(node, text, 'drops the call')] : [];
  }
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'and') {
    return node.arguments.map((one) => drop(one, text, 'drops the condition', 'undefined'));
  }
  return addOne(node);
}

function swapOperator(
  node: { left: Node; right: Node; operator: string },
  text: string,
  operators: Record<string, string>,
): Change[] {
  const other = operators[node.operator];
  if (other === undefined) return [];
  const start = text.indexOf(node.operator, node.left.end);
  const change = `${brief(text.slice(node.left.start, node.right.end))} with ${other}`;
  return [{ change, start, end: start + node.operator.length, replacement: other }];
}

function negate(test: Expression, text: string): Change {
  const condition = text.slice(test.start, test.end);
  return { change: `not (${brief(condition)})`, start: test.start, end: test.end, replacement: `!(${condition})` };
}

function drop(node: Node, text: string, what: string, replacement = ';'): Change {
  const { start, end } = node;
  return { change: `${what} ${brief(text.slice(start, end))}`, start, end, replacement };
}

function addOne(node: Node): Change[] {
  if (node.type !== 'Literal' || (typeof node.value !== 'number' && typeof node.value !== 'bigint')) return [];
  const replacement = typeof node.value === 'bigint' ? `${node.value + 1n}n` : String(node.value + 1);
  return [{ change: `${node.raw} becomes ${replacement}`, start: node.start, end: node.end, replacement }];
}

/** An `if` that only leaves the function: without it, the case that it stops goes on. */
function isGuard(node: Node): boolean {
  return node.type === 'IfStatement' && node.alternate === null && leaves(node.consequent);
}

function leaves(statement: Statement): boolean {
  if (statement.type === 'BlockStatement') return statement.body.length === 1 && statement.body.every(leavesAlone);
  return leavesAlone(statement);
}

function leavesAlone(statement: Node): boolean {
  return ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'].includes(statement.type);
}

function isAwaitedCall(node: Expression): boolean {
  return node.type === 'AwaitExpression' && node.argument.type === 'CallExpression';
}

/** `a - "text"` is no number, so the operator of a string is not swapped. */
function isSum(node: Node): boolean {
  if (node.type === 'TemplateLiteral') return false;
  if (node.type === 'Literal') return typeof node.value !== 'string';
  return node.type !== 'BinaryExpression' || node.operator !== '+' || (isSum(node.left) && isSum(node.right));
}

function isLogCall(node: Node): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object } = node.callee;
  return (object.type === 'Identifier' ? object.name : memberName(object)) === 'log';
}

function brief(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}
