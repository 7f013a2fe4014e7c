import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKey, readKeyFile, sealKey, type KeyFile } from '../../cli/keys/key-file.ts';
import { toBase58 } from '../../chain/solana/messages/base58.ts';
import { createPlace, typist, type Place } from './client.ts';

const PASSWORD = 'correct horse battery';
const privateKey = generatePrivateKey();
const address = privateKeyToAccount(privateKey).address.toLowerCase();
const secret = { network: 'base' as const, address, privateKey };

let place: Place;
beforeEach(() => void (place = createPlace({})));
afterEach(() => place.remove());

test('a sealed key opens with its password, and only with that', async () => {
  const file = await sealKey(secret, PASSWORD, randomBytes, 1024);
  expect(JSON.stringify(file)).not.toContain(privateKey.slice(2));
  expect(await openKey(file, PASSWORD)).toBe(privateKey);
  await expect(openKey(file, `${PASSWORD} `)).rejects.toMatchObject({ word: 'wrong_password' });
});

test('two key files of one key and password have nothing in common', async () => {
  const [one, other] = [
    await sealKey(secret, PASSWORD, randomBytes, 1024),
    await sealKey(secret, PASSWORD, randomBytes, 1024),
  ];
  expect([one.iv, one.tag, one.secret, one.scrypt.salt]).not.toContain(other.iv);
  expect(one.secret).not.toBe(other.secret);
  expect(one.scrypt.salt).not.toBe(other.scrypt.salt);
});

const base64 = (bytes: number) => Buffer.alloc(bytes).toString('base64');
const CHANGES: [string, (file: KeyFile) => KeyFile][] = [
  ['address', (file) => ({ ...file, address: '0x00000000000000000000000000000000000000aa' })],
  ['network', (file) => ({ ...file, network: 'solana' })],
  ['cost', (file) => ({ ...file, scrypt: { ...file.scrypt, cost: 2048 } })],
  ['tag', (file) => ({ ...file, tag: base64(16) })],
  ['tag, to a shorter one', (file) => ({ ...file, tag: file.tag.slice(0, 8) })],
  ['secret', (file) => ({ ...file, secret: base64(66) })],
];

test.each(CHANGES)('a key file with another %s does not open', async (_what, change) => {
  const file = change(await sealKey(secret, PASSWORD, randomBytes, 1024));
  await expect(openKey(file, PASSWORD)).rejects.toMatchObject({ word: 'wrong_password' });
});

test('a key file that asks for more memory than this computer should give is none', async () => {
  const file = await sealKey(secret, PASSWORD, randomBytes, 1024);
  expect(readKeyFile(JSON.stringify({ ...file, scrypt: { ...file.scrypt, cost: 2 ** 24 } }))).toBeNull();
});

test('a key that is typed is kept encrypted, for its owner only, and never replaced', async () => {
  const terminal = typist(privateKey, PASSWORD, PASSWORD);
  expect(await place.run(['key', 'import', 'base'], { terminal })).toMatchObject({ code: 0 });
  const path = join(place.home, 'keys', 'base.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).not.toContain(privateKey.slice(2));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ scrypt: { cost: 2 ** 17 } });
  const before = readFileSync(path, 'utf8');
  expect(
    await place.run(['key', 'import', 'base'], { terminal: typist(privateKey, PASSWORD, PASSWORD) }),
  ).toMatchObject({ code: 1 });
  expect(readFileSync(path, 'utf8')).toBe(before);
  // Whose it is can be said without the password.
  expect((await place.run(['key', 'address'])).out).toContain(address);
});

test('keys come from files too: the list of numbers that Solana tools write, and a password file', async () => {
  const pair = Keypair.generate();
  writeFileSync(place.file('id.json'), JSON.stringify([...pair.secretKey]));
  writeFileSync(place.file('password'), `${PASSWORD}\n`);
  const args = [
    'key',
    'import',
    'solana',
    '--key-file',
    place.file('id.json'),
    '--password-file',
    place.file('password'),
    '--json',
  ];
  expect(await place.run(args)).toMatchObject({
    code: 0,
    json: { network: 'solana', address: pair.publicKey.toBase58() },
  });
  const file = readKeyFile(readFileSync(join(place.home, 'keys', 'solana.json'), 'utf8'));
  if (file === null) throw new Error('expected a key file');
  expect(await openKey(file, PASSWORD)).toBe(toBase58(pair.secretKey));
});

test.each([
  ['passwords that differ', [privateKey, PASSWORD, 'something else'], 2],
  ['a password that is short', [privateKey, 'short', 'short'], 2],
  ['no key', [null], 1],
  ['no password', [privateKey, null], 1],
  ['what is no key', ['0x1234'], 2],
])('%s: nothing is written', async (_what, answers, code) => {
  expect(await place.run(['key', 'import', 'base'], { terminal: typist(...answers) })).toMatchObject({ code });
  expect(await place.run(['key', 'address'])).toMatchObject({ code: 1 });
});

test('a key file that others can read is not used', async () => {
  await place.run(['key', 'import', 'base'], { terminal: typist(privateKey, PASSWORD, PASSWORD) });
  chmodSync(join(place.home, 'keys', 'base.json'), 0o644);
  const ran = await place.run(['send', 'x:alice', '1', '--yes']);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain('chmod 600');
});

test('a key in the environment wins over the file', async () => {
  await place.run(['key', 'import', 'base'], { terminal: typist(privateKey, PASSWORD, PASSWORD) });
  const other = generatePrivateKey();
  const ran = await place.run(['key', 'address'], {
    environment: { PENNYPOST_HOME: place.home, PENNYPOST_BASE_KEY: other },
  });
  expect(ran.out).toContain(privateKeyToAccount(other).address.toLowerCase());
});
