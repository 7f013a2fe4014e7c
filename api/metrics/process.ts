import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | null = null;

/**
 * Event-loop lag, heap, garbage collection, CPU and open files, under the names that dashboards for Node know. The
 * collection cannot be stopped again, so it starts once per process, however many services a test starts in it.
 */
export function processRegistry(): Registry {
  if (registry === null) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
