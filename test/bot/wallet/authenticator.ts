import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/**
 * A person's authenticator in software: it makes a key and signs with it as the standard says (WebAuthn, level 2), with the
 * person there. `changes` make it lie.
 */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const rawId = randomBytes(16);
  const id = rawId.toString('base64url');
  let count = 0;

  const dataOf = (flags: number, counter: number, more: Buffer, site = origin) => {
    const rpIdHash = createHash('sha256').update(new URL(site).hostname).digest();
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([rpIdHash, Buffer.from([flags]), counted, more]);
  };
  const clientOf = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const answer = (response: Record<string, unknown>) =>
    JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });

  return {
    id,
    create({ challenge }: { challenge: string }, { from = origin } = {}): string {
      // COSE: an EC2 key (1: 2) for ES256 (3: -7) on P-256 (-1: 1).
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const data = dataOf(0x45, 0, Buffer.concat([Buffer.alloc(16), length, rawId, key]));
      const size = Buffer.alloc(2);
      size.writeUInt16BE(data.length);
      // CBOR: {fmt: 'none', attStmt: {}, authData: …}.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x59]),
        size,
        data,
      ]);
      return answer({
        clientDataJSON: clientOf('webauthn.create', challenge, from).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    get(
      { challenge }: { challenge: string },
      { from = origin, site = origin, counter = ++count, flags = 0x05 } = {},
    ): string {
      const data = dataOf(flags, counter, Buffer.alloc(0), site);
      const client = clientOf('webauthn.get', challenge, from);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      });
    },
  };
}
