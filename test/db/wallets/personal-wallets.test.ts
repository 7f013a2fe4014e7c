import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayoutTarget } from '../../../core/claims/claims.ts';
import { openTreasury } from '../../../db/treasury/treasury.ts';
import { ensureUser } from '../../../db/chats/users.ts';
import { addHolder, dropOtherHolders } from '../../../db/wallets/holders.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { listPersonalWallets } from '../../../db/wallets/personal-wallets.ts';
import type { Store } from '../../../db/store/store.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { onBothDatabases } from '../../support/postgres.ts';

let dir: string;
let store: Store;

const meet = (platform: 'x' | 'email' | 'code', stableId: string, key: string) =>
  store.tx((db) => ensureIdentity(db, store.tables, { platform, stableId, key, display: key }, `id_${stableId}`, 1));

const claim = (id: string, identityId: string | null, payout: PayoutTarget) => {
  const { claims } = store.tables;
  return store.tx((db) =>
    db.insert(claims).values({
      id,
      platform: 'x',
      key: 'k',
      display: 'k',
      payout,
      method: 'oauth',
      status: 'rejected',
      identityId,
      tries: 0,
      createdAtMs: 1,
      expiresAtMs: 2,
    }),
  );
};

const hold = (holderId: string, walletId: string, name: string, atMs: number) =>
  store.tx((db) => addHolder(db, store.tables, { holderId, walletId, identityId: 'p', name }, atMs));

onBothDatabases((fresh) => {
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'pennypost-wallets-'));
    store = await openMigrated((await fresh()) ?? { kind: 'sqlite', path: join(dir, 'test.sqlite') });
  });
  afterAll(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('every wallet that a person was ever shown is listed once, by its last name', async () => {
    await ensureUser(store, { id: 'chat:visitor', transport: 'web', walletAddress: '0x', createdAtMs: 1 });
    await hold('chat:browser', 'x:7', 'x:alice', 1);
    await hold('discord:5', 'x:7', 'x:alice_renamed', 2);
    await hold('discord:5', 'discord:5', 'discord:5', 2);
    // Kept through the API: nobody holds it, and money goes there.
    const keeper = await meet('email', 'bob@example.com', 'bob@example.com');
    await linkWallet(
      store,
      { identityId: keeper, network: 'base', address: `0x${'ab'.repeat(20)}`, source: 'keep' },
      () => 'p',
      1,
    );
    // Given an own address: there is no wallet for them here.
    const other = await meet('x', '9', 'carol');
    await linkWallet(
      store,
      { identityId: other, network: 'base', address: `0x${'cd'.repeat(20)}`, source: 'claim' },
      () => 'p',
      1,
    );
    await claim('c1', await meet('code', '11', 'dave'), { keep: true });
    await claim('c2', other, { base: `0x${'cd'.repeat(20)}` });
    await claim('c3', null, { keep: true });
    // Of communities, once their addresses were shown.
    const guild = { walletId: 'discord-guild:4200', transport: 'discord', communityId: '4200' };
    await Promise.all([openTreasury(store, guild, 1), openTreasury(store, guild, 2)]);
    expect(await listPersonalWallets(store)).toEqual([
      { walletId: 'chat:browser', name: null },
      { walletId: 'chat:visitor', name: null },
      { walletId: 'code:11', name: 'code:dave' },
      { walletId: 'discord-guild:4200', name: null },
      { walletId: 'discord:5', name: 'discord:5' },
      { walletId: 'email:bob@example.com', name: 'email:bob@example.com' },
      { walletId: 'x:7', name: 'x:alice_renamed' },
    ]);
  });

  test('one stays listed when another browser takes it over', async () => {
    await hold('chat:other', 'x:7', 'x:alice_renamed', 1_000);
    expect(await dropOtherHolders(store, { walletId: 'x:7', holderId: 'chat:other' }, 1_000)).toBe(true);
    const ids = (await listPersonalWallets(store)).map(({ walletId }) => walletId);
    expect(ids).toContain('x:7');
  });

  test('more wallets than are read at once are all listed', async () => {
    const { walletHolders } = store.tables;
    const rows = Array.from({ length: 1_203 }, (_, index) => ({
      holderId: `telegram:${index}`,
      walletId: `telegram:${index}`,
      identityId: 'p',
      name: `telegram:${index}`,
      sinceMs: 1,
      spendsFromMs: 0,
      looksFromMs: 0,
    }));
    await store.tx((db) => db.insert(walletHolders).values(rows));
    const ids = (await listPersonalWallets(store)).map(({ walletId }) => walletId);
    expect(ids.filter((id) => id.startsWith('telegram:'))).toHaveLength(1_203);
  });
});
