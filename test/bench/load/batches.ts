/** Payments to many people at once, and people who have a wallet. */
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import type { Service } from '../../../service/start.ts';
import { post } from '../../support/pay.ts';
import { proofFrom } from '../../support/payers.ts';
import { fundOn } from '../../support/served.ts';
import { testTransferIds } from '../../support/transfers/transfer-ids.ts';

export type BatchNetwork = 'base' | 'solana';

const NEW_ADDRESS = {
  base: () => `0x${randomBytes(20).toString('hex')}`,
  solana: () => Keypair.generate().publicKey.toBase58(),
};

/** A cent to each, until it is paid: the payment's id. */
export async function payBatch(service: Service, network: BatchNetwork, names: readonly string[]): Promise<void> {
  const header = await proofFrom(service, network, BigInt(names.length) * 10_000n);
  const receivers = names.map((receiver) => ({ receiver, amount: 0.01 }));
  const send = () => post(`${service.url}/payments/x/batch-pay`, { receivers }, { 'PAYMENT-SIGNATURE': header });
  let reply = await send();
  while (reply.body['error'] === 'settlement_pending') reply = await send();
  if (reply.status !== 200) throw new Error(`expected a payment, found ${reply.status} ${JSON.stringify(reply.body)}`);
}

/** Each gets a wallet; on Solana one that holds USDC already. */
export async function linkPeople(
  service: Service,
  network: BatchNetwork,
  people: readonly ReturnType<typeof parseRecipient>[],
): Promise<void> {
  const { store } = service;
  for (const recipient of people) {
    const person = { ...recipient, stableId: localUserId(recipient) };
    const newId = randomBytes(8).toString('hex');
    const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, newId, Date.now()));
    const address = NEW_ADDRESS[network]();
    if (network === 'solana') await fundOn(service, network, address);
    await linkWallet(store, { identityId, network, address, source: 'bench' }, testTransferIds, Date.now());
  }
}
