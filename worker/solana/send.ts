import type { Passage } from '../../core/failpoints.ts';
import type { CarrierKind } from '../../core/transfers/carriers.ts';
import type { NewTransaction } from '../../db/carriers/open-transaction.ts';
import type { SolanaWorker } from '../dependencies.ts';

type Sending<Opened, Other> = Pick<Passage, 'sinceMs' | 'payments' | 'transfers'> & {
  open: (transaction: NewTransaction) => Promise<Opened | Other>;
  opened: Opened;
};

/**
 * Sends a signed transaction for the first time. The order never changes: `open` stores the bytes with what they carry,
 * then they are sent. Where it does not answer `opened`, nothing was stored and the bytes are dropped.
 */
export async function storeAndSend<const Opened, Other>(
  { settings, failpoint, rpc }: SolanaWorker,
  kind: CarrierKind,
  transaction: NewTransaction,
  { open, opened, ...items }: Sending<Opened, Other>,
): Promise<Opened | Other> {
  const point = settings.carriers[kind].failpoint;
  const passage = { network: transaction.network, carrier: transaction.id, ...items };
  failpoint(`${point}.before-store`, passage);
  const result = await open(transaction);
  if (result !== opened) return result;
  failpoint(`${point}.after-store`, passage);
  await rpc.sendRaw(transaction.signed.bytes);
  failpoint(`${point}.after-send`, passage);
  return result;
}
