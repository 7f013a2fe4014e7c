/** Bytes as the text that Solana shows them in, and back. */
import { type Address, getAddressCodec, getBase58Codec } from '@solana/kit';

const base58 = getBase58Codec();
const addresses = getAddressCodec();

export function toBase58(bytes: Uint8Array): string {
  return base58.decode(bytes);
}

/** Throws on a character that base58 does not have. */
export function fromBase58(text: string): Uint8Array {
  return new Uint8Array(base58.encode(text));
}

/** 32 bytes, no more and no fewer. */
export function toAddress(bytes: Uint8Array): Address {
  if (bytes.length !== 32) throw new Error(`an address has 32 bytes, found ${bytes.length}`);
  return addresses.decode(bytes);
}

export function fromAddress(address: Address): Uint8Array {
  return new Uint8Array(addresses.encode(address));
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
