import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Role } from '../../core/config/config.ts';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import { beat, BEAT_EVERY_MS, beginEpoch, forgetSilent, leave, type Place } from '../../db/processes/lease.ts';
import { LEASE_MS, type ProcessLease } from '../../db/processes/owner.ts';
import type { Db, Store } from '../../db/store/store.ts';
import { isAlive } from '../../local/processes/process-id.ts';
import { realTimer, type Timer } from '../../queue/alarm.ts';

const RETRY_MS = 500;
const FORGET_EVERY_MS = 30_000;

export type RunningProcess = ProcessLease & { close: () => Promise<void> };

export type ProcessOptions = {
  store: Store;
  roles: readonly Role[];
  /** Where it listens. */
  address: string;
  log: Pick<Logger, 'warn' | 'info' | 'error'>;
  timer?: Timer;
  /** Asked in the transaction of each new epoch; throws Misconfigured where this process may begin none. */
  mayServe?: (db: Db) => Promise<void>;
  /** Such a process holds nothing, and serves nothing from then on. */
  onRefused?: (error: Misconfigured) => void;
};

/** Enters this process into the database, and renews its lease until it is closed. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { store, log, timer = realTimer } = options;
  const lease = createLease(options, timer);
  const state = { isClosed: false, isFailing: false, forgetAtMs: 0 };
  let callOff = () => {};
  let beating: Promise<void> = Promise.resolve();

  async function tick(): Promise<void> {
    try {
      await lease.renew();
      if (timer.nowMs() >= state.forgetAtMs) {
        state.forgetAtMs = timer.nowMs() + FORGET_EVERY_MS;
        await forgetSilent(store);
      }
      if (state.isFailing) log.info({ process: lease.owner().process }, 'the database takes heartbeats again');
      state.isFailing = false;
    } catch (error) {
      if (error instanceof Misconfigured) {
        log.error({ err: error }, 'this process may not serve any more');
        options.onRefused?.(error);
        return;
      }
      if (!state.isFailing) log.warn({ err: error }, 'a heartbeat failed; it is tried again');
      state.isFailing = true;
    }
    arm();
  }

  function arm(): void {
    if (state.isClosed) return;
    callOff = timer.after(state.isFailing ? RETRY_MS : BEAT_EVERY_MS, () => void (beating = tick()));
  }

  await lease.renew();
  arm();
  return {
    ...lease,
    async close() {
      state.isClosed = true;
      callOff();
      await beating;
      await lease.end();
    },
  };
}

/** On this host no process has that number any more. On another, nothing is known. */
function hasEnded({ address, pid }: Place, own: string): boolean {
  return hostOf(address) === hostOf(own) && !isAlive(pid);
}

const hostOf = (address: string) => address.slice(0, address.lastIndexOf(':'));

/**
 * The lease counts from before the statement that renewed it, on a clock that never jumps, so here it is over no later
 * than others see it. Once it is over, what was held under it is dropped before a new epoch begins.
 */
function createLease({ store, roles, address, log, mayServe }: ProcessOptions, timer: Timer) {
  const id = randomUUID();
  const losses: (() => void)[] = [];
  const beats: (() => void)[] = [];
  let epoch = 0;
  let heldUntilMs: number | null = null;
  let callOffLoss = () => {};
  const owner = () => ({ process: id, epoch });
  const holds = () => heldUntilMs !== null && timer.nowMs() < heldUntilMs;

  function hold(sinceMs: number): void {
    heldUntilMs = sinceMs + LEASE_MS;
    callOffLoss();
    // A database that does not answer at all would not tell.
    callOffLoss = timer.after(heldUntilMs - timer.nowMs(), lose);
  }

  function lose(): void {
    if (heldUntilMs === null) return;
    heldUntilMs = null;
    log.warn({ process: id, epoch }, 'the lease is over; what was held under it is dropped');
    for (const listener of losses) listener();
  }

  async function renew(): Promise<void> {
    const sentMs = timer.nowMs();
    const isRenewed = holds() && (await beat(store, owner()));
    // Lost meanwhile, it stays lost: what was held has been dropped.
    if (isRenewed && heldUntilMs !== null) hold(sentMs);
    else lose();
    if (heldUntilMs === null) await begin();
    for (const listener of beats) listener();
  }

  async function begin(): Promise<void> {
    const sentMs = timer.nowMs();
    epoch += 1;
    const entering = { hasEnded: (place: Place) => hasEnded(place, address), ...(mayServe && { mayServe }) };
    await beginEpoch(store, { ...owner(), roles, address, pid: process.pid }, entering);
    hold(sentMs);
  }

  async function end(): Promise<void> {
    callOffLoss();
    heldUntilMs = null;
    await leave(store, owner()).catch((error: unknown) => {
      log.warn({ err: error }, 'could not take this process out of the database; its lease ends by itself');
    });
  }

  return {
    owner,
    holds,
    renew,
    end,
    onBeat: (listener: () => void) => void beats.push(listener),
    onLost: (listener: () => void) => void losses.push(listener),
  };
}
