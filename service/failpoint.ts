import { writeSync } from 'node:fs';
import {
  BOT_FAILPOINTS,
  EVENT_FAILPOINTS,
  FAILPOINTS,
  GROUP_FAILPOINTS,
  LINK_FAILPOINTS,
  REWARD_FAILPOINTS,
  REWARD_LINK_FAILPOINTS,
  TASK_FAILPOINTS,
  type Failpoint,
} from '../core/failpoints.ts';

const STOP = 'stop:';

/**
 * Kills this process at a named point, for tests of what a crash leaves behind; `stop:` and a point stops it there once, until
 * it is let go. Local mode only: real money never runs with a failpoint. The line is written synchronously, so that a test
 * can assert that the point was reached.
 */
export function createFailpoint(armed: string | undefined, localMode: boolean): (name: Failpoint) => void {
  if (armed === undefined || armed === '') return () => undefined;
  if (!localMode) throw new Error('FAILPOINT is for tests and works in local mode only.');
  const known: readonly string[] = [
    ...FAILPOINTS,
    ...TASK_FAILPOINTS,
    ...BOT_FAILPOINTS,
    ...GROUP_FAILPOINTS,
    ...LINK_FAILPOINTS,
    ...REWARD_FAILPOINTS,
    ...REWARD_LINK_FAILPOINTS,
    ...EVENT_FAILPOINTS,
  ];
  const stops = armed.startsWith(STOP);
  const point = stops ? armed.slice(STOP.length) : armed;
  if (!known.includes(point)) throw new Error(`FAILPOINT must be one of ${known.join(', ')}; found ${armed}`);
  let hasFired = false;
  return (name) => {
    if (name !== point || hasFired) return;
    hasFired = true;
    writeSync(2, `failpoint fired: ${name}\n`);
    process.kill(process.pid, stops ? 'SIGSTOP' : 'SIGKILL');
    // The signal is delivered asynchronously; nothing may happen until it is.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stops ? 500 : 10_000);
  };
}
