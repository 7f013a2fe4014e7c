import { buildAccountOpening } from '../../chain/solana/payout-transaction.ts';
import type { SolanaWorker } from '../dependencies.ts';

/**
 * Payers' clients send to the token account that belongs to `payTo`, and a transfer to one that does not exist fails.
 * Opening it again is no harm, so a lost reply only means another look. Throws while it is not there: nothing of the
 * settlement may run before.
 */
export async function ensureTreasuryAccount(worker: SolanaWorker): Promise<void> {
  const { rpc, treasury, treasuryAccount, profile, log } = worker;
  const [account] = await rpc.tokenAccounts([treasuryAccount]);
  if (account?.kind === 'usdc') return;
  const { blockhash } = await rpc.latestBlockhash();
  await rpc.sendRaw(buildAccountOpening({ owner: treasury, profile, blockhash }));
  log.info({ account: treasuryAccount }, 'the USDC account of the treasury is being opened');
  throw new Error(`the treasury's USDC account ${treasuryAccount} is not there yet; it needs SOL to be opened`);
}
