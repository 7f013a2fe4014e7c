import { NO_KEEP_PLATFORMS, walletIdOf, type Addresses, type PayoutTarget } from '../../core/claims/claims.ts';
import { AppError } from '../../core/errors.ts';
import { NETWORKS, networkTitle, type Network } from '../../core/networks.ts';
import { ADDRESS_REFUSALS } from '../../core/payments/payout-address.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import type { ClaimRow } from '../../db/claims/find.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { recipientOf } from './recipient.ts';

export type Destination = { network: Network; address: string };

/**
 * Asks the chains whether the wanted addresses may be paid, and answers the wish with each address as it is stored.
 * Throws AppError. Runs when a claim is opened and again before it is confirmed, because barred lists and contracts
 * change.
 */
export async function checkPayout(
  {
    checkAddress,
    personalWallets,
    purseMaxMicroUsdc,
  }: Pick<ClaimsDependencies, 'checkAddress' | 'personalWallets' | 'purseMaxMicroUsdc'>,
  platform: Platform,
  payout: PayoutTarget,
): Promise<PayoutTarget> {
  if ('decline' in payout) return payout;
  if ('keep' in payout || 'open' in payout) {
    const isClosed = 'keep' in payout && purseMaxMicroUsdc === 0n;
    if (personalWallets !== null && !isClosed && !NO_KEEP_PLATFORMS.includes(platform)) return payout;
    const detail = isClosed
      ? 'No more money is kept here at the moment: give an address of yours.'
      : 'Nothing is kept here for this name: give an address of yours.';
    throw new AppError('validation_failed', {
      field: 'open' in payout ? 'payout.open' : 'payout.keep',
      detail,
      reason: 'not_kept',
    });
  }
  const checked = await Promise.all(
    addressesIn(payout).map(async ({ network, address }) => [network, await checkOne(checkAddress, network, address)]),
  );
  return Object.fromEntries(checked) as Addresses;
}

export function addressesIn(payout: Addresses): Destination[] {
  return NETWORKS.flatMap((network) => {
    const address = payout[network];
    return address === undefined ? [] : [{ network, address }];
  });
}

async function checkOne(
  checkAddress: ClaimsDependencies['checkAddress'],
  network: Network,
  text: string,
): Promise<string> {
  const field = `payout.${network}`;
  const check = checkAddress[network];
  if (check === undefined) {
    const detail = `Nothing is paid out on ${networkTitle(network, null)} here.`;
    throw new AppError('validation_failed', { field, detail });
  }
  const result = await check(text);
  switch (result.kind) {
    case 'fine':
      return result.address;
    case 'refused':
      throw new AppError('invalid_payout_address', {
        field,
        detail: ADDRESS_REFUSALS[result.reason],
        reason: result.reason,
      });
    case 'unavailable':
      throw new AppError('upstream_unavailable', { field });
  }
}

/** Every address that a confirmed claim records: the given ones, or the person's own wallet on each network. */
export function destinationsOf(
  { personalWallets }: Pick<ClaimsDependencies, 'personalWallets'>,
  payout: PayoutTarget,
  person: { platform: Platform; stableId: string },
): Destination[] {
  if ('decline' in payout || 'open' in payout) return [];
  if (!('keep' in payout)) return addressesIn(payout);
  const walletId = walletIdOf(person.platform, person.stableId);
  return NETWORKS.flatMap((network) => {
    const address = personalWallets?.[network]?.(walletId);
    return address === undefined ? [] : [{ network, address }];
  });
}

/** After the proof of the name, and before it is confirmed. A claim that only looks moves nothing, and is not asked about. */
export async function refuseScreened(
  { screen }: Pick<ClaimsDependencies, 'screen'>,
  claim: ClaimRow,
  accounts: readonly Destination[],
): Promise<void> {
  if (screen === null || screen === undefined || 'open' in claim.payout) return;
  const { platform, key } = recipientOf(claim);
  // The handle may be another one by now.
  const names = [...new Set([key, claim.provenKey ?? key])];
  const outcome = await screen({
    stage: 'claim',
    subject: claim.id,
    accounts: accounts.map(({ network, address }) => ({ network, address })),
    names: names.map((name) => formatRecipient({ platform, key: name })),
    amountMicroUsdc: null,
  });
  switch (outcome) {
    case 'go':
      return;
    case 'refuse':
      throw new AppError('declined');
    case 'wait':
      throw new AppError('upstream_unavailable');
  }
}
