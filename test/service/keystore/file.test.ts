import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeystore, openKeystore, readKeystore, replaceKeystore } from '../../../service/keystore/file.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';

const CONTENT = { secrets: { TASK_KEY: `0x${'1'.repeat(64)}` }, wordsConfirmedAtMs: null };
const cheap = { random: randomBytes, cost: 16 };
let dir: string;
let place: { path: string; passwordFile: string };

beforeEach(() => {
  dir = createDiskFolder('pennypost-keystore-');
  place = { path: join(dir, 'kept', 'keys.json'), passwordFile: join(dir, 'password') };
  writeFileSync(place.passwordFile, 'correct horse battery\nnot this line\n');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('what was kept comes back, from a file for its owner only', () => {
  expect(createKeystore(place, CONTENT, cheap)).toBe(true);
  expect(openKeystore(place)).toEqual(CONTENT);
  expect(statSync(place.path).mode & 0o777).toBe(0o600);
  expect(readFileSync(place.path, 'utf8')).not.toContain('1'.repeat(12));
});

test('a file that is there is never created over', () => {
  createKeystore(place, CONTENT, cheap);
  expect(createKeystore(place, { ...CONTENT, secrets: {} }, cheap)).toBe(false);
  expect(openKeystore(place)).toEqual(CONTENT);
});

test('a replaced file is whole, and nothing else is left in its folder', () => {
  createKeystore(place, CONTENT, cheap);
  replaceKeystore(place, { ...CONTENT, wordsConfirmedAtMs: 5 }, cheap);
  expect(openKeystore(place).wordsConfirmedAtMs).toBe(5);
  expect(readdirSync(join(dir, 'kept'))).toEqual(['keys.json']);
});

test('where there is none, that is said', () => {
  expect(readKeystore(place)).toBeNull();
  expect(() => openKeystore(place)).toThrow('does not exist');
});

describe('is refused in one line', () => {
  const refused = () => {
    try {
      openKeystore(place);
    } catch (error) {
      return String(error);
    }
    return 'opened';
  };

  test.each([0o640, 0o604, 0o644, 0o660])('when others can reach it (%o)', (mode) => {
    createKeystore(place, CONTENT, cheap);
    chmodSync(place.path, mode);
    expect(refused()).toContain(`can be read by others. Run: chmod 600`);
  });

  test('with the same words for another password and for a changed file', () => {
    createKeystore(place, CONTENT, cheap);
    const kept = readFileSync(place.path, 'utf8');
    writeFileSync(place.path, kept.replace(/"tag": "./, '"tag": "_'));
    const changed = refused();
    writeFileSync(place.path, kept);
    writeFileSync(place.passwordFile, 'another password');
    expect(refused()).toBe(changed);
    expect(changed).toContain('either the password in KEYSTORE_PASSWORD_FILE is another one, or the file was changed');
    expect(changed.split('\n')).toHaveLength(1);
  });

  test('without a password', () => {
    createKeystore(place, CONTENT, cheap);
    writeFileSync(place.passwordFile, '\nsecond line');
    expect(refused()).toContain('has no password in its first line');
    rmSync(place.passwordFile);
    expect(refused()).toContain('KEYSTORE_PASSWORD_FILE');
  });

  test('when it is far too large', () => {
    createKeystore(place, CONTENT, cheap);
    writeFileSync(place.path, 'x'.repeat(300_000));
    expect(refused()).toContain('larger than');
  });
});
