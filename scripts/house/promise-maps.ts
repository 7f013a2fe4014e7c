import type { Node } from 'oxc-parser';
import { declarationsOf, type Declarations } from './declarations.ts';
import { lineAt, type House, type Place } from './tree.ts';
import { isNode, memberName, walk } from './walk.ts';

const MAPS = new Set(['Map', 'WeakMap', 'ReadonlyMap', 'Record']);
const PROMISES = new Set(['Promise', 'PromiseLike']);
/** Their promises are made when they are called, and not held. */
const FUNCTION_TYPES = new Set(['TSFunctionType', 'TSMethodSignature', 'TSConstructorType']);
const CHAINING = new Set(['then', 'catch', 'finally']);
const ALIASES_DEEP_MAX = 8;

/**
 * Maps whose values are or hold promises, by their written types, through aliases and across files; and maps without a
 * written type into which the same file puts a promise.
 */
export function findPromiseMaps(house: House): Place[] {
  return [...house.sources.values()].flatMap(({ path, text, program }) => {
    const known = declarationsOf(house, path);
    const holders = untypedMaps(program, known);
    const places: Place[] = [];
    walk(program, (node) => {
      const isFound = isPromiseMap(node, known) || holders.has(node);
      const [what = ''] = text.slice(node.start, node.end).split('\n');
      if (isFound) places.push({ file: path, line: lineAt(text, node.start), what });
      return !isFound;
    });
    return places;
  });
}

function isPromiseMap(node: Node, known: Declarations): boolean {
  if (node.type === 'TSTypeReference' && node.typeName.type === 'Identifier') {
    return MAPS.has(node.typeName.name) && holdsPromise(node.typeArguments?.params.at(-1), known);
  }
  if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
    return MAPS.has(node.callee.name) && holdsPromise(node.typeArguments?.params.at(-1), known);
  }
  return node.type === 'TSIndexSignature' && holdsPromise(node.typeAnnotation, known);
}

function holdsPromise(type: unknown, known: Declarations, depth = 0): boolean {
  let holds = false;
  walk(type, (node) => {
    if (node.type === 'TSTypeReference' && node.typeName.type === 'Identifier') {
      const { name } = node.typeName;
      const alias = depth < ALIASES_DEEP_MAX ? known.typeOf(name) : null;
      holds ||= PROMISES.has(name) || (alias !== null && holdsPromise(alias.node, alias.known, depth + 1));
    }
    return !holds && !FUNCTION_TYPES.has(node.type);
  });
  return holds;
}

/** Each `new Map()` without a type that is filled with a promise: by what it is built from, or by a `set`. */
function untypedMaps(program: Node, known: Declarations): Set<Node> {
  const filled = new Set<string>();
  walk(program, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
    const fills = memberName(node.callee) === 'set' && isPromise(node.arguments[1], known);
    const name = fills ? lastName(node.callee.object) : null;
    if (name !== null) filled.add(name);
  });
  const found = new Set<Node>();
  const look = (holder: string | null, value: unknown) => {
    if (!isNode(value) || value.type !== 'NewExpression' || value.typeArguments) return;
    if (value.callee.type !== 'Identifier' || !MAPS.has(value.callee.name)) return;
    if ((holder !== null && filled.has(holder)) || pairsHoldPromise(value.arguments[0], known)) found.add(value);
  };
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator') look(lastName(node.id), node.init);
    else if (node.type === 'Property' || node.type === 'PropertyDefinition') look(lastName(node.key), node.value);
    else if (node.type === 'NewExpression') look(null, node);
  });
  return found;
}

/** `[[key, promise]]`, or a call such as `names.map((name) => [name, promise])`. */
function pairsHoldPromise(node: Node | undefined, known: Declarations): boolean {
  let holds = false;
  walk(node, (one) => {
    if (one.type === 'ArrayExpression' && one.elements.length === 2) holds ||= isPromise(one.elements[1], known);
    return !holds;
  });
  return holds;
}

function isPromise(node: Node | null | undefined, known: Declarations, depth = 0): boolean {
  if (depth > ALIASES_DEEP_MAX) return false;
  if (node?.type === 'ParenthesizedExpression' || node?.type === 'TSAsExpression') {
    return isPromise(node.expression, known, depth + 1);
  }
  if (node?.type === 'NewExpression') return node.callee.type === 'Identifier' && PROMISES.has(node.callee.name);
  if (node?.type === 'Identifier') return isPromise(known.valueOf(node.name), known, depth + 1);
  if (node?.type !== 'CallExpression') return false;
  const { callee } = node;
  if (callee.type === 'MemberExpression') {
    const isOfPromise = callee.object.type === 'Identifier' && PROMISES.has(callee.object.name);
    return isOfPromise || CHAINING.has(memberName(callee) ?? '');
  }
  return callee.type === 'Identifier' ? known.isAsync(callee.name) : isAsyncFunction(callee);
}

function isAsyncFunction(node: Node): boolean {
  if (node.type === 'ParenthesizedExpression') return isAsyncFunction(node.expression);
  return (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') && node.async;
}

function lastName(node: Node): string | null {
  return node.type === 'Identifier' ? node.name : memberName(node);
}
