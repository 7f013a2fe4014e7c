import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { like } from 'drizzle-orm';
import { generatePrivateKey } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { readFormers } from '../../../db/rotations/formers.ts';
import { startCursor } from '../../../db/scan/cursor.ts';
import type { Store } from '../../../db/store/store.ts';
import { noteFormerHeads, tieStore } from '../../../service/networks/belongs.ts';
import { createEvmParts, type EvmKeys } from '../../../service/networks/evm.ts';
import { idMarksOf, type SolanaKeys } from '../../../service/networks/keys.ts';
import { createSolanaParts } from '../../../service/networks/solana.ts';
import { openKnownTransferIds } from '../../../service/transfer-ids.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { randomSolanaKey } from '../../support/solana-service.ts';

const URL = 'http://127.0.0.1:1';
const MARKS = new Map([['base', 'a mark']] as const);
const SOLANA_MARKS = new Map([['solana', 'a mark']] as const);

let dir: string;
let store: Store;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-belongs-'));
  store = await openMigrated({ kind: 'sqlite', path: join(dir, 'test.sqlite') });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true });
});

const [first, second] = [generatePrivateKey(), generatePrivateKey()];
const before: EvmKeys = { treasuryKey: first, laneKeys: [] };
const after: EvmKeys = { treasuryKey: second, laneKeys: [], formerTreasuryKeys: [first] };

type Asked = { mode?: 'local' | 'testnet'; onMode?: 'local' | 'testnet' };

function tie(keys: EvmKeys, { mode = 'local', onMode = mode }: Asked = {}) {
  const parts = createEvmParts('base', onMode, URL, keys);
  return tieStore(store, new Map([['base', parts]]), { mode, marks: MARKS });
}

const formers = () => readFormers(store.read, store.tables);

test.each([
  ['of another mode', { mode: 'testnet', onMode: 'local' }],
  ['of another chain and token', { mode: 'local', onMode: 'testnet' }],
] as const)('a rotation is not written into the database %s', async (_which, asked) => {
  await tie(before);
  await expect(tie(after, asked)).rejects.toThrow('this database belongs to');
  expect(await formers()).toEqual([]);
  await tie(before);
});

describe('on Solana', () => {
  const keys: SolanaKeys = {
    treasuryKey: randomSolanaKey(),
    taskKey: randomSolanaKey(),
    feePayerKey: randomSolanaKey(),
  };
  const tieSolana = (changed: Partial<SolanaKeys> = {}, compromised: readonly string[] = []) => {
    const parts = createSolanaParts('local', URL, { ...keys, ...changed });
    return tieStore(store, new Map([['solana', parts]]), { mode: 'local', marks: SOLANA_MARKS, compromised });
  };
  const replacing: Partial<SolanaKeys> = {
    treasuryKey: randomSolanaKey(),
    formerTreasuryKeys: [keys.treasuryKey],
    taskKey: randomSolanaKey(),
    formerTaskKeys: [keys.taskKey ?? ''],
  };

  test('a start with another key is refused without the old one, and the books stay those of that', async () => {
    await tieSolana();
    await expect(tieSolana({ treasuryKey: randomSolanaKey() })).rejects.toThrow(
      'put it at the end of SOLANA_FORMER_TREASURY_KEYS',
    );
    await expect(tieSolana({ taskKey: randomSolanaKey() })).rejects.toThrow(
      'put it at the end of SOLANA_FORMER_TASK_KEYS',
    );
    expect(await formers()).toEqual([]);
    const { mayServe } = await tieSolana();
    await store.tx(mayServe);
  });

  test('treasury and task address can be replaced, and no start goes without the old ones afterwards', async () => {
    const { mayServe } = await tieSolana();
    await tieSolana(replacing);
    const { treasury, task } = createSolanaParts('local', URL, keys);
    const old = [treasury.address, task?.key.address ?? ''];
    expect(new Set((await formers()).map(({ address }) => address))).toEqual(new Set(old));
    await expect(store.tx(mayServe)).rejects.toThrow('it serves nothing');
    await expect(tieSolana({ ...replacing, formerTaskKeys: [] })).rejects.toThrow('it is never deleted');
    await expect(tieSolana()).rejects.toThrow('which was replaced before');
  });

  test('the fee payer may be another one at each start', async () => {
    await tieSolana();
    const { mayServe } = await tieSolana({ feePayerKey: randomSolanaKey() });
    await store.tx(mayServe);
    expect(await formers()).toEqual([]);
  });

  test('an address that is in use is not taken for one whose key others know', async () => {
    const { treasury } = createSolanaParts('local', URL, keys);
    await expect(tieSolana({}, [treasury.address])).rejects.toThrow('which is still in use on solana');
  });
});

describe('the head of Solana at a rotation', () => {
  const keys: SolanaKeys = { treasuryKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
  const next = { ...keys, treasuryKey: randomSolanaKey(), formerTreasuryKeys: [keys.treasuryKey] };
  const FINALIZED = { slot: 1_000_000, height: 900_000 };

  async function note(processed: { slot: number; height: number }): Promise<string[]> {
    const parts = createSolanaParts('local', URL, next);
    const rpc = {
      ...parts.rpc,
      slot: async () => processed.slot,
      height: async () => processed.height,
      finalized: async () => FINALIZED,
    };
    await noteFormerHeads(store, { ...parts, rpc });
    const { stamps } = store.tables;
    const rows = await store.read.select().from(stamps).where(like(stamps.name, 'solana:former-%'));
    return rows.map(({ value }) => value).toSorted();
  }

  beforeEach(async () => {
    const tieSolana = (own: SolanaKeys) =>
      tieStore(store, new Map([['solana', createSolanaParts('local', URL, own)]]), {
        mode: 'local',
        marks: SOLANA_MARKS,
      });
    await tieSolana(keys);
    await tieSolana(next);
    const heights = { firstBlock: 1, block: 1_000, safeBlock: 1_000, finalizedBlock: 1_000 };
    await startCursor(
      store,
      { network: 'solana', ...heights, blockHash: '', blockTime: 1, taskSignature: null },
      [],
      1,
    );
  });

  test.each([
    ['slot', { slot: FINALIZED.slot + 9_001, height: FINALIZED.height }],
    ['height', { slot: FINALIZED.slot, height: FINALIZED.height + 9_001 }],
  ])('is not noted where its %s is absurd, and is by the next answer', async (_which, processed) => {
    await expect(note(processed)).rejects.toThrow('inconsistent');
    expect(await note({ slot: FINALIZED.slot + 40, height: FINALIZED.height + 40 })).toEqual(['1000040', '900190']);
  });

  test('is never below what is final', async () => {
    expect(await note({ slot: 5, height: 5 })).toEqual(['1000000', '900150']);
  });
});

test('a process goes on serving until its keys are replaced', async () => {
  const { mayServe } = await tie(before);
  await store.tx(mayServe);
  await tie(after);
  await expect(store.tx(mayServe)).rejects.toThrow('it serves nothing');
});

test('operator commands with other keys make no ids', async () => {
  const keys = { TREASURY_KEY: first, LANE_KEYS: generatePrivateKey(), BASE_RPC_URL: URL };
  const operator = {
    OPERATOR_NAME: 'The test',
    SUPPORT_URL: 'https://example.com/help',
    TERMS_URL: 'https://example.com/terms',
  };
  const configOf = (env: Record<string, string>) =>
    parseConfig({ NETWORK_MODE: 'testnet', NETWORKS: 'base', ...operator, ...env });
  const config = configOf(keys);
  const parts = createEvmParts('base', 'testnet', URL, before);
  await tieStore(store, new Map([['base', parts]]), { mode: 'testnet', marks: idMarksOf(config) });
  await openKnownTransferIds(config, store);
  await openKnownTransferIds(configOf({ ...keys, TREASURY_KEY: second, FORMER_TREASURY_KEYS: first }), store);
  const other = configOf({ ...keys, TREASURY_KEY: second });
  await expect(openKnownTransferIds(other, store)).rejects.toThrow('payouts made twice');
});
