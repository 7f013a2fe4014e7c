/**
 * Sources to plant, by the path they are planted at. A line ending in `// ✗ rule` must be reported by exactly that
 * rule; every other line is the clean equivalent and must not be reported at all.
 */
export const RULE_PLANTS: Record<string, string> = {
  'api/import-forms.ts': `
import type { marker } from '../worker/marker.ts'; // ✗ no-restricted-imports
export { marker as again } from '../worker/marker.ts'; // ✗ no-restricted-imports
export const late = import('../worker/marker.ts'); // ✗ no-restricted-imports
export const sideways = import('./../worker/marker.ts'); // ✗ no-restricted-imports
export const aroundTheCorner = import('../core/../worker/marker.ts'); // ✗ no-restricted-imports
export type Marker = typeof marker;
export type Other = import('../worker/marker.ts').Marker; // ✗ consistent-type-imports
export const clean = import('../core/marker.ts');
`,
  'worker/required.ts': `
export const late: unknown = require('../api/marker.ts'); // ✗ no-require-imports
`,
  'test/api/free.test.ts': `
import '../../main.ts';
import '../../worker/marker.ts';
import 'drizzle-orm';
import 'viem';
export const path = process.env['PATH'];
`,

  'core/cycle-a.ts': `
import { b } from './cycle-b.ts'; // ✗ no-cycle
export const a: number = 1 + b;
`,
  'core/cycle-b.ts': `
import { a } from './cycle-a.ts'; // ✗ no-cycle
export const b: number = 1 + a;
`,
  'bot/type-cycle-a.ts': `
import type { B } from './type-cycle-b.ts'; // ✗ no-cycle
export type A = { b: B | null };
`,
  'bot/type-cycle-b.ts': `
import type { A } from './type-cycle-a.ts'; // ✗ no-cycle
export type B = { a: A | null };
`,
  'core/chain-a.ts': `
import { b } from './chain-b.ts';
export const a: number = 1 + b;
`,
  'core/chain-b.ts': `
export const b = 1;
`,

  'api/env.ts': `
export const direct = process.env['PORT']; // ✗ no-process-env, no-restricted-properties
export const { env } = process; // ✗ no-restricted-properties
export const { argv } = process; // ✗ no-restricted-properties
export const flags = process.argv.slice(2); // ✗ no-restricted-properties
export const around = globalThis.process; // ✗ no-restricted-properties
export const leave = (): never => process.exit(1); // ✗ no-restricted-properties
export const clean = (given: Record<string, string>): string | undefined => given['PORT'];
export const pid = process.pid;
`,
  // The exceptions are for main.ts of the root only, not for files elsewhere that share its name.
  'worker/main.ts': `
export const direct = process.env['PORT']; // ✗ no-process-env, no-restricted-properties
`,
  'worker/vitest.config.ts': `
export const direct = process.env['PORT']; // ✗ no-process-env, no-restricted-properties
`,
  'api/scripts/reader.ts': `
export const direct = process.env['PORT']; // ✗ no-process-env, no-restricted-properties
`,
  'scripts/reader.ts': `
export const direct = process.env['PORT'];
export const flags = process.argv.slice(2);
`,
  'drizzle.config.ts': `
export const direct = process.env['PORT'];
`,

  'core/pure.ts': `
import { readFileSync } from 'node:fs'; // ✗ no-restricted-imports
import { readFile } from 'node:fs/promises'; // ✗ no-restricted-imports
import { randomBytes } from 'node:crypto'; // ✗ no-restricted-imports
import { connect } from 'net'; // ✗ prefer-node-protocol
export const io = [readFileSync, readFile, randomBytes, connect];
export const now = Date.now(); // ✗ no-restricted-properties
export const chance = Math.random(); // ✗ no-restricted-properties
export const id = crypto.randomUUID(); // ✗ no-restricted-globals
export const answer = fetch; // ✗ no-restricted-globals
export const pid = process.pid; // ✗ no-restricted-globals
export const read = (text: string): number => Math.max(Date.parse(text), 0);
`,
  'client/browser.ts': `
export const now = Date.now(); // ✗ no-restricted-properties
export const chance = Math.random(); // ✗ no-restricted-properties
export const bytes = Buffer.from('a'); // ✗ no-restricted-globals
export const answer = fetch('http://localhost'); // ✗ no-restricted-globals
export const key = crypto.randomUUID(); // ✗ no-restricted-globals
export const clean = (time: () => number, ask: typeof globalThis.fetch): [number, typeof ask] => [time(), ask];
export const timer = setTimeout(() => undefined, 1);
`,
  'core/request-hash.ts': `
import { createHash } from 'node:crypto';
import { randomBytes } from 'node:crypto'; // ✗ no-restricted-imports
import { readFile } from 'node:fs/promises'; // ✗ no-restricted-imports
import '../db/marker.ts'; // ✗ no-restricted-imports
import 'viem'; // ✗ no-restricted-imports
export const hash = [createHash, randomBytes, readFile];
`,
  'core/platforms/unicode-host.ts': `
import { domainToUnicode } from 'node:url';
import { fileURLToPath } from 'node:url'; // ✗ no-restricted-imports
import { createHash } from 'node:crypto'; // ✗ no-restricted-imports
export const hosts = [domainToUnicode, fileURLToPath, createHash];
`,
  'api/core/not-core.ts': `
import { randomBytes } from 'node:crypto';
export const now = [Date.now(), randomBytes(1)];
`,
  'chain/amounts.ts': `
import { formatUnits, parseUnits } from 'viem'; // ✗ no-restricted-imports
export const both = [formatUnits, parseUnits];
`,

  'worker/promises.ts': `
const send = (): Promise<void> => Promise.resolve();
declare const builder: PromiseLike<number>;
export async function run(): Promise<void> {
  send(); // ✗ no-floating-promises
  send().finally(() => undefined); // ✗ no-floating-promises
  [1].map(() => send()); // ✗ no-floating-promises
  builder; // ✗ no-floating-promises, no-unused-expressions
  [1].forEach(async () => send()); // ✗ no-misused-promises
  if (send()) await send(); // ✗ no-misused-promises
  await send();
  void send();
  send().catch(() => undefined);
  await builder;
}
`,
  'worker/switches.ts': `
type State = 'received' | 'settling' | 'settled';
export function missing(state: State): number {
  switch (state) { // ✗ switch-exhaustiveness-check
    case 'received':
      return 1;
    case 'settling':
      return 2;
  }
  return 3;
}
export function hidden(state: State): number {
  switch (state) { // ✗ switch-exhaustiveness-check
    case 'received':
      return 1;
    default:
      return 2;
  }
}
export function whole(state: State): number {
  switch (state) {
    case 'received':
      return 1;
    case 'settling':
    case 'settled':
      return 2;
  }
}
`,
  'worker/types.ts': `
export const loose = (value: any): unknown => value; // ✗ no-explicit-any
export const unread: string[] = JSON.parse('[]'); // ✗ no-unsafe-assignment
export const surely = (value: string | null): string => value!; // ✗ no-non-null-assertion
export interface Old { a: 1 } // ✗ consistent-type-definitions
export const parsed: unknown = JSON.parse('[]');
export type New = { a: 1 };
`,
  'worker/correctness.ts': `
export const same = (a: unknown, b: unknown): boolean => a == b; // ✗ eqeqeq
export const sorted = (amounts: bigint[]): bigint[] => amounts.sort(); // ✗ require-array-sort-compare
export function fail(): never { throw 'text'; } // ✗ only-throw-error
export const shown = (thing: object): string => \`\${thing}\`; // ✗ no-base-to-string, restrict-template-expressions
console.log('here'); // ✗ no-console
export const clean = (a: unknown, b: unknown): boolean => a === b;
export const ordered = (amounts: bigint[]): bigint[] => amounts.sort((a, b) => (a < b ? -1 : 1));
`,
  'worker/barrel.ts': `export * from './types.ts'; // ✗ no-barrel-file
`,
  'worker/BadName.ts': `export const a = 1; // ✗ filename-case
`,

  'worker/long-function.ts': `
export function tooLong(): number { // ✗ max-lines-per-function
${'  // one line\n'.repeat(68)}  return 1;
}
export function longEnough(): number {
${'  // one line\n'.repeat(67)}  return 1;
}
`,
  'worker/long-file.ts': `export const a = 1;\n${'// one line\n'.repeat(299)}// the line too many // ✗ max-lines\n`,
  'worker/longest-file.ts': `export const a = 1;\n${'// one line\n'.repeat(299)}`,
  'test/worker/long.test.ts': `export const a = 1;\n${'// one line\n'.repeat(400)}`,
  'test/worker/only.test.ts': `
import { expect, test } from 'vitest';
test.only('runs alone', () => expect(1).toBe(1)); // ✗ no-focused-tests
test.skip('runs never', () => expect(1).toBe(1)); // ✗ no-disabled-tests
test('runs', () => expect(1).toBe(1));
`,
};
