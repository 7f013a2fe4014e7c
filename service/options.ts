import type { Logger } from 'pino';
import type { Config, Role } from '../core/config/config.ts';
import type { Failpoint } from '../core/failpoints.ts';

export type ServiceOptions = {
  config: Config;
  roles: readonly Role[];
  log: Logger;
  failpoint: (name: Failpoint) => void;
  /** Says what is being done, for a person who waits. */
  progress: (text: string) => void;
  /** Secrets that local mode made and the log must not show. */
  addSecrets: (secrets: readonly string[]) => void;
  /** How long a request waits for its settlement; 20 s when left out. */
  settlementWaitMs?: number;
  /** Of the local chains. */
  blockTimeMs?: number;
  slotMs?: number;
};
