/** A local chain that came back older than the books ends a start; one false answer of its node does not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Network } from '../../../core/networks.ts';
import type { Store } from '../../../db/store/store.ts';
import { isOlderThanBooks, type NetworkParts } from '../../../service/networks.ts';
import { openMigrated } from '../../support/databases/migrated.ts';

const KNOWN = { slot: 5, failed: false, commitment: 'finalized' };

let dir: string;
let store: Store;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-older-'));
  store = await openMigrated({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A node whose first so many answers deny what the books know. */
function nodeOf(network: Network, denials: number) {
  const isTrue = (asked: number) => asked > denials;
  let asked = 0;
  const rpc = {
    slot: async () => 10,
    statuses: async () => ({ contextSlot: 10, statuses: [isTrue((asked += 1)) ? KNOWN : null] }),
    blocks: async () => [{ hash: isTrue((asked += 1)) ? '0xaa' : '0xbb' }],
  };
  const family = network === 'solana' ? 'svm' : 'evm';
  return { parts: { family, profile: { network }, rpc } as unknown as NetworkParts, asked: () => asked };
}

describe.each<Network>(['base', 'solana'])('on %s', (network) => {
  beforeEach(async () => {
    const row = { network, firstBlock: 0, block: 5, blockHash: '0xaa', blockTime: 1, safeBlock: 5, finalizedBlock: 5 };
    await store.tx((db) => db.insert(store.tables.scanCursors).values({ ...row, taskSignature: null }));
  });

  test('a node that denies it once, or a few times, is asked again', async () => {
    const { parts, asked } = nodeOf(network, 3);
    expect(await isOlderThanBooks(store, parts, async () => undefined)).toBe(false);
    expect(asked()).toBe(4);
  });

  test('a chain that is older says so each time', async () => {
    const { parts } = nodeOf(network, Infinity);
    expect(await isOlderThanBooks(store, parts, async () => undefined)).toBe(true);
  });
});
