import { findCycles, folderGraph } from './cycles.ts';
import type { Import } from './imports.ts';
import { folderOf } from './tree.ts';

/** The folders of one cycle from the top down, and the imports that go up: without those there would be no cycle. */
export type Upward = { order: string[]; imports: Import[] };

/** Searches for the order with the fewest upward imports: a good one, not always the best. */
export function findUpward(imports: readonly Import[]): Upward[] {
  return findCycles(folderGraph(imports)).map((cycle) => {
    const inside = imports.filter(({ from, to }) => {
      return folderOf(from) !== folderOf(to) && cycle.includes(folderOf(from)) && cycle.includes(folderOf(to));
    });
    const weights = weigh(inside);
    const order = improve(startOrder(cycle, weights), weights);
    const upward = inside.filter(({ from, to }) => order.indexOf(folderOf(from)) > order.indexOf(folderOf(to)));
    return { order, imports: upward };
  });
}

type Weights = (from: string, to: string) => number;

function weigh(imports: readonly Import[]): Weights {
  const counts = new Map<string, number>();
  for (const { from, to } of imports) {
    const arrow = `${folderOf(from)} ${folderOf(to)}`;
    counts.set(arrow, (counts.get(arrow) ?? 0) + 1);
  }
  return (from, to) => counts.get(`${from} ${to}`) ?? 0;
}

/**
 * The next folder is always the one that imports most of the rest and is imported least by it (Eades, Lin, Smyth 1993).
 */
function startOrder(cycle: readonly string[], weights: Weights): string[] {
  const left = [...cycle];
  const surplus = (folder: string) =>
    left.reduce((sum, other) => sum + weights(folder, other) - weights(other, folder), 0);
  const order: string[] = [];
  while (left.length > 0) {
    const next = left.reduce((best, folder) => (surplus(folder) > surplus(best) ? folder : best));
    order.push(...left.splice(left.indexOf(next), 1));
  }
  return order;
}

/** Moves single folders as long as that reduces the upward imports. */
function improve(start: string[], weights: Weights): string[] {
  const cost = (order: readonly string[]) =>
    order.reduce(
      (sum, folder, index) => sum + order.slice(0, index).reduce((up, higher) => up + weights(folder, higher), 0),
      0,
    );
  for (let order = start; ;) {
    const better = order
      .flatMap((folder) => {
        const others = order.filter((other) => other !== folder);
        return order.map((_, place) => others.toSpliced(place, 0, folder));
      })
      .find((other) => cost(other) < cost(order));
    if (!better) return order;
    order = better;
  }
}
