import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recoveryNonce } from '../../../chain/evm/recovery.ts';
import { withdrawalNonce } from '../../../chain/evm/nonces.ts';
import { openJournal, type Attempt } from '../../../service/recovery/journal.ts';
import { readTargets } from '../../../service/recovery/targets.ts';
import {
  createWallets,
  formatWalletList,
  readWalletList,
  toListedWallet,
} from '../../../service/recovery/wallet-list.ts';

const wallets = createWallets(Buffer.alloc(32, 7), 'local');
const list = [
  toListedWallet(wallets, { walletId: 'x:7', name: 'x:alice "the, first"' }),
  toListedWallet(wallets, { walletId: 'email:bob@example.com', name: null }),
];

describe('the list of wallets', () => {
  test('comes back as it was written, and a line of it is an object for any other program', () => {
    const text = formatWalletList(list);
    expect(readWalletList(text, wallets)).toEqual(list);
    expect(JSON.parse(text.split('\n')[0] ?? '')).toEqual(list[0]);
  });

  test('takes ids that were written by hand', () => {
    expect(readWalletList('\n{"walletId":"x:7"}\n', wallets)).toEqual([{ ...list[0], name: null }]);
  });

  test('is refused with the seed of another installation', () => {
    const others = createWallets(Buffer.alloc(32, 8), 'local');
    expect(() => readWalletList(formatWalletList(list), others)).toThrow('Line 1: x:7 has other addresses');
  });

  test.each(['x:7', '{"walletId":"x 7"}', '{"walletId":7}', '[]', '{"base":"0x"}'])('refuses %j', (line) => {
    expect(() => readWalletList(`${formatWalletList(list)}${line}`, wallets)).toThrow('Line 3');
  });
});

describe('the addresses that money goes to', () => {
  const [one, two] = [`0x${'AB'.repeat(20)}`, `0x${'cd'.repeat(20)}`];

  test('are named for a wallet, or for all others', () => {
    const targets = readTargets(`# who, where\nx:7,base,${one}\n\n*,base, ${two}\r\nemail:a,b@c.d,solana,Abc\n`);
    expect(targets.of('x:7', 'base')).toBe(one.toLowerCase());
    expect(targets.of('x:8', 'base')).toBe(two);
    expect(targets.of('email:a,b@c.d', 'solana')).toBe('Abc');
    expect(targets.of('x:7', 'solana')).toBeUndefined();
    expect(targets.all).toHaveLength(3);
    expect(targets.named).toEqual(['x:7', 'email:a,b@c.d']);
  });

  test('are checked as they were written, because their upper and lower case is a checksum', () => {
    expect(readTargets(`x:7,base,${one}`).all).toEqual([{ network: 'base', address: one }]);
  });

  test.each([
    ['x:7,base', 'Line 1'],
    [`x:7,bitcoin,${one}`, 'Line 1'],
    [`x:7,base,${one}\nx:7,base,${two}`, 'Line 2 of the addresses names a second one for x:7'],
  ])('%j is refused', (text, says) => {
    expect(() => readTargets(text)).toThrow(says);
  });
});

describe('the journal', () => {
  const attempt: Attempt = { walletId: 'x:7', generation: 0, signature: 's0', wire: 'AA==', lastValidHeight: 5 };
  const file = () => {
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-journal-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    return join(dir, 'new', 'recover-1.jsonl');
  };

  test('remembers the newest attempt of a wallet, and how it ended, across a restart', () => {
    const path = file();
    const first = openJournal(path);
    expect(first.last('x:7')).toBeNull();
    first.begin(attempt);
    expect(openJournal(path).last('x:7')).toEqual({ attempt, end: null });
    first.finish(attempt, 'dead');
    const next = { ...attempt, generation: 1, signature: 's1' };
    openJournal(path).begin(next);
    expect(openJournal(path).last('x:7')).toEqual({ attempt: next, end: null });
    openJournal(path).finish(next, 'landed');
    expect(openJournal(path).last('x:7')).toEqual({ attempt: next, end: 'landed' });
  });

  test('half a line, which a crash has left, hides nothing that comes after it', () => {
    const path = file();
    openJournal(path).begin(attempt);
    appendFileSync(path, '{"walletId":"x:8","gener');
    const journal = openJournal(path);
    expect([journal.last('x:8'), journal.last('x:7')?.attempt]).toEqual([null, attempt]);
    journal.finish(attempt, 'landed');
    expect(openJournal(path).last('x:7')?.end).toBe('landed');
  });
});

test('nonces of a recovery depend on run and wallet, and are those of nothing else', () => {
  const nonces = [
    recoveryNonce('1', 'x:7'),
    recoveryNonce('2', 'x:7'),
    recoveryNonce('1', 'x:8'),
    withdrawalNonce({ id: '1', generation: 7 }),
  ];
  expect(new Set(nonces).size).toBe(4);
  expect(recoveryNonce('1', 'x:7')).toBe(nonces[0]);
  expect(() => recoveryNonce('1/x', 'x:7')).toThrow('a run is named');
});
