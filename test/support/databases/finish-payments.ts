import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { eq } from 'drizzle-orm';
import type { Network } from '../../../core/networks.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { linesOf } from '../../../db/payments/records/find.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { Service } from '../../../service/start.ts';
import { payFrom } from '../payers.ts';
import { fundOn } from '../served.ts';
import { testTransferIds } from '../transfers/transfer-ids.ts';

const FINAL_WITHIN_MS = 30_000;
const ADDRESSES = {
  base: () => `0x${randomBytes(20).toString('hex')}`,
  solana: () => Keypair.generate().publicKey.toBase58(),
};

/** One payment on each network of a local service, to a recipient with a wallet, until all of it is final: their ids. */
export async function finishPayments(service: Service): Promise<string[]> {
  return Promise.all((['base', 'solana'] as const).map((network) => finishPayment(service, network)));
}

async function finishPayment(service: Service, network: Network & keyof typeof ADDRESSES): Promise<string> {
  const { store } = service;
  const receiver = `done_${network}`;
  const recipient = parseRecipient('x', receiver);
  const known = { ...recipient, stableId: localUserId(recipient) };
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, known, `id-${receiver}`, Date.now()));
  const address = ADDRESSES[network]();
  // On Solana it then has a token account.
  await fundOn(service, network, address);
  const wallet = { identityId, network, address, source: 'test' };
  await linkWallet(store, wallet, testTransferIds, Date.now());
  // A network is in the terms once its worker has looked at it.
  await eventually(() => payFrom(service, network, 'x', { receiver, amount: 0.5 }), FINAL_WITHIN_MS);
  const paid = async () => {
    const { lines } = store.tables;
    const [line] = await store.read.select().from(lines).where(eq(lines.identityId, identityId));
    const payouts = line === undefined ? [] : await linesOf(store, line.paymentId);
    if (line === undefined || payouts.some(({ payout }) => payout?.status !== 'final' || payout.exposed))
      throw new Error('not paid yet');
    return line.paymentId;
  };
  return eventually(paid, FINAL_WITHIN_MS);
}
