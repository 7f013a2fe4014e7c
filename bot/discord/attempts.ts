const ATTEMPTS_MAX = 3;

/**
 * A connection that broke says nothing about whether Discord has heard; asked again, it says so. Only for what is the same
 * twice as once, whatever is said in between.
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
