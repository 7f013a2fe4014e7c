/**
 * This worker does not do the row's work; one that is configured for it does, now or later. The row stays in the outbox
 * and is tried less and less often.
 */
export class Unserved extends Error {
  /** What is not served here; the log says it once. */
  readonly what: string;
  constructor(what: string) {
    super(`${what} are not served here`);
    this.what = what;
  }
}
