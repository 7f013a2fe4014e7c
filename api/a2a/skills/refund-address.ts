import { AppError } from '../../../core/errors.ts';
import { ADDRESS_REFUSALS } from '../../../core/payments/payout-address.ts';
import { addressFamily, isOf, networkTitle, type Network } from '../../../core/networks.ts';
import type { RefundAddress } from '../../../db/tables/tasks.ts';
import type { ApiDependencies } from '../../environment/dependencies.ts';

/**
 * Where uncollected money goes back to: a plain transfer may come from an exchange's common wallet. An address may name
 * its network as CAIP-10 does (`eip155:8453:0x…`), and must where its form fits several that are offered. The chain is
 * asked whether the address may be paid, as for every address from a caller.
 */
export async function checkRefundAddresses(
  dependencies: Pick<ApiDependencies, 'collecting' | 'networks'>,
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
  dependencies: Pick<ApiDependencies, 'collecting' | 'networks'>,
  text: string,
): Promise<RefundAddress> {
  const field = 'refund_address';
  const address = bareAddress(text);
  const [network, ...others] = networksOf(dependencies, text);
  const check = network && dependencies.collecting.checkAddress?.[network];
  if (network === undefined || check === undefined) {
    throw new AppError('invalid_payout_address', { field, detail: ADDRESS_REFUSALS.not_an_address });
  }
  if (others.length > 0) {
    const titles = [network, ...others].map((one) => networkTitle(one, null)).join(' and ');
    const detail = `This is an address on ${titles}: write its network before it, as in eip155:8453:0x…`;
    throw new AppError('invalid_payout_address', { field, detail });
  }
  const result = await check(address);
  switch (result.kind) {
    case 'fine':
      return { network, address: result.address };
    case 'refused':
      throw new AppError('invalid_payout_address', { field, detail: ADDRESS_REFUSALS[result.reason] });
    case 'unavailable':
      throw new AppError('upstream_unavailable', { field, retryAfterSeconds: 5 });
  }
}

/** The networks that are offered here and meant: the one that is named, or all that the form of the address fits. */
function networksOf({ networks }: Pick<ApiDependencies, 'networks'>, text: string): Network[] {
  const name = text.trim().slice(0, -bareAddress(text).length - 1);
  const family = addressFamily(bareAddress(text));
  return networks.flatMap(({ terms: { network, caip2, v1Name, aliases } }) => {
    const isMeant = name === '' || [caip2, v1Name, ...aliases].includes(name);
    return isMeant && family !== null && isOf(family, network) ? [network] : [];
  });
}

/** Without the name of its network. */
export function bareAddress(text: string): string {
  return text.trim().replace(/^.*:/, '');
}
