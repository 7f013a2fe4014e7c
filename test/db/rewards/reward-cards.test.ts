import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REWARD_CARD_MS } from '../../../core/rewards/reward-cards.ts';
import { confirmReward, type RewardPress } from '../../../db/rewards/reward-confirm.ts';
import { presentByLink, reopenByLink } from '../../../db/rewards/reward-links.ts';
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
  confirmationsOf,
  type NewRewardCard,
} from '../../../db/rewards/reward-cards.ts';
import { openTreasury } from '../../../db/treasury/treasury.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import type { Store } from '../../../db/store/store.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { runUntilSeen } from '../../support/seen.ts';

const MODERATORS = { isOneEnough: false, isLone: false };
const NOW_MS = 1_000;
const FROM = { network: 'base', payerAddress: `0x${'ab'.repeat(20)}` } as const;
const PAYMENT = { header: 'a', network: 'base', payerAddress: `0x${'cd'.repeat(20)}`, nowMs: NOW_MS } as const;

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
    costMaxMicroUsdc: 0n,
    ...MODERATORS,
    createdAtMs: NOW_MS,
    expiresAtMs: NOW_MS + REWARD_CARD_MS,
    ...change,
  };
  return { id, walletId, proposed: await proposeReward(store, card, replaces) };
}

/** As the core does it: the platform is asked about everybody who is known to have confirmed. */
async function confirm(id: string, userId: string, paying: RewardPress['paying'] = FROM): Promise<string> {
  for (;;) {
    const known = await confirmationsOf(store.read, store.tables, id);
    const askedIds = [...new Set([userId, ...known.map((confirmation) => confirmation.userId)])];
    const asked = { askedIds, deciderIds: askedIds, moderators: MODERATORS };
    const { kind } = await confirmReward(store, { id, userId, ...asked, paying, nowMs: NOW_MS });
    if (kind !== 'ask_again') return kind;
  }
}

/** Two have confirmed, and its treasury has too little. */
async function unfunded(): Promise<string> {
  const { id } = await propose();
  await confirm(id, 'one', null);
  expect(await confirm(id, 'two', null)).toBe('unfunded');
  return id;
}

/** By who was first: state, header and `viaLink` of the card. */
const END: Record<string, unknown[]> = {
  treasury: ['confirmed', null, null],
  wallet: ['signed', 'a', true],
  other: ['signed', 'b', true],
  nobody: ['rejected', null, null],
};

async function confirmed(): Promise<string> {
  const { id } = await propose();
  await confirm(id, 'one');
  expect(await confirm(id, 'two')).toBe('confirmed');
  return id;
}

onBothDatabases((fresh) => {
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'pennypost-rewards-'));
    store = await openMigrated((await fresh()) ?? { kind: 'sqlite', path: join(dir, 'test.sqlite') });
  });
  afterAll(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('of three who confirm at once, one is the last, for each of ten cards', async () => {
    for (let card = 0; card < 10; card++) {
      const { id } = await propose();
      const kinds = await Promise.all(['one', 'two', 'three'].map((userId) => confirm(id, userId)));
      expect(kinds.toSorted()).toEqual(['confirmed', 'over', 'recorded']);
      expect(await findReward(store, id)).toMatchObject({ status: 'confirmed', network: 'base', endedAtMs: NOW_MS });
    }
  });

  test('the confirmation of a member who may not confirm is never stored, no matter who asks', async () => {
    const { id } = await propose();
    const asked = { askedIds: ['one'], deciderIds: [], moderators: { isOneEnough: true, isLone: false } };
    const pressed = confirmReward(store, { id, userId: 'one', ...asked, paying: FROM, nowMs: NOW_MS });
    await expect(pressed).rejects.toThrow('may not');
    expect(await confirmationsOf(store.read, store.tables, id)).toEqual([]);
    expect(await findReward(store, id)).toMatchObject({ status: 'proposed', isOneEnough: false });
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
    for (let round = 0; round < 8; round++) {
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
    for (let round = 0; round < 8; round++) {
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
    expect(await markRewardFailed(store, { id, status: 'confirmed', header: null }, { failure: 'x', nowMs: 2 })).toBe(
      false,
    );
    expect(
      await markRewardPaid(store, { id, status: 'signed', header: 'header' }, { counts: null, isOurs: true, nowMs: 2 }),
    ).toBe(true);
    expect(await markRewardFailed(store, { id, status: 'signed', header: 'header' }, { failure: 'x', nowMs: 2 })).toBe(
      false,
    );
    expect(await reopenReward(store, id, 'header', { finalHeight: 101 })).toBe(false);
    expect(await findReward(store, id)).toMatchObject({ status: 'paid', header: 'header' });
  });

  test('one pays: the treasury, one of two wallets, or nobody because it was rejected', async () => {
    const ends = new Set<string>();
    const askedIds = ['one', 'two'];
    const press = {
      userId: 'one',
      askedIds,
      deciderIds: askedIds,
      moderators: MODERATORS,
      paying: FROM,
      nowMs: NOW_MS,
    };
    await runUntilSeen(
      200,
      async () => {
        const id = await unfunded();
        const acts: Record<string, () => Promise<boolean>> = {
          treasury: async () => (await confirmReward(store, { id, ...press })).kind === 'confirmed',
          wallet: () => presentByLink(store, id, { ...PAYMENT, header: 'a' }),
          other: () => presentByLink(store, id, { ...PAYMENT, header: 'b' }),
          nobody: async () => (await rejectReward(store, id, { userId: 'three', nowMs: NOW_MS })) !== null,
        };
        const order = Object.entries(acts).toSorted(() => Math.random() - 0.5);
        const done = await Promise.all(order.map(async ([who, act]) => ((await act()) ? [who] : [])));
        const [end, ...others] = done.flat();
        expect(others).toEqual([]);
        const card = await findReward(store, id);
        expect([card?.status, card?.header, card?.viaLink]).toEqual(END[end ?? '']);
        ends.add(end ?? '');
      },
      () => Object.keys(END).filter((end) => !ends.has(end)),
    );
  });

  test('a wallet pays only for what enough have confirmed, and only in time', async () => {
    const { id } = await propose();
    const atMs = (nowMs: number) => presentByLink(store, id, { ...PAYMENT, nowMs });
    await confirm(id, 'one', null);
    expect(await atMs(NOW_MS)).toBe(false);
    expect(await confirm(id, 'two', null)).toBe('unfunded');
    expect(await atMs(NOW_MS + REWARD_CARD_MS)).toBe(false);
    expect(await findReward(store, id)).toMatchObject({ status: 'proposed', header: null, network: null });
    expect(await atMs(NOW_MS + REWARD_CARD_MS - 1)).toBe(true);
    expect(await findReward(store, id)).toMatchObject({ status: 'signed', header: 'a', viaLink: true });
  });

  test('only the payment that was refused gives way, and then the card waits until its day is over', async () => {
    const id = await unfunded();
    await presentByLink(store, id, PAYMENT);
    const card = await findReward(store, id);
    if (!card) throw new Error('no card');
    expect(await reopenByLink(store, card, { header: 'b', refusal: 'x', isShown: false, nowMs: NOW_MS })).toBe(false);
    expect(await reopenByLink(store, card, { header: 'a', refusal: 'x', isShown: false, nowMs: NOW_MS })).toBe(true);
    const waiting = { status: 'proposed', header: null, viaLink: null, network: null, payerAddress: null };
    expect(await findReward(store, id)).toMatchObject({ ...waiting, refusal: 'x', nextLookAtMs: card.expiresAtMs });
    await confirm(id, 'one');
    await markRewardSigned(store, id, 'a', { validBefore: 100 });
    expect(await reopenByLink(store, card, { header: 'a', refusal: 'x', isShown: false, nowMs: NOW_MS })).toBe(false);
  });

  test('a payment that comes to nothing gives its card back, unless another one waits by then', async () => {
    const { id, walletId } = await propose();
    await confirm(id, 'one', null);
    await confirm(id, 'two', null);
    await presentByLink(store, id, PAYMENT);
    const other = await propose({ walletId });
    expect(other.proposed.kind).toBe('proposed');
    const card = await findReward(store, id);
    if (!card) throw new Error('no card');
    expect(await reopenByLink(store, card, { header: 'a', refusal: 'x', isShown: false, nowMs: NOW_MS })).toBe(true);
    expect(await findReward(store, id)).toMatchObject({ status: 'replaced', header: null, nextLookAtMs: NOW_MS });
    expect((await openReward(store, walletId, NOW_MS))?.id).toBe(other.id);
  });

  test('of what is paid and refused in two processes, each is about its own header', async () => {
    const id = await unfunded();
    await presentByLink(store, id, PAYMENT);
    const seen = { id, status: 'signed', header: 'b' } as const;
    expect(await markRewardPaid(store, seen, { counts: null, isOurs: true, nowMs: 2 })).toBe(false);
    expect(await markRewardFailed(store, seen, { failure: 'x', nowMs: 2 })).toBe(false);
    expect(await findReward(store, id)).toMatchObject({ status: 'signed', header: 'a' });
  });

  test('a card is over after its day and not before, and is due from then on', async () => {
    const { id, proposed } = await propose();
    const endMs = NOW_MS + REWARD_CARD_MS;
    expect(proposed.kind).toBe('proposed');
    expect((await dueRewards(store, endMs - 1, 1_000)).items).not.toContain(id);
    expect((await dueRewards(store, endMs, 1_000)).items).toContain(id);
    expect(await expireReward(store, id, endMs - 1)).toBe(false);
    expect(await expireReward(store, id, endMs)).toBe(true);
    expect(await confirm(id, 'one')).toBe('over');
  });
});
