import { shownAddress } from '../../../chain/shown-address.ts';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { openKeystore } from '../../../service/keystore/file.ts';
import { createMachine } from './host.ts';

const TREASURY = `0x${'12'.repeat(32)}` as const;
const LANE = `0x${'34'.repeat(32)}` as const;

let dir: string;
let place: { KEYSTORE: string; KEYSTORE_PASSWORD_FILE: string };
const at = (name: string) => join(dir, name);
const kept = () => openKeystore({ path: place.KEYSTORE, passwordFile: place.KEYSTORE_PASSWORD_FILE }).secrets;
const operate = (...words: string[]) => createMachine(place).operate(...words);

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-web3-'));
  place = { KEYSTORE: at('keys.json'), KEYSTORE_PASSWORD_FILE: at('password') };
  writeFileSync(place.KEYSTORE_PASSWORD_FILE, 'correct horse battery\n');
  writeFileSync(at('other'), 'another long password\n');
  await createMachine({ ...place, TREASURY_KEY: TREASURY, LANE_KEYS: LANE }).operate('keystore-create');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a key goes out for its owner only, and comes in again, and is never shown', async () => {
  const out = await operate('keystore-export', 'TREASURY_KEY', at('key.json'), at('other'));
  expect(out.exitCode).toBe(0);
  expect(out.text).toContain(shownAddress(addressOfKey(TREASURY)));
  expect(statSync(at('key.json')).mode & 0o777).toBe(0o600);
  expect(`${out.text}${readFileSync(at('key.json'), 'utf8')}`).not.toContain('12'.repeat(6));
  expect((await operate('keystore-import', 'LANE_KEYS', at('key.json'), at('other'))).text).toContain(
    'every key has one job',
  );

  rmSync(place.KEYSTORE);
  await createMachine({ ...place, LANE_KEYS: LANE }).operate('keystore-create');
  const back = await operate('keystore-import', 'TREASURY_KEY', at('key.json'), at('other'));
  expect([back.exitCode, back.text.includes('1212')]).toEqual([0, false]);
  expect(kept()).toEqual({ TREASURY_KEY: TREASURY, LANE_KEYS: LANE });
  expect((await operate('keystore-import', 'TREASURY_KEY', at('key.json'), at('other'))).text).toContain('already');
});

test('lanes are added, and nothing is written over', async () => {
  await operate('keystore-export', 'LANE_KEYS', at('lane.json'), at('other'));
  expect((await operate('keystore-export', 'LANE_KEYS', at('lane.json'), at('other'))).exitCode).toBe(1);
  rmSync(place.KEYSTORE);
  const other = `0x${'56'.repeat(32)}`;
  await createMachine({ ...place, TREASURY_KEY: TREASURY, LANE_KEYS: other }).operate('keystore-create');
  expect((await operate('keystore-import', 'TREASURY_KEY', at('lane.json'), at('other'))).text).toContain(
    'holds another TREASURY_KEY',
  );
  expect((await operate('keystore-import', 'LANE_KEYS', at('lane.json'), at('other'))).exitCode).toBe(0);
  expect(kept()['LANE_KEYS']).toBe(`${other},${LANE}`);
  expect((await operate('keystore-export', 'LANE_KEYS', at('two.json'), at('other'))).text).toContain('say which');
  const address = addressOfKey(LANE);
  expect(
    (await operate('keystore-export', 'LANE_KEYS', at('two.json'), at('other'), '--address', address)).text,
  ).toContain(shownAddress(address));
});

test('a wrong password, a file of something else and a name of something else are said plainly', async () => {
  await operate('keystore-export', 'LANE_KEYS', at('lane.json'), at('other'));
  const wrong = await operate('keystore-import', 'TASK_KEY', at('lane.json'), at('password'));
  expect([wrong.exitCode, wrong.text]).toEqual([
    1,
    `${at('lane.json')}: the password is another one, or the file was changed.`,
  ]);
  expect((await operate('keystore-import', 'TASK_KEY', at('other'), at('other'))).text).toContain(
    'no file of Web3 Secret Storage',
  );
  expect((await operate('keystore-import', 'TASK_KEY', at('nowhere'), at('other'))).text).toContain('does not exist');
  expect((await operate('keystore-import', 'CHAT_WALLET_SEED', at('lane.json'), at('other'))).text).toContain(
    'EVM networks',
  );
  writeFileSync(at('short'), 'short\n');
  expect((await operate('keystore-export', 'LANE_KEYS', at('x.json'), at('short'))).text).toContain(
    'at least 12 characters',
  );
});
