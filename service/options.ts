import type { Logger } from 'pino';
import type { Config, Role } from '../core/config/config.ts';
import type { Failpoint } from '../core/failpoints.ts';

export type ServiceOptions = {
  config: Config;
  roles: readonly Role[];
  log: Logger;
  failpoint: (name: Failpoint) => void;
  /** Shows progress to a waiting operator. */
  progress: (text: string) => void;
  /** Secrets that local mode made and the log must not show. */
  addSecrets: (secrets: readonly string[]) => void;
  /** Aborted when the process is to stop, which also ends a start that waits. */
  closing?: AbortSignal;
  /** How long a request waits for its settlement; 20 s when left out. */
  settlementWaitMs?: number;
  /** Of the local Solana. */
  slotMs?: number;
};
