/**
 * Does for many at once what costs about as much for one. An item that comes during a round joins the next, so nothing
 * waits for company, and in a rush the rounds grow by themselves.
 */
export function createBatch<Item>(work: (items: readonly Item[]) => Promise<void>, itemsMax: number) {
  type Waiting = { item: Item; done: () => void; failed: (error: unknown) => void };
  const waiting: Waiting[] = [];
  let isUnderWay = false;

  async function workOn(): Promise<void> {
    isUnderWay = true;
    // Everything that came with the same packet comes along.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const round = waiting.splice(0, itemsMax);
      try {
        await work(round.map(({ item }) => item));
        for (const { done } of round) done();
      } catch (error) {
        for (const { failed } of round) failed(error);
      }
    }
    isUnderWay = false;
  }

  /** Resolves when the item was worked on, and rejects with the reason for which its round failed. */
  return (item: Item): Promise<void> =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!isUnderWay) void workOn();
    });
}
