/** The whole service with play money, as a child process of a bench. Tells its address, and what it runs on. */
import { startLocalService } from '../../support/local-service.ts';
import { basePartsOf, rpcUrlOf } from '../../support/served.ts';
import { USDC } from '../../support/pay.ts';

const [blockTimeMs = '2000'] = process.argv.slice(2);
const service = await startLocalService({
  // No limit: the load comes from one address.
  env: { RATE_LIMIT_PER_MINUTE: '0', LOCAL_BLOCK_MS: blockTimeMs },
});
const { treasury } = basePartsOf(service);
const facts = { url: service.url, rpcUrl: rpcUrlOf(service, 'base'), treasury: treasury.address, usdc: USDC };
process.stdout.write(`${JSON.stringify(facts)}\n`);
process.once('SIGTERM', () => void service.close().then(() => process.exit()));
