/** Strictly the YAML that our files are written in: maps, lists, plain and quoted text, lists in one line. */
export type Yaml = string | null | Yaml[] | { [key: string]: Yaml };
type Line = { indent: number; text: string; number: number };

/** The documents of a file. Throws with the line that is something else. */
export function parseYaml(file: string): Yaml[] {
  return file.split(/^---\n/m).flatMap((document) => {
    const lines = document
      .split('\n')
      .map((text, index) => ({ indent: text.search(/\S|$/), text: text.trim(), number: index + 1 }))
      .filter(({ text }) => text !== '' && !text.startsWith('#'));
    if (lines.length === 0) return [];
    const value = readBlock(lines, lines[0]?.indent ?? 0);
    if (lines[0] !== undefined) throw new Error(`line ${lines[0].number} stands apart: ${lines[0].text}`);
    return [value];
  });
}

function readBlock(lines: Line[], indent: number): Yaml {
  if (lines[0]?.indent !== indent) return null;
  return lines[0].text.startsWith('- ') ? readList(lines, indent) : readMap(lines, indent);
}

function readList(lines: Line[], indent: number): Yaml[] {
  const items: Yaml[] = [];
  for (let line = lines[0]; line?.indent === indent && line.text.startsWith('- '); line = lines[0]) {
    const rest = line.text.slice(2);
    if (/^[\w.-]+:( |$)/.test(rest)) {
      lines[0] = { ...line, indent: indent + 2, text: rest };
      items.push(readMap(lines, indent + 2));
    } else {
      lines.shift();
      items.push(readScalar(rest, line));
    }
  }
  return items;
}

function readMap(lines: Line[], indent: number): Yaml {
  const map: Record<string, Yaml> = {};
  for (let line = lines[0]; line?.indent === indent; line = lines[0]) {
    const [, key, rest] = /^([\w.-]+):(?: (.+))?$/.exec(line.text) ?? [];
    if (key === undefined) throw new Error(`line ${line.number} is no key: ${line.text}`);
    if (key in map) throw new Error(`line ${line.number}: ${key} stands twice`);
    lines.shift();
    map[key] =
      rest === undefined ? readBlock(lines, Math.max(indent + 1, lines[0]?.indent ?? 0)) : readScalar(rest, line);
  }
  return map;
}

function readScalar(text: string, line: Line): Yaml {
  if (text.startsWith('[')) {
    if (!text.endsWith(']')) throw new Error(`line ${line.number}: a list without its end`);
    return [...text.slice(1, -1).matchAll(/"[^"]*"|'(?:[^']|'')*'|[^,\s][^,]*/g)].map(([item]) =>
      readScalar(item.trim(), line),
    );
  }
  if (/^["']/.test(text)) {
    if (!/^"[^"\\]*"$|^'(?:[^']|'')*'$/.test(text)) throw new Error(`line ${line.number}: broken quotes`);
    return text.slice(1, -1).replaceAll("''", "'");
  }
  if (/^[>|&*!%@`]|: | #/.test(text)) throw new Error(`line ${line.number} needs quotes: ${text}`);
  return text;
}

/** What stands under these keys; throws where nothing does. */
export function at(value: Yaml | undefined, ...path: readonly string[]): Yaml {
  const [key, ...rest] = path;
  if (value === undefined) throw new Error(`nothing stands at ${path.join('.')}`);
  if (key === undefined) return value;
  if (value === null || typeof value !== 'object') throw new Error(`there is no ${key} in ${value}`);
  return at(Array.isArray(value) ? value[Number(key)] : value[key], ...rest);
}

/** The text that stands there; throws where something else does. */
export function textAt(value: Yaml | undefined, ...path: readonly string[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw new Error(`no text stands at ${path.join('.')}`);
  return found;
}

/** The list that stands there. */
export function listAt(value: Yaml | undefined, ...path: readonly string[]): readonly Yaml[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw new Error(`no list stands at ${path.join('.')}`);
  return found;
}

export const keysOf = (value: Yaml): string[] => Object.keys(value as Record<string, Yaml>);
