import { lineAt, linesIn, type House, type Place } from './tree.ts';
import { walk } from './walk.ts';

const FUNCTION_LINES_MAX = 70;
const FILE_LINES_MAX = 300;
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function findLongFunctions(house: House): Place[] {
  const places: Place[] = [];
  for (const { path, text, program } of house.sources.values()) {
    walk(program, (node) => {
      if (!FUNCTIONS.has(node.type)) return;
      const lines = linesIn(text.slice(node.start, node.end));
      if (lines > FUNCTION_LINES_MAX)
        places.push({ file: path, line: lineAt(text, node.start), what: `${lines} lines` });
    });
  }
  return places;
}

export function findLongFiles(house: House): Place[] {
  return [...house.sources.values()]
    .map(({ path, text }) => ({ file: path, lines: linesIn(text) }))
    .filter(({ lines }) => lines > FILE_LINES_MAX)
    .map(({ file, lines }) => ({ file, what: `${lines} lines` }));
}
