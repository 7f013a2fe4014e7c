import { buildAccountOpening } from '../../chain/solana/transactions/payout-transaction.ts';
import type { SolanaWorker } from '../dependencies.ts';

/**
 * Ensures our token accounts exist, because a transfer to a missing one fails: payers' clients send to the account of
 * `payTo`, wallets to that of the task address. Opening one twice does no harm, so after a lost reply it is only
 * checked again. Throws while one is missing: settlement must not run before.
 */
export async function ensureOwnAccounts(worker: SolanaWorker): Promise<void> {
  const { rpc, treasury, treasuryAccount, task, profile, log } = worker;
  const own = [{ owner: treasury, account: treasuryAccount }];
  if (task) own.push({ owner: task.key, account: task.account });
  const views = await rpc.tokenAccounts(own.map(({ account }) => account));
  const missing = own.filter((_one, index) => views[index]?.kind !== 'usdc');
  if (missing.length === 0) return;
  const { blockhash } = await rpc.latestBlockhash();
  for (const { owner, account } of missing) {
    // The treasury pays: the task address holds no SOL.
    await rpc.sendRaw(buildAccountOpening({ owner, payer: treasury, profile, blockhash }));
    log.info({ account }, 'a USDC account of ours is being opened');
  }
  const accounts = missing.map(({ account }) => account).join(', ');
  throw new Error(`our USDC account ${accounts} is not there yet; the treasury needs SOL to open it`);
}
