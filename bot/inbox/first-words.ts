/** Tells how long people wait for a first word: from when the bot hears of them until Discord has that word. */
export type FirstWords = { heard: (interactionId: string) => void; said: (interactionId: string) => void };

type Deps = { monotonicMs: () => number; onFirstWord: (seconds: number) => void };

/** What is never answered must not be kept for ever. */
const HEARD_MAX = 10_000;

export function createFirstWords({ monotonicMs, onFirstWord }: Deps): FirstWords {
  const heardAtMs = new Map<string, number>();
  return {
    heard(id) {
      // A second delivery does not restart the person's wait.
      if (heardAtMs.has(id)) return;
      heardAtMs.set(id, monotonicMs());
      if (heardAtMs.size <= HEARD_MAX) return;
      for (const oldest of heardAtMs.keys()) {
        heardAtMs.delete(oldest);
        return;
      }
    },
    said(id) {
      const atMs = heardAtMs.get(id);
      if (atMs === undefined) return;
      heardAtMs.delete(id);
      onFirstWord((monotonicMs() - atMs) / 1_000);
    },
  };
}
