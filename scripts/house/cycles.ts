import type { Import } from './imports.ts';
import { folderOf } from './tree.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export function fileGraph(imports: readonly Import[]): Graph {
  return toGraph(imports.map(({ from, to }) => [from, to]));
}

/** A folder's node is the files directly in it: what is in a folder below it is another node. */
export function folderGraph(imports: readonly Import[]): Graph {
  return toGraph(imports.map(({ from, to }) => [folderOf(from), folderOf(to)]));
}

/** Groups in which each node reaches each other one, largest first (Tarjan 1972). A node alone is none. */
export function findCycles(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): number => {
    const own = order.size;
    order.set(node, own);
    open.push(node);
    let low = own;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === own) {
      const group = open.splice(open.indexOf(node));
      if (group.length > 1) cycles.push(group.sort());
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles.sort((one, other) => other.length - one.length);
}

/** The shortest way from a node back to itself, such as `a → b → a`. */
export function wayAround(graph: Graph, start: string): string[] {
  const ways = [...(graph.get(start) ?? [])].map((next) => [start, next]);
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const here = way.at(-1) ?? start;
    if (here === start) return way;
    if (seen.has(here)) continue;
    seen.add(here);
    for (const next of graph.get(here) ?? []) ways.push([...way, next]);
  }
  return [];
}

function toGraph(pairs: readonly (readonly [string, string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of pairs) {
    if (from === to) continue;
    if (!graph.has(from)) graph.set(from, new Set());
    graph.get(from)?.add(to);
  }
  return graph;
}
