import { shownAddress } from '../../../chain/shown-address.ts';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { readSolanaKey } from '../../../chain/solana/messages/key.ts';
import { firstTreasuryKey } from '../../../core/config/keys.ts';
import { toSeedWords } from '../../../chain/seed-words.ts';
import { openKeystore } from '../../../service/keystore/file.ts';
import { loadConfig } from '../../../service/keystore/load.ts';
import { randomSolanaKey } from '../../support/solana-service.ts';
import { createMachine, honestPerson } from './host.ts';

const TREASURY = `0x${'12'.repeat(32)}` as const;
const SOLANA = randomSolanaKey();
const SEED = 'ef'.repeat(32);
const WORDS = toSeedWords(Buffer.from(SEED, 'hex'));
const TESTNET = {
  NETWORK_MODE: 'testnet',
  NETWORKS: 'base',
  BASE_RPC_URL: 'http://127.0.0.1:9',
  OPERATOR_NAME: 'The test',
  SUPPORT_URL: 'https://example.com/help',
  TERMS_URL: 'https://example.com/terms',
};

let dir: string;
let place: { KEYSTORE: string; KEYSTORE_PASSWORD_FILE: string };
const kept = () => openKeystore({ path: place.KEYSTORE, passwordFile: place.KEYSTORE_PASSWORD_FILE });
const create = (keys: Record<string, string>, ...words: string[]) =>
  createMachine({ ...place, ...keys }).operate('keystore-create', ...words);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-keys-'));
  place = { KEYSTORE: join(dir, 'keys.json'), KEYSTORE_PASSWORD_FILE: join(dir, 'password') };
  writeFileSync(place.KEYSTORE_PASSWORD_FILE, 'correct horse battery\n');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('keystore-create', () => {
  test('moves the keys of the environment into the file, names their addresses, and never a key', async () => {
    const { exitCode, text } = await create({ TREASURY_KEY: TREASURY, CHAT_WALLET_SEED: SEED });
    expect(exitCode).toBe(0);
    expect(text).toContain(`TREASURY_KEY: ${shownAddress(addressOfKey(TREASURY))}`);
    expect(text).toContain('Take these keys out of the environment now');
    expect(text).not.toContain('12'.repeat(6));
    expect(text).not.toContain('ef'.repeat(6));
    expect(kept()).toEqual({ secrets: { TREASURY_KEY: TREASURY, CHAT_WALLET_SEED: SEED }, wordsConfirmedAtMs: null });
  });

  test('makes what is missing, with which the service has all it needs', async () => {
    expect((await create({ TREASURY_KEY: TREASURY }, '--new')).exitCode).toBe(0);
    const config = loadConfig({ ...TESTNET, ...place });
    expect(config.base.treasuryKey).toBe(TREASURY);
    expect(config.base.laneKeys).toHaveLength(3);
    const { base, solana, chatWalletSeed } = config;
    const all = [
      base.taskKey,
      ...(base.laneKeys ?? []),
      solana.treasuryKey,
      solana.taskKey,
      solana.feePayerKey,
      chatWalletSeed,
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(all).not.toContain(undefined);
  });

  test('keeps a file that is there, refuses a wrong key without showing it, a short password, and nothing to keep', async () => {
    const wrong = await create({ TREASURY_KEY: '0x1234567890' });
    expect(wrong.exitCode).toBe(1);
    expect(wrong.text).toContain('TREASURY_KEY is set, but its 12 characters are not a valid value');
    expect((await create({})).text).toContain('No key is set');
    expect(existsSync(place.KEYSTORE)).toBe(false);
    await create({ TREASURY_KEY: TREASURY });
    expect((await create({ CHAT_WALLET_SEED: SEED })).text).toContain('is there already');
    expect(kept().secrets).toEqual({ TREASURY_KEY: TREASURY });
    writeFileSync(place.KEYSTORE_PASSWORD_FILE, 'short');
    expect((await create({ TREASURY_KEY: TREASURY })).text).toContain('at least 12 characters');
  });
});

test('the service starts with what the file holds, and refuses the same key beside it', async () => {
  await create({ TREASURY_KEY: TREASURY });
  expect(loadConfig({ ...TESTNET, ...place }).base.treasuryKey).toBe(TREASURY);
  expect(() => loadConfig({ ...TESTNET, ...place, TREASURY_KEY: TREASURY })).toThrow('set beside KEYSTORE');
});

test('local mode makes its own keys and opens no keystore', () => {
  expect(loadConfig(place).base.treasuryKey).toBeUndefined();
});

test('keystore-list names keys and addresses, and whether the words are on paper', async () => {
  await create({ TREASURY_KEY: TREASURY, CHAT_WALLET_SEED: SEED });
  const { text } = await createMachine(place).operate('keystore-list');
  expect(text).toContain(`TREASURY_KEY: ${shownAddress(addressOfKey(TREASURY))}`);
  expect(text).toContain('nobody has written them down yet');
  expect(text).not.toMatch(/(?:12){6}|(?:ef){6}/);
});

describe('keystore-rotate', () => {
  const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/treasury';
  const IN_KMS = `kms:${ARN}@0x${'ab'.repeat(20)}`;
  const rotate = (...words: string[]) => createMachine(place).operate('keystore-rotate', ...words);

  test('makes a new key, keeps every old one in order, and shows none', async () => {
    await create({ TREASURY_KEY: TREASURY });
    const { exitCode, text } = await rotate('TREASURY_KEY');
    expect(exitCode).toBe(0);
    expect(text).toContain(shownAddress(addressOfKey(TREASURY)));
    expect(text).not.toContain('12'.repeat(6));
    const second = kept().secrets.TREASURY_KEY ?? '';
    expect(second).not.toBe(TREASURY);
    await rotate('TREASURY_KEY');
    expect(kept().secrets.FORMER_TREASURY_KEYS).toBe(`${TREASURY},${second}`);
    const { base } = loadConfig({ ...TESTNET, ...place });
    expect([base.formerTreasuryKeys, firstTreasuryKey(base)]).toEqual([[TREASURY, second], TREASURY]);
  });

  test('keeps the address of one that is compromised beside it', async () => {
    await create({ TREASURY_KEY: TREASURY });
    const { text } = await rotate('TREASURY_KEY', '--compromised');
    expect(text).toContain(`No signed payment to ${shownAddress(addressOfKey(TREASURY))} is taken any more.`);
    await rotate('TREASURY_KEY');
    expect(kept().secrets.COMPROMISED_ADDRESSES).toBe(addressOfKey(TREASURY));
    expect(loadConfig({ ...TESTNET, ...place }).compromised).toEqual([addressOfKey(TREASURY)]);
  });

  test('leaves room for a key in AWS KMS, and takes one from there among the former', async () => {
    await create({ TREASURY_KEY: TREASURY });
    expect((await rotate('TREASURY_KEY', '--elsewhere')).text).toContain('Set TREASURY_KEY to the new key now');
    expect(loadConfig({ ...TESTNET, ...place, TREASURY_KEY: IN_KMS }).base.treasuryKey).toBe(IN_KMS);
    const machine = createMachine({ ...place, TREASURY_KEY: IN_KMS });
    expect((await machine.operate('keystore-rotate', 'TREASURY_KEY')).text).toContain('out of the environment');
    expect(loadConfig({ ...TESTNET, ...place }).base.formerTreasuryKeys).toEqual([TREASURY, IN_KMS]);
    expect((await createMachine(place).operate('keystore-list')).text).toContain(shownAddress(`0x${'ab'.repeat(20)}`));
  });

  test('makes a new key of Solana in the place of one', async () => {
    await create({ TREASURY_KEY: TREASURY, SOLANA_TREASURY_KEY: SOLANA });
    const { text } = await rotate('SOLANA_TREASURY_KEY', '--compromised');
    const old = readSolanaKey(SOLANA).address;
    expect(text).toContain(old);
    const { SOLANA_TREASURY_KEY: next = '', SOLANA_FORMER_TREASURY_KEYS: former } = kept().secrets;
    expect([former, readSolanaKey(next).address === old]).toEqual([SOLANA, false]);
    const config = loadConfig({ ...TESTNET, ...place });
    expect([config.solana.formerTreasuryKeys, config.compromised]).toEqual([[SOLANA], [old]]);
  });

  test.each(['SOLANA_FEE_PAYER_KEY', 'LANE_KEYS', 'TASK_KEY'])('refuses %s, and changes nothing', async (name) => {
    await create({ TREASURY_KEY: TREASURY });
    expect((await rotate(name)).exitCode).toBe(1);
    expect(kept().secrets).toEqual({ TREASURY_KEY: TREASURY });
  });
});

test('after keystore-password only the new password opens it', async () => {
  await create({ TREASURY_KEY: TREASURY });
  const next = join(dir, 'next');
  writeFileSync(next, 'battery horse correct\n');
  expect((await createMachine(place).operate('keystore-password', next)).exitCode).toBe(0);
  expect(() => kept()).toThrow('cannot be opened');
  expect(openKeystore({ path: place.KEYSTORE, passwordFile: next }).secrets).toEqual({ TREASURY_KEY: TREASURY });
});

describe('backup-words', () => {
  beforeEach(() => create({ CHAT_WALLET_SEED: SEED }));

  test('shows the words once, away from the scrollback, and notes the backup once three were typed back', async () => {
    const { answer, paper } = honestPerson();
    const machine = createMachine(place, { answer });
    const { exitCode, text } = await machine.operate('backup-words');
    expect([exitCode, paper]).toEqual([0, WORDS]);
    expect(kept().wordsConfirmedAtMs).not.toBeNull();
    const shown = machine.screen();
    expect(shown.indexOf('\u001b[?1049h')).toBeLessThan(shown.indexOf(' 1. '));
    expect(shown.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(shown.indexOf('24. '));
    // What is printed and logged has none of them.
    expect(WORDS.filter((word) => new RegExp(`\\b${word}\\b`).test(text) && word.length > 4)).toEqual([]);
    const again = await createMachine(place, { answer }).operate('backup-words');
    expect([again.exitCode, again.text]).toEqual([1, expect.stringContaining('They were written down on')]);
    expect((await createMachine(place, { answer }).operate('backup-words', '--again')).exitCode).toBe(0);
  });

  test('a wrong word, or nobody who answers, notes nothing', async () => {
    const wrong = await createMachine(place, { answer: () => 'abandon' }).operate('backup-words');
    expect([wrong.exitCode, wrong.text]).toEqual([1, expect.stringContaining('not noted as done')]);
    expect((await createMachine(place, { answer: () => null }).operate('backup-words')).exitCode).toBe(1);
    expect(kept().wordsConfirmedAtMs).toBeNull();
  });

  test('is refused in a pipe, where a log would keep them', async () => {
    const { exitCode, text } = await createMachine(place).operate('backup-words', '--again');
    expect([exitCode, text]).toEqual([1, expect.stringContaining('to a person at a terminal only')]);
  });
});

describe('restore-words', () => {
  const piped = WORDS.join(' ');

  test('makes a keystore of the words, or puts the seed beside the keys that are there', async () => {
    const fresh = await createMachine(place, { piped }).operate('restore-words');
    expect([fresh.exitCode, fresh.text]).toEqual([0, expect.stringContaining('no other key')]);
    expect(kept().secrets).toEqual({ CHAT_WALLET_SEED: SEED });
    rmSync(place.KEYSTORE);
    await create({ TREASURY_KEY: TREASURY });
    expect((await createMachine(place, { piped }).operate('restore-words')).exitCode).toBe(0);
    expect(kept().secrets).toEqual({ TREASURY_KEY: TREASURY, CHAT_WALLET_SEED: SEED });
    expect((await createMachine(place, { piped }).operate('restore-words')).text).toContain(
      'exactly this seed already',
    );
  });

  test('takes them from a person at a terminal, on a screen of their own', async () => {
    const machine = createMachine(place, { answer: () => piped });
    expect((await machine.operate('restore-words')).exitCode).toBe(0);
    expect(machine.screen()).toContain('\u001b[?1049l');
    expect(kept().secrets).toEqual({ CHAT_WALLET_SEED: SEED });
  });

  test('never puts another seed over the one that is there', async () => {
    await create({ CHAT_WALLET_SEED: 'ab'.repeat(32) });
    const { exitCode, text } = await createMachine(place, { piped }).operate('restore-words');
    expect([exitCode, text]).toEqual([1, expect.stringContaining('holds another seed')]);
    expect(kept().secrets).toEqual({ CHAT_WALLET_SEED: 'ab'.repeat(32) });
  });

  test('shows the seed itself only when told to', async () => {
    expect((await createMachine({}, { piped }).operate('restore-words', '--print')).text).toBe(SEED);
    expect((await createMachine(place, { piped }).operate('restore-words')).text).not.toContain(SEED);
  });

  test.each([
    ['too few', WORDS.slice(1).join(' '), 'There are 24 words; found 23'],
    ['a mistyped one', WORDS.with(4, 'pennypost').join(' '), 'Word 5 is none of those'],
    ['two in the wrong order', [WORDS[1], WORDS[0], ...WORDS.slice(2)].join(' '), 'wrong checksum'],
  ])('says what is wrong with %s', async (_title, text, says) => {
    const result = await createMachine(place, { piped: text }).operate('restore-words');
    expect([result.exitCode, result.text]).toEqual([2, expect.stringContaining(says)]);
    expect(result.text).not.toContain('pennypost ');
    expect(existsSync(place.KEYSTORE)).toBe(false);
  });

  test('takes no words as arguments', async () => {
    expect((await createMachine(place).operate('restore-words', ...WORDS)).exitCode).toBe(2);
  });
});

test('without KEYSTORE the commands say what to set, and --help what they do', async () => {
  const { exitCode, text } = await createMachine({}).operate('keystore-list');
  expect([exitCode, text]).toEqual([1, expect.stringContaining('Set KEYSTORE')]);
  expect((await createMachine({}).operate('backup-words', '--help')).text).toContain('24 words');
  expect((await createMachine({}).operate('keystore-create', '--old')).exitCode).toBe(2);
  expect((await createMachine({}).operate('--help')).text).toContain('recover --list <file>');
  expect(readFileSync(place.KEYSTORE_PASSWORD_FILE, 'utf8')).not.toBe('');
});
