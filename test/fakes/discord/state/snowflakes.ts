/** Discord counts milliseconds from the first second of 2015. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

/**
 * Ids that carry their time and never repeat, as text: a JavaScript number cannot hold one. The counter below the
 * time keeps ids of one millisecond apart and in order.
 */
export function createSnowflakes(now: () => number): () => string {
  let last = 0n;
  return () => {
    const fromTime = (BigInt(now()) - DISCORD_EPOCH_MS) << 22n;
    last = fromTime > last ? fromTime : last + 1n;
    return last.toString();
  };
}
