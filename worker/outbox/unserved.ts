/**
 * What a row asks for is not done by this worker, but by one that is configured for it, now or later. The row stays in the
 * outbox, and is not looked at every moment until then.
 */
export class Unserved extends Error {
  /** For the log, which says it once: what nobody here serves. */
  readonly what: string;
  constructor(what: string) {
    super(`${what} are not served here`);
    this.what = what;
  }
}
