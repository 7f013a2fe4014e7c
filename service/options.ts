import type { Logger } from 'pino';
import type { Config, Role } from '../core/config/config.ts';
import type { PassPoint } from '../core/failpoints.ts';
import type { Store } from '../db/store/store.ts';
import type { QueueConnection } from './queue/queue.ts';
import type { Tracing } from './tracing/tracing.ts';

export type ServiceOptions = {
  config: Config;
  roles: readonly Role[];
  log: Logger;
  failpoint: PassPoint;
  /** Absent: no traces. */
  tracing?: Tracing;
  /** Shows progress to a waiting operator. */
  progress: (text: string) => void;
  /** Secrets that local mode made and the log must not show. */
  addSecrets: (secrets: readonly string[]) => void;
  /** Aborted when the process is to stop, which also ends a start that waits. */
  closing?: AbortSignal;
  /** What listens on a port of its own and is served once everything is open: the console. */
  beside?: OpenBeside;
  /** Called once this process may serve no more, because its settings are older than the database's. */
  onRefused?: (error: Error) => void;
  /** How long a request waits for its settlement; 20 s when left out. */
  settlementWaitMs?: number;
  /** Of the local Solana. */
  slotMs?: number;
};

/** With the store and the limits of this process. */
export type OpenBeside = (shared: { store: Store; queue: Pick<QueueConnection, 'limits'> }) => {
  close: () => Promise<void>;
};
