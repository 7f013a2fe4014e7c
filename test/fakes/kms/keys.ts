/** Keys as the service has them: it signs with them and never gives them away. */
import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID, sign, type KeyObject } from 'node:crypto';
import secp256k1 from 'secp256k1';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { toBase58 } from '../../../chain/solana/messages/base58.ts';

export type KeySpec = 'ECC_SECG_P256K1' | 'ECC_NIST_EDWARDS25519' | 'ECC_NIST_P256';

export type FakeKey = {
  arn: string;
  /** As our chains write it; empty for kinds that they do not have. */
  address: string;
  spec: KeySpec;
  usage: 'SIGN_VERIFY' | 'KEY_AGREEMENT';
  isEnabled: boolean;
  isAllowed: boolean;
  /** DER (SubjectPublicKeyInfo). */
  publicKey: Buffer;
  sign: (message: Buffer) => Buffer;
};

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export function makeKey(spec: KeySpec, place: { region: string; account: string }, secret = randomBytes(32)): FakeKey {
  const arn = `arn:aws:kms:${place.region}:${place.account}:key/${randomUUID()}`;
  const common = { arn, spec, usage: 'SIGN_VERIFY' as const, isEnabled: true, isAllowed: true };
  switch (spec) {
    case 'ECC_SECG_P256K1': {
      const point = Buffer.from(secp256k1.publicKeyCreate(secret, false));
      const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
      const publicKey = toDer(createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x, y }, format: 'jwk' }));
      const address = addressOfKey(`0x${secret.toString('hex')}`);
      return { ...common, address, publicKey, sign: (digest) => signAnew(digest, secret) };
    }
    case 'ECC_NIST_EDWARDS25519': {
      const pair = generateKeyPairSync('ed25519');
      const { x = '' } = pair.publicKey.export({ format: 'jwk' });
      const address = toBase58(Buffer.from(x, 'base64url'));
      return {
        ...common,
        address,
        publicKey: toDer(pair.publicKey),
        sign: (message) => sign(null, message, pair.privateKey),
      };
    }
    case 'ECC_NIST_P256': {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const signIt = (message: Buffer) => sign('sha256', message, pair.privateKey);
      return { ...common, address: '', publicKey: toDer(pair.publicKey), sign: signIt };
    }
  }
}

const toDer = (key: KeyObject) => key.export({ format: 'der', type: 'spki' });

/** Like the service: another signature each time, and every second one with a high s. */
function signAnew(digest: Buffer, secret: Buffer): Buffer {
  const { signature } = secp256k1.ecdsaSign(digest, secret, { data: randomBytes(32) });
  const [r, low] = [signature.subarray(0, 32), signature.subarray(32)].map((half) =>
    BigInt(`0x${Buffer.from(half).toString('hex')}`),
  );
  const s = randomBytes(1).readUInt8() % 2 === 0 ? low : ORDER - (low ?? 0n);
  const body = Buffer.concat([toInteger(r ?? 0n), toInteger(s ?? 0n)]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

function toInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const positive = bytes.readUInt8() >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return Buffer.concat([Buffer.from([0x02, positive.length]), positive]);
}
