import { readSolanaSeed } from '../../chain/solana/messages/key.ts';
import { treasurySecret } from '../../chain/treasury-secret.ts';
import { firstTreasuryKey, isKmsKey } from '../../core/config/keys.ts';

type TreasuryKeys = { treasuryKey: string; formerTreasuryKeys?: readonly string[] | undefined };

/**
 * 32 bytes that only this installation knows, from which ids and secrets are derived: the first treasury key that the
 * network had, or INSTALLATION_SECRET where nobody can read that. They never change, whatever replaces the treasury:
 * other ids would let restored books, or a second treasury, pay twice.
 */
export function derivingKeyOf(keys: TreasuryKeys, installationSecret: string | undefined): Uint8Array {
  const first = firstTreasuryKey(keys);
  if (!isKmsKey(first)) return first.startsWith('0x') ? fromHex(first) : readSolanaSeed(first);
  if (installationSecret === undefined) throw new Error('INSTALLATION_SECRET is needed for a treasury in KMS.');
  return fromHex(installationSecret);
}

/** Tells one deriving key from another, and nothing about either: it stands in the database. */
export function idsMarkOf(derivingKey: Uint8Array): string {
  return Buffer.from(treasurySecret(derivingKey, 'ids-mark/v1')).toString('hex').slice(0, 32);
}

const fromHex = (text: string) => Buffer.from(text.replace(/^0x/, ''), 'hex');
