/** Local mode, the whole service, in this process, for one test file. Nothing of it outlives `close`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseConfig } from '../../core/config/config.ts';
import type { ServiceOptions } from '../../service/options.ts';
import { startService, type Service } from '../../service/start.ts';

export type LocalServiceOptions = Partial<Omit<ServiceOptions, 'config'>> & {
  /** What differs from the settings of local mode; without a limit, since tests ask more often than people. */
  env?: Record<string, string>;
  /** Is there when it is handed in, and stays. */
  dataDir?: string;
};

/**
 * Blocks come more often than for people, because a test waits for hundreds of them. A blockhash of Solana lives for 150,
 * which is long enough also where much else is done.
 */
const PACE = { blockMs: '250', slotMs: 100 };

export async function startLocalService({ env, dataDir, ...options }: LocalServiceOptions = {}): Promise<Service> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'pennypost-local-'));
  const service = await startService({
    config: parseConfig({
      DATA_DIR: folder,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      A2A_RESERVATIONS_MAX: '0',
      LOCAL_BLOCK_MS: PACE.blockMs,
      ...env,
    }),
    roles: ['api', 'worker', 'bot'],
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    failpoint: () => undefined,
    progress: () => undefined,
    addSecrets: () => undefined,
    slotMs: PACE.slotMs,
    ...options,
  });
  return {
    ...service,
    close: async () => {
      await service.close();
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
