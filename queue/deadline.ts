/** Waits for `work`, at most `limitMs`. Ignores its outcome and never rejects. */
export async function waitAtMost(work: Promise<unknown>, limitMs: number): Promise<void> {
  await within(work, limitMs).catch(() => undefined);
}

/** The result of `work`, or an Error after `limitMs`. The work itself continues; only the wait ends. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
