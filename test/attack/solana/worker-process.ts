/** The settlement on Solana alone, in a process of its own that may be killed at any moment. Settings come by environment. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { z } from 'zod';
import { CARRIERS } from '../../../core/transfers/carriers.ts';
import { readSolanaSeed } from '../../../chain/solana/messages/key.ts';
import { createTransferIds } from '../../../chain/transfer-ids.ts';
import { createIds } from '../../../core/ids.ts';
import { openStore } from '../../../db/store/open.ts';
import { createSolanaParts } from '../../../service/networks/solana.ts';
import { createFailpoint } from '../../../service/failpoint.ts';
import { startSolanaSettlement } from '../../../worker/solana/start.ts';
import { createLoneHolder } from '../../worker/lone-holder.ts';
import { reSigning } from './re-signing.ts';

const settings = z
  .object({
    RPC_URL: z.string(),
    DATABASE: z.string(),
    TREASURY_KEY: z.string(),
    FEE_PAYER_KEY: z.string(),
    FAILPOINT: z.string().default(''),
    CONTROL: z.enum(['', 're-sign']).default(''),
    LOG_LEVEL: z.string().default('silent'),
  })
  .parse(process.env);

const parts = createSolanaParts('local', settings.RPC_URL, {
  treasuryKey: settings.TREASURY_KEY,
  feePayerKey: settings.FEE_PAYER_KEY,
});
const store = await openStore({ kind: 'sqlite', path: settings.DATABASE });
const log = pino({ level: settings.LOG_LEVEL });
const rpc = settings.CONTROL === 're-sign' ? reSigning(parts.rpc) : parts.rpc;

await startSolanaSettlement({
  ...parts,
  rpc,
  store,
  ids: createIds(randomBytes),
  transferIdOf: createTransferIds(new Map([['solana', readSolanaSeed(settings.TREASURY_KEY)]])),
  now: () => Date.now(),
  log,
  failpoint: createFailpoint(settings.FAILPOINT, true),
  announce: () => undefined,
  holder: createLoneHolder(),
  settings: {
    baseUrl: 'http://127.0.0.1',
    retentionDays: 180,
    mailsDailyMax: null,
    exposureCapMicroUsdc: 2_000_000_000n,
    refundMinMicroUsdc: 50_000n,
    carriers: CARRIERS,
  },
  accounts: { policy: 'always', minMicroUsdc: 1_000_000n, ageMinMs: 0, dailyMax: 1_000 },
  pace: { followEveryMs: 30, scanEveryMs: 100, microLamportsPerUnit: 10_000, companyMax: 5 },
});
process.send?.('started');
