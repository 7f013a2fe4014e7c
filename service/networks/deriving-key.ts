import { readSolanaSeed } from '../../chain/solana/messages/key.ts';
import { isKmsKey } from '../../core/config/keys.ts';

/**
 * 32 bytes that only this installation knows, from which ids and secrets are derived: the treasury's key, or
 * INSTALLATION_SECRET where nobody can read that. It never changes: other ids would let restored books pay twice.
 */
export function derivingKeyOf(treasuryKey: string, installationSecret: string | undefined): Uint8Array {
  if (!isKmsKey(treasuryKey)) return treasuryKey.startsWith('0x') ? fromHex(treasuryKey) : readSolanaSeed(treasuryKey);
  if (installationSecret === undefined) throw new Error('INSTALLATION_SECRET is needed for a treasury in KMS.');
  return fromHex(installationSecret);
}

const fromHex = (text: string) => Buffer.from(text.replace(/^0x/, ''), 'hex');
