import type { Node } from 'oxc-parser';
import { resolveImport } from './imports.ts';
import type { House } from './tree.ts';
import { walk } from './walk.ts';

/** What the names in one file stand for, followed through its imports. Scopes are not told apart. */
export type Declarations = {
  /** The declaration of a type, with the names of the file in which it stands. */
  typeOf: (name: string) => { node: Node; known: Declarations } | null;
  /** The initial value of a variable of this file. */
  valueOf: (name: string) => Node | null;
  /** Whether a call of this function gives a promise, as far as its declaration says. */
  isAsync: (name: string) => boolean;
};

type Names = {
  types: Map<string, Node>;
  values: Map<string, Node>;
  functions: Map<string, Node>;
  imports: Map<string, Origin>;
};
type Origin = { file: string; name: string };

const read = new WeakMap<House, Map<string, Names>>();

export function declarationsOf(house: House, path: string): Declarations {
  const names = namesOf(house, path);
  const elsewhere = (name: string) => {
    const origin = names.imports.get(name);
    return origin ? { name: origin.name, known: declarationsOf(house, origin.file) } : null;
  };
  const declarations: Declarations = {
    typeOf(name) {
      const node = names.types.get(name);
      if (node) return { node, known: declarations };
      const origin = elsewhere(name);
      return origin && origin.known.typeOf(origin.name);
    },
    valueOf: (name) => names.values.get(name) ?? null,
    isAsync(name) {
      const node = names.functions.get(name);
      if (node) return givesPromise(node);
      const origin = elsewhere(name);
      return origin !== null && origin.known.isAsync(origin.name);
    },
  };
  return declarations;
}

function givesPromise(node: Node): boolean {
  if (!('async' in node) || !('returnType' in node)) return false;
  if (node.async) return true;
  const type = node.returnType?.typeAnnotation;
  return type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'Promise';
}

function namesOf(house: House, path: string): Names {
  const files = read.get(house) ?? new Map<string, Names>();
  read.set(house, files);
  const known = files.get(path);
  if (known) return known;
  const names: Names = { types: new Map(), values: new Map(), functions: new Map(), imports: new Map() };
  files.set(path, names);
  walk(house.sources.get(path)?.program, (node) => note(names, path, node));
  return names;
}

function note(names: Names, path: string, node: Node): void {
  if (node.type === 'TSTypeAliasDeclaration') names.types.set(node.id.name, node.typeAnnotation);
  else if (node.type === 'TSInterfaceDeclaration') names.types.set(node.id.name, node.body);
  else if (node.type === 'FunctionDeclaration' && node.id) names.functions.set(node.id.name, node);
  else if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
    const isFunction = node.init.type === 'ArrowFunctionExpression' || node.init.type === 'FunctionExpression';
    (isFunction ? names.functions : names.values).set(node.id.name, node.init);
  } else if (node.type === 'ImportDeclaration') {
    const file = resolveImport(path, node.source.value);
    for (const one of node.specifiers) {
      if (one.type !== 'ImportSpecifier' || one.imported.type !== 'Identifier') continue;
      names.imports.set(one.local.name, { file, name: one.imported.name });
    }
  }
}
