/**
 * All is lost but the paper with the words and yesterday's list: everybody's money still arrives where its owner wants
 * it, on both networks, and nothing moves twice.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { shownAddress } from '../../../chain/shown-address.ts';
import { toBase58 } from '../../../chain/solana/messages/base58.ts';
import { createIds } from '../../../core/ids.ts';
import { microUsdc } from '../../../core/money.ts';
import { ensureChatAccount } from '../../../db/chats/chat-account.ts';
import { ensureUser } from '../../../db/chats/users.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { openStore } from '../../../db/store/open.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { ensureLocalKeys } from '../../../local/keys.ts';
import { createWallets, type ListedWallet } from '../../../service/recovery/wallet-list.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { startSolanaChain, type SolanaChain } from '../../support/chains/solana-chain.ts';
import { createMachine, honestPerson } from '../operator/host.ts';

type Hex = `0x${string}`;
const ids = createIds(randomBytes);
const usdc = (amount: number) => microUsdc(BigInt(Math.round(amount * 1e6)));
const newBase = () => `0x${randomBytes(20).toString('hex')}` as Hex;
const newSolana = () => Keypair.generate().publicKey.toBase58();

let chain: BaseChain;
let solana: SolanaChain;
let dir: string;
let keystore: { KEYSTORE: string; KEYSTORE_PASSWORD_FILE: string };
const gasKey = `0x${randomBytes(32).toString('hex')}` as Hex;
const feePayer = Keypair.generate();

beforeAll(async () => {
  [chain, solana] = await Promise.all([startBaseChain({ blockTimeMs: 100 }), startSolanaChain({ slotMs: 20 })]);
  await chain.fundEth(addressOfKey(gasKey), 10n ** 18n);
  await solana.fundSol(feePayer.publicKey, 10_000_000_000n);
}, 120_000);
afterAll(async () => {
  await chain.close();
  await solana.close();
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-recovery-'));
  keystore = { KEYSTORE: join(dir, 'keys.json'), KEYSTORE_PASSWORD_FILE: join(dir, 'password') };
  writeFileSync(keystore.KEYSTORE_PASSWORD_FILE, 'correct horse battery\n');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Nothing of the old machine: an empty folder, two nodes, and keys with gas that were bought this morning. */
const afterwards = () => ({
  DATA_DIR: join(dir, 'new-data'),
  BASE_RPC_URL: chain.rpcUrl,
  SOLANA_RPC_URL: solana.rpcUrl,
  LANE_KEYS: gasKey,
  SOLANA_FEE_PAYER_KEY: toBase58(feePayer.secretKey),
});

/** One wallet of each kind that people get. */
async function livedIn(dataDir: string): Promise<void> {
  const store = await openStore({ kind: 'sqlite', path: join(dataDir, 'pennypost.sqlite') });
  const nowMs = Date.now();
  await ensureUser(store, { id: 'chat:visitor', transport: 'web', walletAddress: '0x', createdAtMs: nowMs });
  for (const platform of ['discord', 'telegram'] as const) {
    const account = { platform, stableId: '100000000000000001', display: 'Ann', walletAddress: '0x' };
    await ensureChatAccount({ store, ids, nowMs }, account);
  }
  const holder = { holderId: 'chat:browser', walletId: 'x:7', identityId: 'p', name: 'x:alice' };
  await store.tx((db) => addHolder(db, store.tables, holder, nowMs));
  const mail = { platform: 'email', stableId: 'bob+tips@example.com', key: 'bob+tips@example.com', display: 'Bob' };
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, mail, 'id_bob', nowMs));
  await linkWallet(store, { identityId, network: 'base', address: newBase(), source: 'keep' }, ids.payoutId, nowMs);
  await store.close();
}

/** Books as a first start makes them. */
async function emptied(dataDir: string): Promise<void> {
  const path = join(dataDir, 'pennypost.sqlite');
  mkdirSync(dataDir, { recursive: true });
  rmSync(path, { force: true });
  await (await openStore({ kind: 'sqlite', path })).close();
}

test('from an empty data directory, words and list send every wallet’s money to its owner, once', async () => {
  const dataDir = join(dir, 'data');
  const { chatWalletSeed } = ensureLocalKeys(join(dataDir, 'local', 'keys.json'));
  await livedIn(dataDir);
  const before = { ...keystore, DATA_DIR: dataDir };
  await createMachine({ ...before, CHAT_WALLET_SEED: chatWalletSeed }).operate('keystore-create');
  const { answer, paper } = honestPerson();
  expect((await createMachine(before, { answer }).operate('backup-words')).exitCode).toBe(0);
  const listFile = join(dir, 'safe', 'wallets.jsonl');
  const listed = await createMachine(before).operate('wallet-list', listFile);
  expect([listed.exitCode, listed.text]).toEqual([0, expect.stringContaining('Wrote 6 wallets')]);
  const text = readFileSync(listFile, 'utf8');
  // On a new machine nobody is known, and the list is the last that there is.
  const empty = { ...before, DATA_DIR: join(dir, 'empty') };
  await emptied(empty.DATA_DIR);
  expect((await createMachine(empty).operate('wallet-list', listFile)).text).toContain('has other addresses');
  expect((await createMachine(empty).operate('wallet-list', `${listFile}.new`)).text).toContain('nothing was written');
  await emptied(dataDir);
  expect((await createMachine(before).operate('wallet-list', listFile)).text).toContain('Wrote 6 wallets');
  expect(readFileSync(listFile, 'utf8')).toBe(text);
  expect(text).not.toContain(chatWalletSeed);
  const list = text
    .trim()
    .split('\n')
    .map((line): ListedWallet => JSON.parse(line));
  const at = (walletId: string) => list.find((wallet) => wallet.walletId === walletId)!;

  await chain.fundUsdc(at('chat:visitor').base as Hex, usdc(5));
  await chain.fundUsdc(at('x:7').base as Hex, usdc(1.5));
  await chain.fundUsdc(at('email:bob+tips@example.com').base as Hex, usdc(0.000_001));
  await solana.fundUsdc(at('x:7').solana, usdc(2.25));
  await solana.fundUsdc(at('discord:100000000000000001').solana, usdc(7));
  await solana.fundUsdc(at('telegram:100000000000000001').solana, usdc(0.75));
  await chain.fundUsdc(at('telegram:100000000000000001').base as Hex, usdc(3));

  rmSync(dataDir, { recursive: true });
  rmSync(keystore.KEYSTORE);

  const [alice, rest] = [
    { base: newBase(), solana: newSolana() },
    { base: newBase(), solana: newSolana() },
  ];
  const toFile = join(dir, 'to.csv');
  const lines = Object.entries({ 'x:7': alice, '*': rest }).flatMap(([id, { base, solana: other }]) => [
    `${id},base,${base}`,
    `${id},solana,${other}`,
  ]);
  writeFileSync(toFile, lines.join('\n'));
  expect((await createMachine(keystore, { piped: paper.join(' ') }).operate('restore-words')).exitCode).toBe(0);
  const recover = (...more: string[]) =>
    createMachine({ ...keystore, ...afterwards() }).operate('recover', '--list', listFile, ...more);
  const arrived = async () => [
    await chain.usdcBalance(alice.base),
    await solana.usdcBalance(alice.solana),
    await chain.usdcBalance(rest.base),
    await solana.usdcBalance(rest.solana),
  ];

  const look = await recover();
  expect(look.text).toContain(`x:7 (x:alice): 1.50 USDC on base at ${shownAddress(at('x:7').base)}`);
  expect(look.text).toContain('6 wallets in the list; together 9.500001 USDC on Base, 10.00 USDC on Solana.');
  const dry = await recover('--to', toFile);
  expect([dry.exitCode, dry.text]).toEqual([
    0,
    expect.stringContaining('7 transfers would be sent. This was a look only'),
  ]);
  expect(await arrived()).toEqual([0n, 0n, 0n, 0n]);

  const sent = await recover('--to', toFile, '--yes');
  expect([sent.exitCode, sent.text]).toEqual([0, expect.stringContaining('Everything has moved.')]);
  const all = [usdc(1.5), usdc(2.25), usdc(8.000_001), usdc(7.75)];
  expect(await arrived()).toEqual(all);
  for (const wallet of list) {
    expect([await chain.usdcBalance(wallet.base as Hex), await solana.usdcBalance(wallet.solana)]).toEqual([0n, 0n]);
  }

  const again = await recover('--to', toFile, '--yes');
  expect([again.exitCode, again.text]).toEqual([0, expect.stringContaining('There was nothing to move.')]);
  expect(await arrived()).toEqual(all);
}, 120_000);

describe('with the words typed and a list', () => {
  const walletIds = ['x:7', 'discord:5'];
  let wallets: ReturnType<typeof createWallets>;
  let seed: Buffer;
  let files: string[];
  let owner: { base: Hex; solana: string };

  beforeEach(() => {
    seed = randomBytes(32);
    wallets = createWallets(seed, 'local');
    owner = { base: newBase(), solana: newSolana() };
    const [list, to] = [join(dir, 'list'), join(dir, 'to')];
    writeFileSync(list, walletIds.map((walletId) => JSON.stringify({ walletId })).join('\n'));
    writeFileSync(to, `*,base,${owner.base}\n*,solana,${owner.solana}`);
    files = ['--list', list, '--to', to];
  });

  const recover = (environment: Record<string, string>, ...more: string[]) =>
    createMachine({ ...environment, CHAT_WALLET_SEED: seed.toString('hex') }).operate('recover', ...files, ...more);
  const fund = async (amount: number, ...of: string[]) => {
    for (const id of of) {
      await chain.fundUsdc(wallets.base.addressOf(id), usdc(amount));
      await solana.fundUsdc(wallets.solana.addressOf(id), usdc(amount));
    }
  };
  const arrived = async () => [await chain.usdcBalance(owner.base), await solana.usdcBalance(owner.solana)];

  test('two that run at once move everything once', async () => {
    await fund(2, ...walletIds);
    const results = await Promise.all([
      recover(afterwards(), '--yes'),
      recover({ ...afterwards(), DATA_DIR: join(dir, 'other-data') }, '--yes'),
    ]);
    await recover(afterwards(), '--yes');
    expect(await arrived()).toEqual([usdc(4), usdc(4)]);
    expect(results.map(({ text }) => text).join()).toContain('went to');
  });

  test('a run moves nothing out of a wallet again, also without its journal; another run does', async () => {
    await fund(1, 'x:7');
    expect((await recover(afterwards(), '--yes')).exitCode).toBe(0);
    await fund(1, 'x:7');
    for (const DATA_DIR of [afterwards().DATA_DIR, join(dir, 'without-journal')]) {
      const { exitCode, text } = await recover({ ...afterwards(), DATA_DIR }, '--yes');
      expect(exitCode).toBe(1);
      expect(text.match(/this run has emptied it before/g)).toHaveLength(2);
      expect(await arrived()).toEqual([usdc(1), usdc(1)]);
    }
    expect((await recover(afterwards(), '--yes', '--run', 'second')).exitCode).toBe(0);
    expect(await arrived()).toEqual([usdc(2), usdc(2)]);
  });

  test('what Solana has lost dies for certain before it is signed again', async () => {
    await solana.fundUsdc(wallets.solana.addressOf('x:7'), usdc(1));
    await solana.setFault({ kind: 'drop' });
    const running = recover(afterwards(), '--yes');
    while ((await solana.fired('drop')) === 0) await solana.rpc('getSlot');
    solana.expireBlockhashes();
    await solana.clearFaults();
    expect((await running).exitCode).toBe(0);
    expect((await arrived())[1]).toBe(usdc(1));
    const journal = readFileSync(join(dir, 'new-data', 'recover-1.jsonl'), 'utf8');
    expect(journal).toContain('"generation":1');
  });

  test('started again while its transaction may still land, it follows that one and signs no other', async () => {
    await solana.fundUsdc(wallets.solana.addressOf('x:7'), usdc(1));
    await solana.setFault({ kind: 'hold' });
    const journal = () =>
      readFileSync(join(dir, 'new-data', 'recover-1.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean);
    const first = recover(afterwards(), '--yes');
    while ((await solana.fired('hold')) === 0) await solana.rpc('getSlot');
    const second = recover(afterwards(), '--yes');
    while ((await solana.fired('hold')) < 3) await solana.rpc('getSlot');
    expect(journal()).toHaveLength(1);
    await solana.clearFaults();
    await solana.release();
    const ends = await Promise.all([first, second]);
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    // Where the second was told to send it decides nothing any more.
    expect(ends.map(({ text }) => text.includes('to the address named then'))).toEqual([false, true]);
    expect((await arrived())[1]).toBe(usdc(1));
    expect(journal().filter((line) => line.includes('"wire"'))).toHaveLength(1);
  });

  test('a wallet that the issuer has barred keeps nobody else’s money back', async () => {
    await fund(1, ...walletIds);
    await solana.freezeUsdc(wallets.solana.addressOf('x:7'));
    const { exitCode, text } = await recover(afterwards(), '--yes');
    expect([exitCode, text]).toEqual([1, expect.stringContaining('x:7 on solana: the token would refuse it')]);
    expect(await arrived()).toEqual([usdc(2), usdc(1)]);
  });

  const refused: [string, (environment: Record<string, string>) => [Record<string, string>, string?], string][] = [
    ['no gas', (env) => [{ ...env, LANE_KEYS: `0x${'9'.repeat(64)}` }], 'are needed for gas. Nothing was sent'],
    ['no key for gas', ({ LANE_KEYS: _gone, ...env }) => [env], 'LANE_KEYS must name a key'],
    [
      'a node of another machine in local mode',
      (env) => [{ ...env, BASE_RPC_URL: 'https://rpc.example.com' }],
      'a loopback URL',
    ],
    [
      'one of the wallets as the target',
      (env) => [env, `*,base,${wallets.base.addressOf('x:7')}`],
      'one of the wallets that are to be emptied',
    ],
    ['the key for gas as the target', (env) => [env, `*,base,${addressOfKey(gasKey)}`], 'belongs to this service'],
    ['the token as the target', (env) => [env, `*,base,${chain.usdcAddress}`], 'the address of a token'],
    [
      'a target with a wrong letter in it',
      (env) => [env, '*,base,0x5bAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
      'has a typing mistake',
    ],
    [
      'an address for a wallet that is not in the list',
      (env) => [env, `x:77,base,${owner.base}\n*,base,${newBase()}`],
      'x:77 has an address, and is not in the list of wallets',
    ],
  ];
  test('a run that lacks something, or has a wrong target, is refused before anything is sent', async () => {
    await fund(1, 'x:7');
    const everything = readFileSync(files[3]!, 'utf8');
    for (const [index, [title, change, says]] of refused.entries()) {
      const [environment, targets = everything] = change({ ...afterwards(), DATA_DIR: join(dir, `data-${index}`) });
      writeFileSync(files[3]!, targets);
      const { exitCode, text } = await recover(environment, '--yes');
      expect([title, exitCode, text, await arrived()]).toEqual([title, 1, expect.stringContaining(says), [0n, 0n]]);
    }
  });

  test('nothing is sent without --to, and nothing is shown without a seed', async () => {
    const machine = createMachine(afterwards());
    expect((await machine.operate('recover', '--list', files[1]!, '--yes')).exitCode).toBe(2);
    expect((await machine.operate('recover', '--list', files[1]!)).text).toContain('The seed is needed');
  });
});
