/** Waits for `work`, but not longer than `limitMs`. How it ended is not told; a late end is ignored. Never rejects. */
export async function waitAtMost(work: Promise<unknown>, limitMs: number): Promise<void> {
  await within(work, limitMs).catch(() => undefined);
}

/** The result of `work`, or an Error after `limitMs`. The work itself goes on: only the waiting ends. */
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
