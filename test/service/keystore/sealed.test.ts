import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SCRYPT_COST, seal, unseal } from '../../../service/keystore/sealed.ts';

const PASSWORD = 'correct horse battery';
/** What a test needs no protection for. */
const CHEAP = 16;
const sealed = seal('the secret', PASSWORD, randomBytes, CHEAP);

describe('a sealed text', () => {
  test('opens with its password, typed in another normal form too', () => {
    expect(unseal(sealed, PASSWORD)).toBe('the secret');
    const umlaut = seal('x', 'Schl\u00fcssel', randomBytes, CHEAP);
    expect(unseal(umlaut, 'Schlu\u0308ssel')).toBe('x');
  });

  test('shows nothing of what is in it, and never looks the same twice', () => {
    expect(sealed).not.toContain(Buffer.from('the secret').toString('hex'));
    const other = JSON.parse(seal('the secret', PASSWORD, randomBytes, CHEAP));
    const { scrypt, nonce, secret } = JSON.parse(sealed);
    expect(other.scrypt.salt).not.toBe(scrypt.salt);
    expect(other.nonce).not.toBe(nonce);
    expect(other.secret).not.toBe(secret);
  });

  test('costs a guess 128 MiB unless told otherwise', () => {
    const { scrypt } = JSON.parse(seal('x', PASSWORD, randomBytes));
    expect(scrypt).toMatchObject({ cost: 2 ** 17, blockSize: 8, parallel: 1 });
    expect(SCRYPT_COST * scrypt.blockSize * 128).toBe(128 * 1024 * 1024);
  });
});

describe('is not opened', () => {
  test('with another password', () => {
    expect(unseal(sealed, `${PASSWORD} `)).toBeNull();
  });

  test('once any byte of it was changed, added or left out', () => {
    const bytes = Buffer.from(sealed);
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect([index, unseal(changed.toString('latin1'), PASSWORD)]).toEqual([index, null]);
    }
    expect(unseal(`${sealed} `, PASSWORD)).toBeNull();
    expect(unseal(sealed.slice(0, -1), PASSWORD)).toBeNull();
  });

  test.each([
    ['asks for more memory than anybody has', { scrypt: { ...JSON.parse(sealed).scrypt, cost: 2 ** 30 } }],
    ['has a cost that is no power of two', { scrypt: { ...JSON.parse(sealed).scrypt, cost: 48 } }],
    ['is of a version that nobody knows', { version: 2 }],
    ['holds something besides', { note: 'hello' }],
    ['has a tag of another length', { tag: 'ab' }],
  ])('where the file %s', (_title, change) => {
    expect(unseal(`${JSON.stringify({ ...JSON.parse(sealed), ...change }, null, 2)}\n`, PASSWORD)).toBeNull();
  });
});
