import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { loadNative, secp256k1 } from '../../chain/secp256k1.ts';

const require = createRequire(import.meta.url);
// Other libraries in this process may have the package `elliptic` for what is theirs.
const FALLBACK = require.resolve('secp256k1/elliptic.js');
const loadedPureJavaScript = () => FALLBACK in require.cache;

test('the native binding signs, and the pure JavaScript fallback is never loaded', () => {
  expect(secp256k1.privateKeyVerify(Buffer.alloc(32, 1))).toBe(true);
  expect(loadedPureJavaScript()).toBe(false);
});

test('control: loading the fallback is noticed', () => {
  require('secp256k1/elliptic.js');
  expect(loadedPureJavaScript()).toBe(true);
  delete require.cache[FALLBACK];
});

test('a missing binding stops the start with the command that repairs it', () => {
  const load = () => {
    throw new Error('No native build was found');
  };
  expect(() => loadNative(load)).toThrow('npm rebuild secp256k1');
});
