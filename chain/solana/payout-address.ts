import type { AddressCheck, AddressRefusal } from '../../core/payments/payout-address.ts';
import { ChainUnavailable } from '../errors.ts';
import { findKnown, isAddress, isOnCurve, tokenAccountOf } from './messages/addresses.ts';
import type { SolanaProfile } from './messages/profile.ts';
import type { SolanaRpc } from './rpc/rpc.ts';
import type { AddressKind, RecipientView } from './rpc/wallet-reads.ts';

/**
 * Whether money may go to an address that a recipient gave us: it must be a wallet with its own key, used before or
 * not. `ownAddresses`: treasury, task address, fee payer and all others of ours.
 */
export async function checkSolanaAddress(
  rpc: Pick<SolanaRpc, 'recipient'>,
  profile: SolanaProfile,
  ownAddresses: readonly string[],
  text: string,
): Promise<AddressCheck> {
  const address = text.trim();
  if (!isAddress(address)) return { kind: 'refused', reason: 'not_an_address' };
  if (ownAddresses.includes(address)) return { kind: 'refused', reason: 'ours' };
  const known = findKnown(address);
  if (known !== null) return { kind: 'refused', reason: known };
  try {
    const found = await rpc.recipient(address, tokenAccountOf(address, profile));
    const reason = findRefusal(address, found);
    return reason === null ? { kind: 'fine', address } : { kind: 'refused', reason };
  } catch (error) {
    if (error instanceof ChainUnavailable) return { kind: 'unavailable' };
    throw error;
  }
}

const REASONS = {
  none: null,
  wallet: null,
  nonce: 'special_account',
  stake: 'special_account',
  mint: 'token',
  'token-account': 'token_account',
  program: 'program',
  other: 'program',
} as const satisfies Record<AddressKind, AddressRefusal | null>;

function findRefusal(address: string, { kind, usdc }: RecipientView): AddressRefusal | null {
  const reason = REASONS[kind];
  if (reason !== null) return reason;
  // Checked after the kind of account, which gives the more helpful reason: token accounts are off the curve too.
  if (!isOnCurve(address)) return 'program';
  if (usdc.kind === 'none') return null;
  // The owner of a token account can hand it over, and it keeps the address derived from the first owner.
  if (usdc.kind === 'other' || usdc.owner !== address) return 'foreign_account';
  return usdc.frozen ? 'blacklisted' : null;
}
