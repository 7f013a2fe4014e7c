const ATTEMPTS_MAX = 3;

/**
 * A broken connection does not say whether Discord has heard; asking again does. Only for what is the same twice as
 * once, whatever is shown in between.
 */
export async function untilKnown<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
