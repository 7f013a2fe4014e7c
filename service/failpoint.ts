import { writeSync } from 'node:fs';
import {
  BOT_FAILPOINTS,
  FAILPOINTS,
  LINK_FAILPOINTS,
  REWARD_FAILPOINTS,
  REWARD_LINK_FAILPOINTS,
  TASK_FAILPOINTS,
  type Failpoint,
} from '../core/failpoints.ts';

/**
 * Kills this process at a named point, for tests of what a crash leaves behind. Local mode only: real money never runs
 * with a failpoint. The line is written synchronously, so that a test can assert that the point was reached.
 */
export function createFailpoint(armed: string | undefined, localMode: boolean): (name: Failpoint) => void {
  if (armed === undefined || armed === '') return () => undefined;
  if (!localMode) throw new Error('FAILPOINT is for tests and works in local mode only.');
  const known: readonly string[] = [
    ...FAILPOINTS,
    ...TASK_FAILPOINTS,
    ...BOT_FAILPOINTS,
    ...LINK_FAILPOINTS,
    ...REWARD_FAILPOINTS,
    ...REWARD_LINK_FAILPOINTS,
  ];
  if (!known.includes(armed)) throw new Error(`FAILPOINT must be one of ${known.join(', ')}; found ${armed}`);
  return (name) => {
    if (name !== armed) return;
    writeSync(2, `failpoint fired: ${name}\n`);
    process.kill(process.pid, 'SIGKILL');
    // The signal is delivered asynchronously; nothing may happen until it is.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
  };
}
