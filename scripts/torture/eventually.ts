/** Times are given as on a machine of one's own: beside other tests, on a small one, all takes several times as long. */
const SLOWNESS = 3;

/** Asks again until the check passes; throws its last failure when the time is over. */
export async function eventually<T>(check: () => Promise<T>, timeoutMs = 10_000): Promise<T> {
  const deadline = Date.now() + timeoutMs * SLOWNESS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
