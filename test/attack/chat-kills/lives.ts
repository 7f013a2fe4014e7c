import { once } from 'node:events';
import type { Failpoint } from '../../../core/failpoints.ts';
import { countHits, killAtPoint, type Hits } from '../../../scripts/torture/faults.ts';
import { spawnKillable } from '../../../scripts/torture/killable.ts';

/** Longer than this, no new command has reached the point: then it is killed wherever it is. */
const LIFE_LIMIT_MS = 120_000;

export type Lives = {
  /** Where the service answers; null while it is dead. */
  url: () => string | null;
  /** One life, from a start to a death at the point. False: the point was never reached. */
  dieAt: (point: Failpoint) => Promise<boolean>;
  /** A life without such an end. */
  start: () => Promise<void>;
  /** Ctrl-C, and the wait for the end. */
  stop: () => Promise<void>;
  kill: () => Promise<void>;
  /** When it died at a point. */
  deathsAtMs: () => readonly number[];
  /** The points at which it died by its own hand. */
  hits: () => Hits;
};

type Options = {
  dataDir: string;
  /** Asked at each start, with how many there were before. */
  envOf: (life: number) => Record<string, string>;
};

/** The same installation, started again after each death. */
export function createLives({ dataDir, envOf }: Options): Lives {
  let url: string | null = null;
  let lives = 0;
  const deathsAtMs: number[] = [];
  const fired: string[] = [];
  let running: ReturnType<typeof spawnKillable> | null = null;

  async function begin(failpoint?: Failpoint) {
    const env = envOf(lives++);
    const life = spawnKillable({ dataDir, env, ...(failpoint === undefined ? {} : { failpoint }) });
    running = life;
    url = await life.listening;
    void life.died.then(() => {
      if (running === life) url = null;
    });
    return life;
  }

  async function end(how: 'kill' | 'stop'): Promise<void> {
    url = null;
    await running?.[how]();
    running = null;
  }

  return {
    url: () => url,
    async dieAt(point) {
      const life = await begin(point);
      const limit = AbortSignal.timeout(LIFE_LIMIT_MS);
      await Promise.race([life.died, once(limit, 'abort')]);
      // By its own hand: nobody else has sent a signal so far.
      const { signalCode, exitCode } = life.process;
      if (exitCode !== null) throw new Error(`the service ended by itself: ${life.output()}`);
      const hasFired = signalCode === 'SIGKILL';
      deathsAtMs.push(Date.now());
      if (hasFired) fired.push(killAtPoint(point));
      await end('kill');
      return hasFired;
    },
    async start() {
      const life = await begin();
      if (url === null) throw new Error(`the service did not start: ${life.output()}`);
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
    deathsAtMs: () => deathsAtMs,
    hits: () => countHits(fired),
  };
}
