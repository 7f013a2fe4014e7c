import { checkEvmAddress } from '../chain/evm/payout-address.ts';
import { ChainUnavailable } from '../chain/errors.ts';
import { checkSolanaAddress } from '../chain/solana/payout-address.ts';
import type { AddressCheck } from '../core/payments/payout-address.ts';
import type { PublishedAddress } from '../identity/platforms/platform-identity.ts';
import type { EvmWorker, SolanaWorker } from './dependencies.ts';
import type { PublishedSources } from './published.ts';

type Place =
  | ({ family: 'evm' } & Pick<EvmWorker, 'rpc' | 'profile' | 'ownAddresses'>)
  | ({ family: 'svm' } & Pick<SolanaWorker, 'rpc' | 'profile' | 'ownAddresses'>);
type EvmPlace = Extract<Place, { family: 'evm' }>;

/** The rules for payout addresses, with more caution for an address that its owner did not give us. */
export function createPublishedChecks(places: Iterable<Place>): PublishedSources['check'] {
  return Object.fromEntries([...places].map((place) => [place.profile.network, checkOf(place)]));
}

function checkOf(place: Place): (published: PublishedAddress) => Promise<AddressCheck> {
  switch (place.family) {
    case 'evm':
      return (published) => checkOnEvm(place, published);
    case 'svm': {
      const { rpc, profile, ownAddresses } = place;
      return ({ address }) => checkSolanaAddress(rpc, profile, ownAddresses, address);
    }
  }
}

/**
 * On an EVM network a contract wallet at one address may belong to another owner on another chain. So a published
 * address with code is accepted only where its owner proved it on this very chain.
 */
async function checkOnEvm(
  { rpc, profile, ownAddresses }: EvmPlace,
  { address, isProvenHere }: PublishedAddress,
): Promise<AddressCheck> {
  const checked = await checkEvmAddress(rpc, profile, ownAddresses, address);
  if (checked.kind !== 'fine' || isProvenHere) return checked;
  try {
    const [code] = await rpc.code([toHex(checked.address)], 'latest');
    return code === '0x' ? checked : { kind: 'refused', reason: 'program' };
  } catch (error) {
    if (error instanceof ChainUnavailable) return { kind: 'unavailable' };
    throw error;
  }
}

/** Only for an address that was checked. */
function toHex(address: string): `0x${string}` {
  return `0x${address.slice(2)}`;
}
