import type { Logger } from 'pino';
import type { Config, Role } from '../../core/config/config.ts';
import type { Store } from '../../db/store/store.ts';
import type { Tracing } from './tracing.ts';

type Traced = { config: Pick<Config, 'traces'>; roles: readonly Role[]; log: Logger };

/** Null unless traces are switched on; nothing of them is loaded then. */
export async function openTracing({ config, roles, log }: Traced, store: Store): Promise<Tracing | null> {
  if (config.traces === undefined) return null;
  const [{ createSpanSender }, { createTracing }] = await Promise.all([import('./sender.ts'), import('./tracing.ts')]);
  const sender = createSpanSender(config.traces, roles.join(','), log);
  log.info({ share: config.traces.share }, 'traces are sent to OTEL_EXPORTER_OTLP_ENDPOINT');
  return createTracing(sender, store, () => Date.now());
}
