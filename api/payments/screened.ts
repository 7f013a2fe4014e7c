import { AppError } from '../../core/errors.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { payerOf, type Checked, type PaidRequest } from './request.ts';
import { refusalWhilePaused } from './serving.ts';

/**
 * Before anything is reserved, and after the payer's signature: nobody else makes us ask. A caller learns neither who was
 * asked nor about whom, and while nobody answers payments are paused.
 */
export async function refuseScreened(
  { screen }: Pick<ApiDependencies, 'screen'>,
  { lines }: Pick<PaidRequest, 'lines'>,
  { proof, hash, price }: Checked,
): Promise<void> {
  if (screen === null || screen === undefined) return;
  const { network } = proof.network.terms;
  const payer = payerOf(proof);
  const outcome = await screen({
    stage: 'payment',
    // The same proof may be presented for another request, which is another decision.
    subject: `${network} ${payer} ${proof.authorization.nonce} ${hash}`,
    accounts: [{ network, address: payer }],
    names: lines.map(({ recipient }) => formatRecipient(recipient)),
    amountMicroUsdc: price.sum,
  });
  switch (outcome) {
    case 'go':
      return;
    case 'refuse':
      throw new AppError('declined');
    case 'wait':
      throw await refusalWhilePaused(proof);
  }
}
