export const LONG_WAIT_MS = 200;

/** The server looks after each wait once it is this long, and writes down those that go on. */
export const LOCK_WAIT_SETTINGS = ['log_lock_waits=on', `deadlock_timeout=${LONG_WAIT_MS}ms`] as const;

/** The waits for locks that were too long, as the server tells them. */
export function countLockWaits() {
  let text = '';
  return {
    read: (more: string): void => void (text += more),
    count: () => [...text.matchAll(/still waiting for (\w+) on (.+?) after/g)].length,
    /** Forgets what was so far. */
    reset: (): void => void (text = ''),
  };
}
