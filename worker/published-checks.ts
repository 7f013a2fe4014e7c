import { checkBaseAddress } from '../chain/evm/payout-address.ts';
import { ChainUnavailable } from '../chain/errors.ts';
import { checkSolanaAddress } from '../chain/solana/payout-address.ts';
import type { AddressCheck } from '../core/payout-address.ts';
import type { PublishedAddress } from '../identity/platforms/platform-identity.ts';
import type { BaseWorker, SolanaWorker } from './dependencies.ts';
import type { PublishedSources } from './published.ts';

type BasePlace = Pick<BaseWorker, 'rpc' | 'profile' | 'ownAddresses'>;
type SolanaPlace = Pick<SolanaWorker, 'rpc' | 'profile' | 'ownAddresses'>;

/** The rules for payout addresses, and what an address needs besides that nobody has named to us. */
export function createPublishedChecks(places: {
  base: BasePlace | null;
  solana: SolanaPlace | null;
}): PublishedSources['check'] {
  const { base, solana } = places;
  return {
    ...(base && { base: (published: PublishedAddress) => checkOnBase(base, published) }),
    ...(solana && {
      solana: ({ address }: PublishedAddress) =>
        checkSolanaAddress(solana.rpc, solana.profile, solana.ownAddresses, address),
    }),
  };
}

/**
 * A wallet with code that its owner has on another chain need not be his on Base, where anybody may have put something
 * at the same address. So code is in order only where he proved it on Base itself.
 */
async function checkOnBase(
  { rpc, profile, ownAddresses }: BasePlace,
  { address, isProvenHere }: PublishedAddress,
): Promise<AddressCheck> {
  const checked = await checkBaseAddress(rpc, profile, ownAddresses, address);
  if (checked.kind !== 'fine' || isProvenHere) return checked;
  try {
    const [code] = await rpc.code([toHex(checked.address)], 'latest');
    return code === '0x' ? checked : { kind: 'refused', reason: 'program' };
  } catch (error) {
    if (error instanceof ChainUnavailable) return { kind: 'unavailable' };
    throw error;
  }
}

/** What was checked has the form of an address. */
function toHex(address: string): `0x${string}` {
  return `0x${address.slice(2)}`;
}
