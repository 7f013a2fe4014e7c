import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bindNonce, hashRequest } from '../../client/binding.ts';
import { boundNonce, isBoundNonce, requestHash } from '../../core/request-hash.ts';

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

test('a request has the same name in a browser as in the service', async () => {
  const bodies = fc.dictionary(fc.string(), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(bodies, fc.string(), async (body, platform) => {
      const name = { operation: 'rest.pay', pathParameters: { platform }, body } as const;
      expect(await hashRequest(sha256, name)).toBe(requestHash('rest.pay', { platform }, body));
    }),
  );
});

test('a nonce of the library is bound to its request, and to no other', async () => {
  const random = new Uint8Array(randomBytes(16));
  const hash = requestHash('rest.pay', {}, { receiver: 'alice' });
  const nonce = await bindNonce(sha256, hash, random);
  expect(nonce).toBe(boundNonce(hash, Buffer.from(random).toString('hex')));
  expect(isBoundNonce(nonce, hash)).toBe(true);
  expect(isBoundNonce(nonce, requestHash('rest.pay', {}, { receiver: 'bob' }))).toBe(false);
});
