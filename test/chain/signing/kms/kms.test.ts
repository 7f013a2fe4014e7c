/** The unmodified client of AWS against a strict server: what is signed, what is refused, and how it comes back. */
import { randomBytes } from 'node:crypto';
import { keccak256 } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { normaliseSignature, recoverSigner } from '../../../../chain/evm/authorization.ts';
import { toRecoverable } from '../../../../chain/evm/key.ts';
import { SignerAway } from '../../../../chain/signing/kms/away.ts';
import { openKms, type Kms } from '../../../../chain/signing/kms/client.ts';
import { addressInKms, kmsEvmKey, kmsSolanaKey, tryKmsKey } from '../../../../chain/signing/kms/keys.ts';
import { isSignedBy } from '../../../../chain/solana/messages/key.ts';
import type { FakeKey } from '../../../fakes/kms/keys.ts';
import { startFakeKms, type FakeKms } from '../../../fakes/kms/server.ts';

let server: FakeKms;
let kms: Kms;
beforeAll(async () => {
  server = await startFakeKms();
  kms = openKms(server);
});
afterAll(() => server.close());
afterEach(() => {
  Object.assign(server.faults, { refuseNext: [], refuseAll: null, delayMs: 0, signWith: null });
});

const referTo = ({ arn: keyId, address }: FakeKey) => ({ keyId, address });
const someDigest = () => keccak256(randomBytes(40));
const faultOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'signed',
    (error: unknown) => (error instanceof SignerAway ? `${error.fault} ${error.code}` : String(error)),
  );

describe('a key on secp256k1', () => {
  test('signs twenty digests as USDC takes them: low s, and the v of its address', async () => {
    const own = server.createKey('ECC_SECG_P256K1');
    const key = kmsEvmKey(kms, referTo(own));
    for (let count = 0; count < 20; count += 1) {
      const digest = someDigest();
      const signature = toRecoverable(await key.signDigest(digest));
      expect(normaliseSignature(signature)).toBe(signature);
      expect(recoverSigner(digest, signature)).toBe(own.address);
    }
  });

  test('under an alias that names another key by now signs nothing', async () => {
    const [own, other] = [server.createKey('ECC_SECG_P256K1'), server.createKey('ECC_SECG_P256K1')];
    const keyId = server.addAlias('treasury', other);
    const key = kmsEvmKey(kms, { keyId, address: own.address });
    expect(await faultOf(key.signDigest(someDigest()))).toBe('another-key null');
  });

  test.each(['ECC_NIST_EDWARDS25519', 'ECC_NIST_P256'] as const)('%s is none', async (spec) => {
    const own = server.createKey(spec);
    const key = kmsEvmKey(kms, { keyId: own.arn, address: `0x${'1'.repeat(40)}` });
    expect(await faultOf(key.signDigest(someDigest()))).toMatch(/refused Invalid|another-key|refused Validation/);
  });
});

describe('a key on Ed25519', () => {
  test('signs messages of any length up to a packet', async () => {
    const own = server.createKey('ECC_NIST_EDWARDS25519');
    const key = kmsSolanaKey(kms, referTo(own));
    for (const length of [1, 200, 1_232]) {
      const message = randomBytes(length);
      const signature = await key.signMessage(message);
      expect(isSignedBy(own.address, message, signature)).toBe(true);
      // RFC 8032: a crash between signing and storing costs nothing, the next signature is the same.
      expect(await key.signMessage(message)).toEqual(signature);
    }
  });

  test('whose signature is of another key is not believed', async () => {
    const key = kmsSolanaKey(kms, referTo(server.createKey('ECC_NIST_EDWARDS25519')));
    server.faults.signWith = server.createKey('ECC_NIST_EDWARDS25519');
    expect(await faultOf(key.signMessage(randomBytes(9)))).toBe('another-key null');
  });

  test('signs no message that the service is too small for', async () => {
    const key = kmsSolanaKey(kms, referTo(server.createKey('ECC_NIST_EDWARDS25519')));
    expect(await faultOf(key.signMessage(randomBytes(4_097)))).toBe('refused ValidationException');
  });
});

describe('the service says no:', () => {
  const evmKeyOf = (own: FakeKey) => kmsEvmKey(kms, referTo(own));

  test('to a key that does not exist, is disabled, not allowed or for something else', async () => {
    const gone = kmsEvmKey(kms, {
      ...referTo(server.createKey('ECC_SECG_P256K1')),
      keyId: 'arn:aws:kms:eu-central-1:1:key/x',
    });
    expect(await faultOf(gone.signDigest(someDigest()))).toBe('refused NotFoundException');
    const changes: [Partial<FakeKey>, string][] = [
      [{ isEnabled: false }, 'refused DisabledException'],
      [{ isAllowed: false }, 'refused AccessDeniedException'],
      [{ usage: 'KEY_AGREEMENT' }, 'refused InvalidKeyUsageException'],
    ];
    for (const [change, wanted] of changes) {
      const own = Object.assign(server.createKey('ECC_SECG_P256K1'), change);
      expect(await faultOf(evmKeyOf(own).signDigest(someDigest()))).toBe(wanted);
    }
  });

  test('to wrong credentials and another region', async () => {
    const own = server.createKey('ECC_SECG_P256K1');
    const stranger = openKms({ ...server, credentials: { ...server.credentials, secretAccessKey: 'another' } });
    expect(await faultOf(kmsEvmKey(stranger, referTo(own)).signDigest(someDigest()))).toBe(
      'refused InvalidSignatureException',
    );
    const elsewhere = { ...referTo(own), keyId: own.arn.replace('eu-central-1', 'us-east-1') };
    expect(await faultOf(kmsEvmKey(kms, elsewhere).signDigest(someDigest()))).toBe('refused InvalidSignatureException');
  });

  test('for a moment: two throttles and an error of its own are waited for', async () => {
    const own = server.createKey('ECC_SECG_P256K1');
    // Its own client, because one that was throttled goes on slowly.
    const key = kmsEvmKey(openKms(server), referTo(own));
    server.faults.refuseNext = ['ThrottlingException', 'KMSInternalException'];
    const digest = someDigest();
    expect(recoverSigner(digest, toRecoverable(await key.signDigest(digest)))).toBe(own.address);
  });

  test('for long: after three tries it is left in peace, and asked again later', async () => {
    const own = server.createKey('ECC_SECG_P256K1');
    const key = kmsEvmKey(openKms(server), referTo(own));
    server.faults.refuseAll = 'ThrottlingException';
    const before = server.calls.length;
    expect(await faultOf(key.signDigest(someDigest()))).toBe('throttled ThrottlingException');
    const asked = server.calls.length - before;
    expect(asked).toBe(3);
    const rounds = await Promise.all(Array.from({ length: 20 }, () => faultOf(key.signDigest(someDigest()))));
    expect(new Set(rounds)).toEqual(new Set(['resting null']));
    expect(server.calls.length - before).toBe(asked);
  });

  test('by silence: a signature that comes too late is dropped', async () => {
    const own = server.createKey('ECC_SECG_P256K1');
    const key = kmsEvmKey(openKms({ ...server, timeoutMs: 300 }), referTo(own));
    server.faults.delayMs = 2_000;
    expect(await faultOf(key.signDigest(someDigest()))).toMatch(/^timeout/);
  });

  test('by being away', async () => {
    const other = await startFakeKms();
    const own = other.createKey('ECC_SECG_P256K1');
    const key = kmsEvmKey(openKms(other), referTo(own));
    await other.close();
    expect(await faultOf(key.signDigest(someDigest()))).toMatch(/^unreachable/);
  });
});

describe('the address of a key', () => {
  test.each(['ECC_SECG_P256K1', 'ECC_NIST_EDWARDS25519'] as const)('of %s is read from the service', async (spec) => {
    const own = server.createKey(spec);
    expect(await addressInKms(kms, own.arn)).toEqual({ kind: spec, address: own.address });
  });

  test('of a kind that our chains do not have is refused', async () => {
    await expect(addressInKms(kms, server.createKey('ECC_NIST_P256').arn)).rejects.toThrow('it is ECC_NIST_P256');
  });
});

describe('a key that is tried', () => {
  test.each(['ECC_SECG_P256K1', 'ECC_NIST_EDWARDS25519'] as const)('signs nothing on %s', async (spec) => {
    const own = server.createKey(spec);
    const before = server.signatures();
    expect(await tryKmsKey(kms, { keyId: own.arn })).toBe(own.address);
    expect(server.signatures()).toBe(before);
    expect(server.calls.at(-1)).toMatchObject({ operation: 'Sign', isTry: true });
  });

  test('is found out where we may read it, and not sign with it', async () => {
    const own = server.createKey('ECC_SECG_P256K1');
    const readable: Kms = {
      ...kms,
      sign(...asked) {
        server.faults.refuseAll = 'AccessDeniedException';
        return kms.sign(...asked);
      },
    };
    await expect(tryKmsKey(readable, { keyId: own.arn })).rejects.toThrow('refused (AccessDeniedException)');
  });
});

describe('the server is strict:', () => {
  async function post(headers: Record<string, string>, body = '{}') {
    const answer = await fetch(server.endpoint, { method: 'POST', headers, body });
    return ((await answer.json()) as { __type: string }).__type;
  }
  const json = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'TrentService.Sign' };

  test('without a signature, a date or the right form nothing is answered', async () => {
    expect(await post({ 'content-type': 'application/json' })).toBe('UnknownOperationException');
    expect(await post(json)).toBe('MissingAuthenticationTokenException');
    expect(await post({ ...json, authorization: 'Bearer x' })).toBe('IncompleteSignatureException');
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    const authorization = `AWS4-HMAC-SHA256 Credential=${server.credentials.accessKeyId}/${day}/eu-central-1/kms/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
    expect(await post({ ...json, authorization })).toBe('IncompleteSignatureException');
    const date = { 'x-amz-date': `${day}T${new Date().toISOString().slice(11, 19).replaceAll(':', '')}Z` };
    expect(await post({ ...json, ...date, authorization })).toBe('InvalidSignatureException');
  });
});
