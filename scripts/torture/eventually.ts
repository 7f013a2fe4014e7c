/** Times are given as on a machine of one's own: beside other tests, on a small one, all takes several times as long. */
const SLOWNESS = 6;
/** Below what a test may take, so that a failure names what was missing. */
const WAIT_MS_MAX = 150_000;

/** What comes soon is seen at once, and what takes long is not asked for all the time: each question costs a core too. */
const PAUSE_MS = { least: 20, most: 250 };

/** Asks again until the check passes; throws its last failure when the time is over. */
export async function eventually<T>(check: () => Promise<T>, timeoutMs = 10_000): Promise<T> {
  const begunMs = Date.now();
  const deadline = begunMs + Math.max(timeoutMs, Math.min(timeoutMs * SLOWNESS, WAIT_MS_MAX));
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      const pauseMs = Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, (Date.now() - begunMs) / 8));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
