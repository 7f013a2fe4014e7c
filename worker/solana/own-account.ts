import { buildAccountOpening } from '../../chain/solana/transactions/payout-transaction.ts';
import type { SolanaWorker } from '../dependencies.ts';

/** The rent of a token account and the fee of its opening. */
const OPENING_LEAST = 2_039_280n + 10_000n;

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
  const accounts = missing.map(({ account }) => account).join(', ');
  // Without the money for it nothing can be opened, and only the operator can change that.
  if ((await rpc.lamports(treasury.address)) < OPENING_LEAST * BigInt(missing.length))
    throw new Error(`the treasury ${treasury.address} has too little SOL to open our USDC account ${accounts}`);
  const { blockhash } = await rpc.latestBlockhash();
  for (const { owner, account } of missing) {
    // The treasury pays: the task address holds no SOL.
    await rpc.sendRaw(await buildAccountOpening({ owner, payer: treasury, profile, blockhash }));
    log.info({ account }, 'a USDC account of ours is being opened');
  }
  throw new Error(`our USDC account ${accounts} is being opened by the treasury ${treasury.address}`);
}
