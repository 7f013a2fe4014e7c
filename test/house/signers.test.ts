import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * Every signature of our own keys goes through `chain/signing/`, where each key has its policy. What can sign without it
 * is listed here with the files that may: for the wallets of others, or to open a key for that folder.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = ['api', 'bot', 'chain', 'cli', 'client', 'core', 'db', 'identity', 'queue', 'service', 'web', 'worker'];

type Tool = { name: string; uses: RegExp; may: readonly string[] };

const TOOLS: readonly Tool[] = [
  {
    name: 'a signature on secp256k1',
    uses: /\bsignDigest\b/,
    may: ['chain/evm/key.ts', 'chain/evm/transfer-signer.ts', 'chain/wallets/personal-wallets.ts', 'chain/signing/'],
  },
  {
    name: 'the library of secp256k1',
    uses: /\becdsaSign\b/,
    may: ['chain/evm/key.ts'],
  },
  {
    name: 'a signature on Ed25519 by Node',
    uses: /\bcreatePrivateKey\b|\bimport \{[^}]*\bsign\b[^}]*\} from 'node:crypto'/,
    may: ['chain/solana/messages/key.ts'],
  },
  {
    name: 'a key of Solana out of its text',
    uses: /\breadSolanaKey\b|\btoSolanaKey\b/,
    may: [
      'chain/solana/messages/key.ts',
      'chain/signing/keys.ts',
      // People's wallets, the key of the command line.
      'chain/solana/personal-wallets.ts',
      'cli/keys/private-key.ts',
      'cli/paying/purse.ts',
      // Makes new keys and shows their addresses.
      'service/keystore/new-keys.ts',
    ],
  },
  {
    name: 'a signer for the wallets of others',
    uses: /\bcreateTransferSigner\b|\bcreateEvmPayer\b/,
    may: [
      'chain/evm/transfer-signer.ts',
      'chain/evm/payer.ts',
      'chain/wallets/personal-wallets.ts',
      'cli/paying/purse.ts',
    ],
  },
  {
    name: 'a key of ours without a policy',
    uses: /\blocalEvmKey\b|\blocalSolanaKey\b|\bEvmKey\b(?!s)|\bSolanaOwnKey\b/,
    may: ['chain/signing/', 'service/networks/own-keys.ts'],
  },
  {
    name: 'an account or key pair of a library',
    uses: /viem\/accounts|\bprivateKeyToAccount\b|\bKeypair\b|\bcreateKeyPairSigner\w*|\bcreateSignerFromKeyPair\b/,
    may: [],
  },
];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
);

function strangersIn(tool: Tool, files: readonly { path: string; text: string }[]): string[] {
  const isListed = (path: string) =>
    tool.may.some((one) => path === one || (one.endsWith('/') && path.startsWith(one)));
  return files.filter(({ path, text }) => tool.uses.test(text) && !isListed(path)).map(({ path }) => path);
}

const files = sources.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

describe('no other file has', () => {
  test.each(TOOLS)('$name', (tool) => {
    expect(strangersIn(tool, files)).toEqual([]);
  });
});

describe('no file is listed for nothing:', () => {
  test.each(TOOLS)('$name', (tool) => {
    const idle = tool.may.filter(
      (one) => !files.some(({ path, text }) => path.startsWith(one) && tool.uses.test(text)),
    );
    expect(idle).toEqual([]);
  });
});

test.each<[string, string]>([
  ['a signature on secp256k1', "import { signDigest } from '../../chain/evm/key.ts';"],
  ['the library of secp256k1', 'secp256k1.ecdsaSign(digest, key)'],
  ['a signature on Ed25519 by Node', "import { createHash, sign } from 'node:crypto';"],
  ['a key of Solana out of its text', 'readSolanaKey(config.solana.treasuryKey).sign(bytes)'],
  ['a signer for the wallets of others', 'createTransferSigner(profile)(key, transfer)'],
  ['a key of ours without a policy', 'localEvmKey(key).signDigest(digest)'],
  ['an account or key pair of a library', "import { privateKeyToAccount } from 'viem/accounts';"],
])('control: %s is seen in another file', (name, text) => {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error('it is in the table');
  expect(strangersIn(tool, [{ path: 'worker/evm/planted.ts', text }])).toEqual(['worker/evm/planted.ts']);
});
