/** Waits for `work`, at most `limitMs`. Ignores its outcome and never rejects. */
export async function waitAtMost(work: Promise<unknown>, limitMs: number): Promise<void> {
  await orNull(work, limitMs).catch(() => undefined);
}

/**
 * The result of `work`, or an Error after `limitMs`, which `what` names. The work itself continues, so use it only for what
 * may be asked again.
 */
export async function within<T>(work: Promise<T>, limitMs: number, what = 'an answer'): Promise<T> {
  const done = await orNull(
    work.then((result) => ({ result })),
    limitMs,
  );
  if (done === null) throw new Error(`${what} took longer than ${limitMs} ms`);
  return done.result;
}

/** The same with null after the limit. What comes of the work then is lost, a failure too. */
export async function orNull<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, limitMs, null)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
