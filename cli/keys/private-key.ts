import { addressOfKey } from '../../chain/evm/key.ts';
import { toBase58 } from '../../chain/solana/messages/base58.ts';
import { readSolanaKey } from '../../chain/solana/messages/key.ts';
import { familyOf, networkTitle, type Family, type Network } from '../../core/networks.ts';
import { Stop } from '../terminal/stop.ts';

type Form = { wanted: string; read: (text: string) => { privateKey: string; address: string } };

const FORMS = {
  evm: {
    wanted: '0x and 64 hexadecimal digits',
    read: (privateKey) => ({ privateKey, address: evmAddressOf(privateKey) }),
  },
  svm: {
    wanted: 'the base58 text of 64 bytes, or the list of 64 numbers that its tools write',
    read: (text) => {
      const privateKey = fromNumbers(text);
      return { privateKey, address: readSolanaKey(privateKey).address };
    },
  },
} as const satisfies Record<Family, Form>;

/**
 * The key in its stored form, and its address. Throws Stop for what is no key. The text is never shown, because it may
 * be a secret with one wrong letter.
 */
export function readPrivateKey(network: Network, text: string): { privateKey: string; address: string } {
  const { wanted, read } = FORMS[familyOf(network)];
  try {
    return read(text.trim());
  } catch {
    const next = `Wanted on ${networkTitle(network, null)}: ${wanted}.`;
    throw new Stop('usage', 'bad_key', 'That is not a private key.', next);
  }
}

function evmAddressOf(privateKey: string): string {
  if (!isHex(privateKey)) throw new Error('a private key must be 0x and 64 hex digits');
  return addressOfKey(privateKey);
}

function isHex(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]+$/.test(text);
}

function fromNumbers(text: string): string {
  if (!/^\[[\d\s,]*\]$/.test(text)) return text;
  return toBase58(Uint8Array.from(text.slice(1, -1).split(',').map(Number)));
}
