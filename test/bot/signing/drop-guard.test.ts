import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSigner, type Signer } from '../../../bot/signing/signer.ts';
import type { Drop, DropTaker } from '../../../db/drops/drops.ts';
import { listHashOf } from '../../../db/drops/list-hash.ts';
import type { DropConfirmation } from '../../../db/drops/treasury-drops.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import { createOrder, findOrder, type OrderRow } from '../../../db/tips/orders.ts';
import { eq } from 'drizzle-orm';
import { stopSigning } from '../../../db/store/stops.ts';
import type { Store } from '../../../db/store/store.ts';
import { fakeWallets, openTestStore, PINNED, PINNED_SOLANA, START_MS } from '../harness.ts';

const MINUTE_MS = 60_000;
const WALLET = 'discord-guild:4200';
const [ASKED, MOD, OTHER_MOD] = ['discord:1', 'discord:2', 'discord:3'];
const [BOB, CARL] = ['discord:8', 'discord:9'];

let store: Store;
let signer: Signer;
const wallets = fakeWallets();

beforeEach(async () => {
  store = await openTestStore();
  const [base, solana] = [
    { pinned: PINNED, ...wallets.base },
    { pinned: PINNED_SOLANA, ...wallets.solana },
  ];
  signer = createSigner({ store, now: () => START_MS, base, solana });
  wallets.signed.length = 0;
});
afterEach(() => store.close());

type Forged = {
  drop?: Partial<Drop>;
  order?: Partial<OrderRow>;
  receivers?: { receiver: string; amount: string }[];
  takers?: Partial<DropTaker>[];
  words?: Partial<DropConfirmation>[];
};

const TWO_SHARES = [
  { receiver: '8', amount: '2.5' },
  { receiver: '9', amount: '2.5' },
];
let count = 0;

/** Everything a payment rests on, written past every check; changed as an attacker with the database would. */
async function forge({ drop = {}, order = {}, receivers = TWO_SHARES, takers, words }: Forged = {}): Promise<string> {
  const id = `drop_${++count}`;
  const orderId = `order_of_${id}`;
  const { drops, dropTakers, dropConfirmations, orders } = store.tables;
  await createOrder(store, {
    id: orderId,
    transport: 'discord',
    eventId: id,
    chatId: 'chat',
    messageId: 'card',
    userId: WALLET,
    walletId: WALLET,
    walletName: null,
    language: null,
    network: 'base',
    payerAddress: wallets.base.addressOf(WALLET),
    route: '/payments/discord/batch-pay',
    body: { receivers },
    recipient: '2 people',
    amountMicroUsdc: 5_000_000n,
    createdAtMs: START_MS,
  });
  const priced = { status: 'priced', totalMicroUsdc: 5_000_000n, ...order } as const;
  const row: Drop = {
    id,
    eventKey: id,
    transport: 'discord',
    communityId: '4200',
    chatId: 'chat',
    messageId: 'card',
    language: null,
    giverId: ASKED,
    walletId: WALLET,
    isOneEnough: false,
    isLone: false,
    amountMicroUsdc: 25_000_000n,
    people: 10,
    role: null,
    status: 'agreed',
    endReason: null,
    orderId,
    createdAtMs: START_MS - 90 * MINUTE_MS,
    closesAtMs: START_MS - 30 * MINUTE_MS,
    endsAtMs: START_MS + 90 * MINUTE_MS,
    nextLookAtMs: START_MS,
    ...drop,
  };
  const taken = takers ?? [{ userId: BOB }, { userId: CARL }];
  const said = words ?? [{ userId: MOD }, { userId: OTHER_MOD }];
  // Of the list that the order pays.
  const listHash = listHashOf(
    row,
    receivers.map(({ receiver }) => `discord:${receiver}`),
  );
  await store.tx(async (db) => {
    await db.update(orders).set(priced).where(eq(orders.id, orderId));
    await db.insert(drops).values(row);
    for (const [position, taker] of taken.entries())
      await db.insert(dropTakers).values({ dropId: id, userId: BOB, position, names: [], isStruck: false, ...taker });
    for (const word of said)
      await db
        .insert(dropConfirmations)
        .values({ dropId: id, userId: MOD, listHash, confirmedAtMs: START_MS - MINUTE_MS, ...word });
  });
  return orderId;
}

const authorization = (change: object = {}) => {
  const { asset, chainId, name, version } = PINNED;
  return {
    from: wallets.base.addressOf(WALLET),
    to: PINNED.payTo,
    value: 5_000_000n,
    validAfter: 0,
    validBefore: START_MS / 1_000 + 240,
    nonce: `0x${'5a'.repeat(32)}` as const,
    asset,
    chainId,
    name,
    version,
    ...change,
  };
};
const sign = async (forged: Forged = {}) => signer.signEvm(await forge(forged), authorization());

test('what two others have confirmed is signed, to those on the list and exactly their shares', async () => {
  await sign();
  expect(wallets.signed).toMatchObject([{ walletId: WALLET, authorization: { to: PINNED.payTo, value: 5_000_000n } }]);
});

const SMALL = { amountMicroUsdc: 5_000_000n, people: 2 };

test.each<[string, Forged]>([
  ['one other, up to 10 USDC', { drop: SMALL, words: [{ userId: MOD }] }],
  ['one other where one is enough', { drop: { isOneEnough: true }, words: [{ userId: MOD }] }],
  [
    'a lone moderator of a small one, after the wait',
    { drop: { ...SMALL, isOneEnough: true, isLone: true }, words: [{ userId: ASKED }] },
  ],
])('is signed as well: %s', async (_why, forged) => {
  await sign(forged);
  expect(wallets.signed).toHaveLength(1);
});

const early = START_MS - 25 * MINUTE_MS;

/** Two who moderate confirmed another list: this one, and shares among this many. */
const confirmedOther = (payees: string[], people = 10): Forged => {
  const listHash = listHashOf({ amountMicroUsdc: 25_000_000n, people }, payees);
  return {
    words: [
      { userId: MOD, listHash },
      { userId: OTHER_MOD, listHash },
    ],
  };
};

test.each<[string, Forged]>([
  ['a drop that nobody has confirmed', { words: [] }],
  ['confirmations of a shorter list', confirmedOther([BOB])],
  ['confirmations of a longer list', confirmedOther([BOB, CARL, 'discord:10'])],
  ['confirmations of the same people with each other’s shares', confirmedOther([CARL, BOB])],
  ['confirmations of other shares', confirmedOther([BOB, CARL], 20)],
  ['one of two that is of another list', { words: [{ userId: MOD }, { userId: OTHER_MOD, listHash: 'another' }] }],
  ['one confirmation of two', { words: [{ userId: MOD }] }],
  ['the asker’s own as one of two', { words: [{ userId: MOD }, { userId: ASKED }] }],
  ['those of people on the list', { words: [{ userId: BOB }, { userId: CARL }] }],
  ['one from before its list stood', { words: [{ userId: MOD }, { userId: OTHER_MOD, confirmedAtMs: 1 }] }],
  ['one of tomorrow', { words: [{ userId: MOD }, { userId: OTHER_MOD, confirmedAtMs: START_MS + 60_000 }] }],
  [
    'a lone moderator who has not waited',
    { drop: { ...SMALL, isOneEnough: true, isLone: true }, words: [{ userId: ASKED, confirmedAtMs: early }] },
  ],
  ['a drop that is not agreed to', { drop: { status: 'closed', orderId: null } }],
  ['a drop of another order', { drop: { orderId: 'another' } }],
  ['a giver’s own drop', { drop: { walletId: null } }],
  ['the treasury of another community', { drop: { communityId: '4300' } }],
  ['a drop of another treasury', { drop: { walletId: 'discord-guild:4300' } }],
  ['someone who has no share', { receivers: [TWO_SHARES[0]!, { receiver: '10', amount: '2.5' }] }],
  ['someone struck', { takers: [{ userId: BOB }, { userId: CARL, isStruck: true }] }],
  ['someone twice', { receivers: [TWO_SHARES[0]!, TWO_SHARES[0]!] }],
  [
    'more than a share',
    {
      receivers: [
        { receiver: '8', amount: '3' },
        { receiver: '9', amount: '2' },
      ],
    },
  ],
  ['more people for the same sum', { drop: { people: 20 } }],
  ['another route', { order: { route: '/payments/x/batch-pay' } }],
  ['an old order', { order: { createdAtMs: START_MS - 30 * MINUTE_MS } }],
])('is refused: %s', async (_why, forged) => {
  await expect(sign(forged)).rejects.toThrow('the signer refuses');
  expect(wallets.signed).toEqual([]);
});

test('is signed also where one who has a share, or has confirmed it, is erased before that', async () => {
  const id = await forge();
  for (const userId of [BOB, MOD]) await eraseChatUser(store, userId, START_MS);
  await signer.signEvm(id, authorization());
  expect(wallets.signed).toHaveLength(1);
});

test('is refused while signing is stopped, and nobody takes back what a community paid', async () => {
  const id = await forge();
  const { orders } = store.tables;
  await store.tx((db) => db.update(orders).set({ status: 'answered', header: 'h', txnId: 7 }).where(eq(orders.id, id)));
  const { userId = '' } = (await findOrder(store, id)) ?? {};
  await expect(signer.signCancellation({ orderId: id, txnId: 7, userId })).rejects.toThrow('a wallet that');
  await stopSigning(store, { reason: 'operator', network: 'all', detail: 'for a test' }, START_MS);
  await expect(sign()).rejects.toThrow('signing that goes on');
});
