/** Our keys in AWS KMS. Each signature is checked against the address that the configuration names. */
import { createHash, createPublicKey } from 'node:crypto';
import { keccak256 } from 'viem';
import { z } from 'zod';
import { recoverAddress, type DigestSignature } from '../../evm/key.ts';
import { toBase58 } from '../../solana/messages/base58.ts';
import { isSignedBy } from '../../solana/messages/key.ts';
import type { EvmKey, SolanaOwnKey } from '../keys.ts';
import { SignerAway } from './away.ts';
import type { Kms, KmsKind, KmsReference } from './client.ts';
import { readDerSignature } from './der.ts';
import { createKeyStanding, type Tell } from './standing.ts';

type Hex = `0x${string}`;

/** What a key is tried with; nothing is signed then. 32 bytes, as of any digest. */
const TRY = createHash('sha256').update('pennypost/try').digest();

export function kmsEvmKey(kms: Kms, { keyId, address: text }: KmsReference, tell?: Tell): EvmKey {
  const address = text.toLowerCase() as Hex;
  const reference = { keyId, address };
  const { ask, isAway } = standingOf(kms, reference, 'ECC_SECG_P256K1', tell);
  return {
    address,
    isAway,
    signDigest: (digest) =>
      ask(async () => {
        const der = await kms.sign(reference, 'ECC_SECG_P256K1', Buffer.from(digest.slice(2), 'hex'));
        return toSignature(der, digest, address);
      }),
  };
}

export function kmsSolanaKey(kms: Kms, reference: KmsReference, tell?: Tell): SolanaOwnKey {
  const { address } = reference;
  const { ask, isAway } = standingOf(kms, reference, 'ECC_NIST_EDWARDS25519', tell);
  return {
    address,
    isAway,
    signMessage: (message) =>
      ask(async () => {
        const signature = await kms.sign(reference, 'ECC_NIST_EDWARDS25519', message);
        if (signature.length !== 64) throw new SignerAway(address, 'malformed');
        if (!isSignedBy(address, message, signature)) throw new SignerAway(address, 'another-key');
        return signature;
      }),
  };
}

function standingOf(kms: Kms, reference: KmsReference, kind: KmsKind, tell?: Tell) {
  const tryOut = () => kms.sign(reference, kind, TRY, { isTry: true });
  return createKeyStanding({ address: reference.address, tryOut, ...(tell && { tell }) });
}

/** The service does not say which of the two points it meant, so the address decides. */
function toSignature(der: Uint8Array, digest: Hex, address: Hex): DigestSignature {
  const compact = readDerSignature(der);
  if (compact === null) throw new SignerAway(address, 'malformed');
  for (const yParity of [0, 1] as const) {
    if (recoverAddress(digest, compact, yParity) !== address) continue;
    return { r: toHex(compact.subarray(0, 32)), s: toHex(compact.subarray(32)), yParity };
  }
  throw new SignerAway(address, 'another-key');
}

const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

const USABLE: Readonly<Record<string, (der: Uint8Array) => string>> = {
  ECC_SECG_P256K1: (der) => {
    const { x, y } = jwkOf(der);
    const point = Buffer.concat([x, y ?? ''].map((half) => Buffer.from(half, 'base64url')));
    return `0x${keccak256(point).slice(-40)}`;
  },
  ECC_NIST_EDWARDS25519: (der) => toBase58(Buffer.from(jwkOf(der).x, 'base64url')),
};

const jwkSchema = z.object({ x: z.string(), y: z.string().optional() });
const jwkOf = (der: Uint8Array) =>
  jwkSchema.parse(createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }).export({ format: 'jwk' }));

/** Whether it has this key, and would sign with it; nothing is signed. Answers the address that its key has. */
export async function tryKmsKey(kms: Kms, { keyId }: Pick<KmsReference, 'keyId'>): Promise<string> {
  const { kind, address } = await addressInKms(kms, keyId);
  await kms.sign({ keyId, address }, kind, TRY, { isTry: true });
  return address;
}

/** The address of a key of the service. Throws for one that cannot sign for us, and says why. */
export async function addressInKms(
  kms: Pick<Kms, 'publicKey'>,
  keyId: string,
): Promise<{ kind: KmsKind; address: string }> {
  const { kind, usage, der } = await kms.publicKey(keyId);
  const toAddress = USABLE[kind];
  if (toAddress === undefined || usage !== 'SIGN_VERIFY') {
    const wanted = Object.keys(USABLE).join(' or ');
    throw new Error(`the key must be ${wanted} for SIGN_VERIFY; it is ${kind} for ${usage}`);
  }
  return { kind: kind as KmsKind, address: toAddress(der) };
}
