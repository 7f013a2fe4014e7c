/** What is divided among processes: everything of one kind, by name, and who holds each; null: no living process. */
export type Division = {
  things: readonly string[];
  holderOf: (thing: string) => string | null;
  /** The processes that take part. */
  takers: readonly string[];
};

/**
 * What this process takes and gives up so that all have the same number, or one more: the first ones by name have it. Each
 * process decides for itself and takes only what is free, so even two that count different takers never hold the same thing.
 */
export function shareOf(process: string, { things, holderOf, takers }: Division): { take: string[]; giveUp: string[] } {
  const all = [...new Set([...takers, process])].toSorted();
  const rank = all.indexOf(process);
  const target = Math.floor(things.length / all.length) + (rank < things.length % all.length ? 1 : 0);
  const mine = things.filter((thing) => holderOf(thing) === process);
  const free = things.filter((thing) => holderOf(thing) === null);
  return { take: free.slice(0, Math.max(0, target - mine.length)), giveUp: mine.slice(target) };
}
