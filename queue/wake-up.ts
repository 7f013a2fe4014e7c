import type { DefaultJobOptions } from 'bullmq';

/** "Look at this row of the outbox." It carries no decision; the row does. */
export type WakeUp = { id: number; topic: string };

export const WAKE_UP_QUEUE = 'outbox';

/**
 * While a wake-up waits or runs, its id is taken and another notify does nothing. Afterwards the id must be free at
 * once: BullMQ deletes kept jobs only when a later job ends, so on a quiet day a kept one would swallow the next notify
 * of its row.
 */
export const WAKE_UP_JOB = {
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
} as const satisfies DefaultJobOptions;

export function toJob(wakeUp: WakeUp): { name: string; data: { id: number }; opts: { jobId: string } } {
  return { name: wakeUp.topic, data: { id: wakeUp.id }, opts: { jobId: `outbox-${wakeUp.id}` } };
}

/** Job data comes from outside: null when it is not ours. */
export function parseWakeUp(job: { name: string; data: unknown }): WakeUp | null {
  const { data } = job;
  if (typeof data !== 'object' || data === null || !('id' in data)) return null;
  if (typeof data.id !== 'number' || !Number.isSafeInteger(data.id) || data.id < 1) return null;
  return { id: data.id, topic: job.name };
}
