import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';
import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureLocalKeys } from '../../local/keys.ts';
import { compileProgram } from '../support/compiled-program.ts';

const SOLANA_NAMES = ['solanaTreasuryKey', 'solanaTaskKey', 'solanaFeePayerKey'] as const;

/** As the first version wrote it. */
const OLD = {
  treasuryKey: `0x${'1'.repeat(64)}`,
  taskKey: `0x${'2'.repeat(64)}`,
  laneKeys: [`0x${'3'.repeat(64)}`],
  chatWalletSeed: '4'.repeat(64),
  botApiToken: '5'.repeat(40),
};

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-keys-'));
  file = join(dir, 'local', 'keys.json');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function keep(keys: object, where = file): void {
  mkdirSync(dirname(where), { recursive: true });
  writeFileSync(where, JSON.stringify(keys));
}

const readFile = () => JSON.parse(readFileSync(file, 'utf8'));

/** In processes of their own. */
async function startAtOnce(count: number) {
  const starter = await compileProgram(join(import.meta.dirname, 'keys-starter.ts'));
  const run = () => promisify(execFile)(process.execPath, [starter, file]);
  const outputs = await Promise.all(Array.from({ length: count }, run));
  return outputs.map(({ stdout }) => JSON.parse(stdout));
}

describe('a first start', () => {
  test('makes every key, for their owner only, and the next start reads the same ones', () => {
    const keys = ensureLocalKeys(file);
    expect(Object.keys(keys).toSorted()).toEqual([...Object.keys(OLD), ...SOLANA_NAMES].toSorted());
    const all = [keys.treasuryKey, keys.taskKey, ...keys.laneKeys, ...SOLANA_NAMES.map((name) => keys[name])];
    expect(new Set(all).size).toBe(8);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(ensureLocalKeys(file)).toEqual(keys);
    expect(readdirSync(dirname(file))).toEqual(['keys.json']);
  });

  test('makes Solana keys that kit and web3.js import', async () => {
    const keys = ensureLocalKeys(file);
    for (const name of SOLANA_NAMES) {
      const bytes = Uint8Array.from(getBase58Encoder().encode(keys[name]));
      // Both refuse a public key that does not belong to the seed.
      const { publicKey } = Keypair.fromSecretKey(bytes);
      expect((await createKeyPairSignerFromBytes(bytes)).address).toBe(publicKey.toBase58());
    }
  });

  test('by several processes at once gives all of them the same keys', async () => {
    const started = await startAtOnce(3);
    expect(started).toEqual([readFile(), readFile(), readFile()]);
  });
});

describe('a file of an earlier version', () => {
  test('gets the Solana keys and keeps everything that it has', () => {
    keep({ ...OLD, ofALaterVersion: 'stays' });
    const keys = ensureLocalKeys(file);
    expect(keys).toMatchObject(OLD);
    expect(readFile()).toEqual({ ...keys, ofALaterVersion: 'stays' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(['keys.json']);
  });

  test('gets the same keys no matter who adds them, and other keys than another installation’s file', () => {
    const [copy, other] = [join(dir, 'copy', 'keys.json'), join(dir, 'other', 'keys.json')];
    keep(OLD);
    keep(OLD, copy);
    keep({ ...OLD, treasuryKey: `0x${'6'.repeat(64)}` }, other);
    const keys = ensureLocalKeys(file);
    expect(ensureLocalKeys(copy)).toEqual(keys);
    for (const name of SOLANA_NAMES) expect(ensureLocalKeys(other)[name]).not.toBe(keys[name]);
  });
});

test('a Solana key that is there is never replaced, not even one that cannot be read', () => {
  const keys = ensureLocalKeys(file);
  const { solanaTaskKey, ...others } = keys;
  keep(others);
  expect(ensureLocalKeys(file)).toEqual({ ...others, solanaTaskKey });
  const damaged = { ...others, solanaFeePayerKey: 'damaged' };
  keep(damaged);
  expect(() => ensureLocalKeys(file)).toThrow(/solanaFeePayerKey/);
  expect(readFile()).toEqual(damaged);
});
