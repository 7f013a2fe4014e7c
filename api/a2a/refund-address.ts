import { AppError } from '../../core/errors.ts';
import { ADDRESS_REFUSALS } from '../../core/payout-address.ts';
import type { Network } from '../../core/networks.ts';
import type { RefundAddress } from '../../db/tables/tasks.ts';
import type { ApiDependencies } from '../dependencies.ts';

/**
 * Where money goes back to that nobody collects: who paid by a plain transfer may be an exchange's common wallet. Its form
 * says its network; whether money may go there is asked of the chain, as for every address that somebody gives us.
 */
export async function checkRefundAddresses(
  dependencies: Pick<ApiDependencies, 'collecting'>,
  texts: readonly string[],
): Promise<RefundAddress[]> {
  const checked = await Promise.all(texts.map((text) => checkRefundAddress(dependencies, text)));
  if (new Set(checked.map(({ network }) => network)).size === checked.length) return checked;
  throw new AppError('invalid_payout_address', {
    field: 'refund_address',
    detail: 'Give one address for each network.',
  });
}

async function checkRefundAddress(
  { collecting }: Pick<ApiDependencies, 'collecting'>,
  text: string,
): Promise<RefundAddress> {
  const field = 'refund_address';
  const network: Network = /^0x/i.test(text.trim()) ? 'base' : 'solana';
  const check = collecting.checkAddress?.[network];
  if (check === undefined) {
    throw new AppError('invalid_payout_address', { field, detail: ADDRESS_REFUSALS.not_an_address });
  }
  const result = await check(text);
  switch (result.kind) {
    case 'fine':
      return { network, address: result.address };
    case 'refused':
      throw new AppError('invalid_payout_address', { field, detail: ADDRESS_REFUSALS[result.reason] });
    case 'unavailable':
      throw new AppError('upstream_unavailable', { field, retryAfterSeconds: 5 });
  }
}
