/** What the walk prints: each step, when it began and ended, and what was seen in it. */
const begunMs = performance.now();

export type See = (text: string) => void;
export type Step<World> = { title: string; run: (world: World, see: See) => Promise<void> };

/** One after the other; the first that fails ends the walk. */
export async function walk<World>(world: World, steps: readonly Step<World>[]): Promise<void> {
  for (const { title, run } of steps) {
    say(`== ${title}`);
    await run(world, (text) => say(text.replaceAll('\n', '\n          ')));
  }
}

export function say(text: string): void {
  // Not Date: the walk moves its clock.
  const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
  process.stdout.write(`${seconds.padStart(7)} s ${text}\n`);
}
