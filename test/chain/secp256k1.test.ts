import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { loadNative, secp256k1 } from '../../chain/secp256k1.ts';

const require = createRequire(import.meta.url);

test('the native binding signs, and not the pure JavaScript that the package falls back to', () => {
  expect(secp256k1.privateKeyVerify(Buffer.alloc(32, 1))).toBe(true);
  expect(secp256k1).toBe(require('secp256k1/bindings.js'));
  expect(secp256k1).not.toBe(require('secp256k1/elliptic.js'));
});

test('a missing binding stops the start with the command that repairs it', () => {
  const load = () => {
    throw new Error('No native build was found');
  };
  expect(() => loadNative(load)).toThrow('npm rebuild secp256k1');
});
