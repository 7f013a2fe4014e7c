import { createRequire } from 'node:module';
import type * as Secp256k1 from 'secp256k1';

/**
 * The native signature library. Its package silently falls back to pure JavaScript, twenty times slower and signing in
 * variable time, when the binding is missing. So the binding itself is loaded, and without it the start fails.
 */
export const secp256k1 = loadNative(createRequire(import.meta.url));

/** Exported for its test: `load` is a CommonJS `require`. */
export function loadNative(load: (name: string) => unknown): typeof Secp256k1 {
  try {
    return load('secp256k1/bindings.js') as typeof Secp256k1;
  } catch (cause) {
    throw new Error(
      'the native part of the package secp256k1 is missing: run `npm rebuild secp256k1` (needs g++, make and python3)',
      { cause },
    );
  }
}
