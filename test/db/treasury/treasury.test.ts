import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TREASURY_ADDRESS_WAIT_MS } from '../../../core/treasury/treasury.ts';
import { openTreasury } from '../../../db/treasury/treasury.ts';
import { announceTreasuryAddress, setTreasuryAddress } from '../../../db/treasury/treasury-addresses.ts';
import { confirmTreasuryWithdrawal } from '../../../db/treasury/treasury-confirm.ts';
import { noteReceived, receiptsOf, sentOutOf } from '../../../db/treasury/treasury-deposits.ts';
import { confirmationsOf, proposeTreasuryWithdrawal } from '../../../db/treasury/treasury-withdrawals.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import type { Store } from '../../../db/store/store.ts';
import { markMoved } from '../../../db/withdrawals/end.ts';
import { withdrawalsOfWallet } from '../../../db/withdrawals/find.ts';
import { treasuryStatement } from '../../../bot/files/treasury-statement.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const WALLET = 'discord-guild:4200';
const TO = `0x${'cd'.repeat(20)}`;
const standing = { ownerId: 'discord:1', isOwnerAlone: false, botSinceMs: null };
const place = { walletId: WALLET, network: 'base' as const, transport: 'discord', chatId: 'chat', language: null };

let dir: string;
let store: Store;

/** As the core does it: the platform is asked about everybody who is known to have confirmed. */
async function confirm(id: string, userId: string, nowMs: number): Promise<void> {
  for (;;) {
    const known = await confirmationsOf(store.read, store.tables, id);
    const askedIds = [...new Set([userId, ...known.map((one) => one.userId)])];
    const moderatorIds = askedIds.filter((one) => one !== 'discord:1');
    const press = { id, userId, askedIds, standing: { ...standing, moderatorIds }, nowMs };
    const wallet = { network: 'base' as const, fromAddress: `0x${'ab'.repeat(20)}` } as const;
    const { kind } = await confirmTreasuryWithdrawal(store, { ...press, ...wallet });
    if (kind !== 'ask_again') return;
  }
}

onBothDatabases((fresh) => {
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'pennypost-treasury-'));
    store = await openMigrated((await fresh()) ?? { kind: 'sqlite', path: join(dir, 'test.sqlite') });
    await openTreasury(store, { walletId: WALLET, transport: 'discord', communityId: '4200' }, 1);
    const address = { ...place, id: 'a1', requestKey: 'a1', address: TO, setBy: 'discord:1', setAtMs: 1 };
    await setTreasuryAddress(store, address);
    await announceTreasuryAddress(store, { id: 'a1', messageId: 'm', nowMs: 1 });
  });
  afterAll(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('of eight cards that three confirm at once, each makes one withdrawal', async () => {
    for (let card = 0; card < 8; card++) {
      const id = String(card).padStart(32, '0');
      const nowMs = TREASURY_ADDRESS_WAIT_MS * 2;
      const proposal = { ...place, id, requestKey: id, addressId: 'a1', toAddress: TO, amountMicroUsdc: 10_000n };
      await proposeTreasuryWithdrawal(store, {
        ...proposal,
        communityId: '4200',
        proposedBy: 'discord:2',
        createdAtMs: nowMs,
      });
      await Promise.all(['discord:2', 'discord:1', 'discord:3'].map((userId) => confirm(id, userId, nowMs)));
      const made = await withdrawalsOfWallet(store, WALLET, 100);
      expect([card, made.length, made.some((row) => row.id === id)]).toEqual([card, card + 1, true]);
      expect(await sentOutOf(store, place, nowMs)).toBeNull();
      await markMoved(store, { id, from: 'requested', transaction: null }, nowMs);
      expect(await sentOutOf(store, place, nowMs - 1)).toBeNull();
    }
    expect(await sentOutOf(store, place, TREASURY_ADDRESS_WAIT_MS * 10)).toBe(80_000n);
  });

  test('of two cards proposed at once one waits for the other', async () => {
    const propose = (id: string) =>
      proposeTreasuryWithdrawal(store, {
        ...place,
        id,
        requestKey: id,
        addressId: 'a1',
        toAddress: TO,
        amountMicroUsdc: 10_000n,
        communityId: '4200',
        proposedBy: 'discord:2',
        createdAtMs: TREASURY_ADDRESS_WAIT_MS * 20,
      });
    const kinds = (await Promise.all(['x'.repeat(32), 'y'.repeat(32)].map(propose))).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['busy', 'proposed']);
  });

  test('a reward has left it once that is paid by a header of its own, and meanwhile nobody knows', async () => {
    const { rewardCards } = store.tables;
    const [walletId, network] = ['discord-guild:4300', 'solana'] as const;
    const preview = { weights: { like: 1, comment: 2, repost: 3 }, author: 'alice', postUrl: null, page: '', csv: '' };
    const post = {
      post: 'https://x.com/a/status/1',
      excluded: [],
      preview: { ...preview, count: 0, top: [], leftOut: [] },
    };
    const sums = { budgetMicroUsdc: 5_000_000n, totalMicroUsdc: 5_100_000n, costMaxMicroUsdc: 0n };
    const times = { createdAtMs: 1, expiresAtMs: 2, paidAtMs: 100 };
    const where = {
      walletId,
      network,
      transport: 'discord',
      communityId: '4300',
      chatId: 'chat',
      proposedBy: 'discord:2',
    };
    const common = { ...where, ...post, ...sums, ...times, status: 'paid' as const };
    const card = (id: string, row: Partial<typeof rewardCards.$inferInsert>) =>
      store.tx((db) => db.insert(rewardCards).values({ id, requestKey: id, distributionId: id, ...common, ...row }));
    const sent = (untilMs: number) => sentOutOf(store, { walletId, network }, untilMs);
    await card('paid', { header: 'header' });
    await card('by another person', { header: null });
    await card('on the other network', { header: 'header', network: 'base' as const });
    await card('refused', { header: 'header', status: 'failed', paidAtMs: null });
    expect([await sent(99), await sent(100)]).toEqual([null, 5_100_000n]);
    await card('signed', { header: 'header', status: 'signed', paidAtMs: null });
    expect(await sent(100)).toBeNull();
    const lines = (await treasuryStatement(store, walletId, [network])).trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',').slice(1, 6).join()).toSorted()).toEqual([
      'base,out,5.1,reward,paid',
      'solana,out,5.1,reward,on its way',
      'solana,out,5.1,reward,paid',
    ]);
  });

  test('what came in only ever rises', async () => {
    for (const total of [5n, 7n, 6n, 7n, 9n]) await noteReceived(store, place, total, Number(total));
    expect((await receiptsOf(store, place)).map(({ totalMicroUsdc }) => totalMicroUsdc)).toEqual([5n, 7n, 9n]);
  });
});
