import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REWARD_CARD_MS } from '../../../core/reward-cards.ts';
import { confirmReward } from '../../../db/bot/reward-confirm.ts';
import {
  dueRewards,
  expireReward,
  findReward,
  markRewardFailed,
  markRewardPaid,
  markRewardSigned,
  openReward,
  proposeReward,
  rejectReward,
  reopenReward,
  wordsOf,
  type NewRewardCard,
} from '../../../db/bot/reward-cards.ts';
import { openTreasury } from '../../../db/bot/treasury.ts';
import { openStore } from '../../../db/open.ts';
import type { Store } from '../../../db/store.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const CROWD = { isOneEnough: false, isLone: false };
const NOW_MS = 1_000;

let dir: string;
let store: Store;
let count = 0;

/** Each in a community of its own, unless one is named. */
async function propose(change: Partial<NewRewardCard> = {}, replaces: string | null = null) {
  const id = `reward_${++count}`;
  const communityId = String(4_200 + count);
  const walletId = change.walletId ?? `discord-guild:${communityId}`;
  await openTreasury(store, { walletId, transport: 'discord', communityId }, 1);
  const preview = { author: '', postUrl: null, page: '', csv: '', count: 1, top: [], leftOut: [] };
  const card: NewRewardCard = {
    id,
    requestKey: id,
    distributionId: `dist_${count}`,
    walletId,
    transport: 'discord',
    communityId,
    chatId: 'chat',
    language: null,
    proposedBy: 'asked',
    post: 'post',
    excluded: [],
    preview: { ...preview, weights: { like: 1, comment: 2, repost: 3 } },
    budgetMicroUsdc: 25_000_000n,
    totalMicroUsdc: 25_000_000n,
    ...CROWD,
    createdAtMs: NOW_MS,
    expiresAtMs: NOW_MS + REWARD_CARD_MS,
    ...change,
  };
  return { id, walletId, proposed: await proposeReward(store, card, replaces) };
}

/** As the core does it: the platform is asked about everybody who is known to have confirmed. */
async function confirm(id: string, userId: string): Promise<string> {
  for (;;) {
    const known = await wordsOf(store.read, store.tables, id);
    const askedIds = [...new Set([userId, ...known.map((word) => word.userId)])];
    const asked = { askedIds, deciderIds: askedIds, crowd: CROWD };
    const from = { network: 'base', payerAddress: `0x${'ab'.repeat(20)}` } as const;
    const { kind } = await confirmReward(store, { id, userId, ...asked, ...from, nowMs: NOW_MS });
    if (kind !== 'ask_again') return kind;
  }
}

async function confirmed(): Promise<string> {
  const { id } = await propose();
  await confirm(id, 'one');
  expect(await confirm(id, 'two')).toBe('confirmed');
  return id;
}

onBothDatabases((fresh) => {
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'pennypost-rewards-'));
    store = await openStore((await fresh()) ?? { kind: 'sqlite', path: join(dir, 'test.sqlite') });
  });
  afterAll(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('of three who confirm at once, one is the last, for each of 30 cards', async () => {
    for (let card = 0; card < 30; card++) {
      const { id } = await propose();
      const kinds = await Promise.all(['one', 'two', 'three'].map((userId) => confirm(id, userId)));
      expect(kinds.toSorted()).toEqual(['confirmed', 'over', 'recorded']);
      expect(await findReward(store, id)).toMatchObject({ status: 'confirmed', network: 'base', endedAtMs: NOW_MS });
    }
  });

  test('of those who ask at once, one has a card; the same event again is the same card', async () => {
    const walletId = 'discord-guild:4200';
    const all = await Promise.all(Array.from({ length: 5 }, () => propose({ walletId })));
    expect(all.map(({ proposed }) => proposed.kind).toSorted()).toEqual(['busy', 'busy', 'busy', 'busy', 'proposed']);
    const open = await openReward(store, walletId, NOW_MS);
    const again = await propose({ walletId, requestKey: open?.requestKey ?? '', distributionId: 'dist_again' });
    expect(again.proposed).toMatchObject({ kind: 'proposed', card: { id: open?.id } });
  });

  test('a card is replaced or decided, never both', async () => {
    for (let round = 0; round < 20; round++) {
      const { id, walletId } = await propose();
      await confirm(id, 'one');
      const [last, { proposed }] = await Promise.all([confirm(id, 'two'), propose({ walletId }, id)]);
      const old = await findReward(store, id);
      expect([last, proposed.kind, old?.status]).toEqual(
        proposed.kind === 'proposed' ? ['over', 'proposed', 'replaced'] : ['confirmed', 'over', 'confirmed'],
      );
    }
  });

  test('a card is rejected or confirmed, never both', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await propose();
      await confirm(id, 'one');
      const [last, rejected] = await Promise.all([
        confirm(id, 'two'),
        rejectReward(store, id, { userId: 'three', nowMs: NOW_MS }),
      ]);
      expect([last, rejected === null]).toEqual(last === 'over' ? ['over', false] : ['confirmed', true]);
    }
  });

  test('of two headers one is stored, and only one that is over gives way', async () => {
    const id = await confirmed();
    const signed = await Promise.all(
      ['a', 'b'].map((header) => markRewardSigned(store, id, header, { validBefore: 100 })),
    );
    expect(signed.filter(Boolean)).toHaveLength(1);
    const header = (await findReward(store, id))?.header ?? '';
    expect(await reopenReward(store, id, 'other', { nowSeconds: 101 })).toBe(false);
    expect(await reopenReward(store, id, header, { nowSeconds: 100 })).toBe(false);
    expect(await reopenReward(store, id, header, { finalHeight: 101 })).toBe(false);
    expect(await reopenReward(store, id, header, { nowSeconds: 101 })).toBe(true);
    expect(await findReward(store, id)).toMatchObject({ status: 'confirmed', header: null, validBefore: null });
  });

  test('what is paid stays paid, and what was signed meanwhile does not fail', async () => {
    const id = await confirmed();
    await markRewardSigned(store, id, 'header', { lastValidHeight: 100 });
    expect(await markRewardFailed(store, { id, status: 'confirmed' }, { failure: 'x', nowMs: 2 })).toBe(false);
    expect(await markRewardPaid(store, { id, status: 'signed' }, { counts: null, isOurs: true, nowMs: 2 })).toBe(true);
    expect(await markRewardFailed(store, { id, status: 'signed' }, { failure: 'x', nowMs: 2 })).toBe(false);
    expect(await reopenReward(store, id, 'header', { finalHeight: 101 })).toBe(false);
    expect(await findReward(store, id)).toMatchObject({ status: 'paid', header: 'header' });
  });

  test('a card is over after its day and not before, and is due from then on', async () => {
    const { id, proposed } = await propose();
    const endMs = NOW_MS + REWARD_CARD_MS;
    expect(proposed.kind).toBe('proposed');
    expect((await dueRewards(store, endMs - 1, 1_000)).map((card) => card.id)).not.toContain(id);
    expect((await dueRewards(store, endMs, 1_000)).map((card) => card.id)).toContain(id);
    expect(await expireReward(store, id, endMs - 1)).toBe(false);
    expect(await expireReward(store, id, endMs)).toBe(true);
    expect(await confirm(id, 'one')).toBe('over');
  });
});
