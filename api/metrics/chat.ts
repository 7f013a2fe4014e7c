import { Histogram, type Registry } from 'prom-client';

/** Fine around a fifth of a second, where people notice a delay; after three seconds Discord reports no answer. */
const BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3];

/** How long people in a chat wait for the first reaction to their command. */
export function createFirstWordTimer(registry: Registry): (transport: string, seconds: number) => void {
  const waits = new Histogram({
    name: 'pennypost_chat_acknowledge_seconds',
    help: 'From when the bot hears of a command or press until the platform has its acknowledgement.',
    labelNames: ['transport'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return (transport, seconds) => waits.observe({ transport }, seconds);
}
