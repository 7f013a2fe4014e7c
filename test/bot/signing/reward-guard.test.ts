import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSigner, type Signer } from '../../../bot/signing/signer.ts';
import { microUsdc } from '../../../core/money.ts';
import type { RewardCard, RewardConfirmation } from '../../../db/rewards/reward-cards.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import type { Store } from '../../../db/store/store.ts';
import { fakeWallets, openTestStore, PINNED, PINNED_SOLANA, START_MS } from '../harness.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WALLET = 'discord-guild:4200';
const [ASKED, MOD, OTHER_MOD] = ['discord:1', 'discord:2', 'discord:3'];

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
  wallets.transfers.length = 0;
});
afterEach(() => store.close());

type Forged = { card?: Partial<RewardCard>; words?: Partial<RewardConfirmation>[] };
const TWO = [{ userId: MOD }, { userId: OTHER_MOD }];

let count = 0;

/** Everything a payment rests on, written past every check; changed as an attacker with the database would. */
async function forge({ card = {}, words = TWO }: Forged = {}): Promise<string> {
  const id = `reward_${++count}`;
  const { rewardCards, rewardConfirmations } = store.tables;
  const row: RewardCard = {
    id,
    requestKey: id,
    distributionId: `dist_${String(count).padStart(22, '0')}`,
    walletId: WALLET,
    transport: 'discord',
    communityId: '4200',
    chatId: 'chat',
    messageId: null,
    language: null,
    proposedBy: ASKED,
    post: 'post',
    excluded: [],
    preview: {
      weights: { like: 1, comment: 2, repost: 3 },
      author: '',
      postUrl: null,
      page: '',
      csv: '',
      count: 1,
      top: [],
      leftOut: [],
    },
    budgetMicroUsdc: 25_000_000n,
    totalMicroUsdc: 25_000_000n,
    costMaxMicroUsdc: 0n,
    costMicroUsdc: null,
    status: 'confirmed',
    isOneEnough: false,
    isLone: false,
    network: 'base',
    viaLink: null,
    refusal: null,
    payerAddress: wallets.base.addressOf(WALLET),
    header: null,
    validBefore: null,
    lastValidHeight: null,
    failure: null,
    counts: null,
    endedBy: OTHER_MOD,
    createdAtMs: START_MS - 30 * MINUTE_MS,
    expiresAtMs: START_MS - 30 * MINUTE_MS + DAY_MS,
    endedAtMs: START_MS,
    paidAtMs: null,
    nextLookAtMs: START_MS,
    ...card,
  };
  await store.tx(async (db) => {
    await db.insert(rewardCards).values(row);
    const said = words.map((word) => ({ cardId: id, userId: MOD, confirmedAtMs: START_MS - MINUTE_MS, ...word }));
    if (said.length > 0) await db.insert(rewardConfirmations).values(said);
  });
  return id;
}

const authorization = (change: object = {}) => {
  const { asset, chainId, name, version } = PINNED;
  return {
    from: wallets.base.addressOf(WALLET),
    to: PINNED.payTo,
    value: 25_000_000n,
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
const sign = async (forged: Forged = {}, change: object = {}) =>
  signer.signRewardEvm(await forge(forged), authorization(change));

test('what two others have confirmed is signed, once for each card', async () => {
  await sign();
  expect(wallets.signed).toMatchObject([{ walletId: WALLET, authorization: { to: PINNED.payTo, value: 25_000_000n } }]);
});

test('a line for the cost is signed as far as the card has named it, and no other sum', async () => {
  const [base, line, value] = [wallets.base, 10_000n, 25_010_000n];
  const pinned = { ...PINNED, costLine: microUsdc(line) };
  const asking = createSigner({ store, now: () => START_MS, base: { pinned, ...base } });
  const signWith = async (card: Partial<RewardCard>) =>
    asking.signRewardEvm(await forge({ card }), authorization({ value: 25_000_000n + (card.costMicroUsdc ?? 0n) }));
  await signWith({ costMaxMicroUsdc: line, costMicroUsdc: line });
  expect(wallets.signed).toMatchObject([{ authorization: { value } }]);
  await signWith({ costMaxMicroUsdc: line });
  const others: Partial<RewardCard>[] = [
    { costMaxMicroUsdc: line - 1n, costMicroUsdc: line },
    { costMaxMicroUsdc: line, costMicroUsdc: line - 1n },
    { costMaxMicroUsdc: line * 2n, costMicroUsdc: line + 5_000n },
    { costMaxMicroUsdc: line, costMicroUsdc: -1n },
  ];
  for (const card of others) await expect(signWith(card)).rejects.toThrow('the signer refuses');
});

test('on Solana nothing but the memo is the caller’s', async () => {
  const id = await forge({ card: { network: 'solana', payerAddress: wallets.solana.addressOf(WALLET) } });
  await signer.signRewardSolana(id, 'ab'.repeat(32));
  const transfer = { payTo: PINNED_SOLANA.payTo, feePayer: PINNED_SOLANA.feePayer, amountMicroUsdc: 25_000_000n };
  expect(wallets.transfers).toMatchObject([{ walletId: WALLET, transfer }]);
  await expect(signer.signRewardEvm(id, authorization())).rejects.toThrow('a network of the family evm');
});

const SMALL = { budgetMicroUsdc: 10_000_000n, totalMicroUsdc: 10_000_000n };
const LONE = { ...SMALL, isOneEnough: true, isLone: true };
const own = (confirmedAtMs: number) => [{ userId: ASKED, confirmedAtMs }];

test.each<[string, Forged]>([
  ['one other, up to 10 USDC', { card: SMALL, words: [{ userId: MOD }] }],
  ['one other where one is enough', { card: { isOneEnough: true }, words: [{ userId: MOD }] }],
  ['a lone moderator after ten minutes', { card: LONE, words: own(START_MS - 20 * MINUTE_MS) }],
])('%s is enough', async (_what, forged) => {
  await sign(forged, { value: forged.card?.totalMicroUsdc ?? 25_000_000n });
  expect(wallets.signed.length).toBe(1);
});

test.each<[string, Forged, string, object?]>([
  ['that nobody has confirmed', { words: [] }, 'the confirmations of 2'],
  ['above 10 USDC that one has confirmed', { words: [{ userId: MOD }] }, 'the confirmations of 2'],
  [
    'that one has confirmed with who asked for it',
    { words: [{ userId: MOD }, { userId: ASKED }] },
    'the confirmations of 2',
  ],
  ['that nobody else has confirmed', { card: SMALL, words: own(START_MS - MINUTE_MS) }, 'the confirmations of 1'],
  ['of a lone moderator in haste', { card: LONE, words: own(START_MS - 21 * MINUTE_MS) }, 'the confirmations of 1'],
  [
    'of a lone moderator above 10 USDC',
    { card: { isOneEnough: true, isLone: true }, words: own(START_MS - MINUTE_MS) },
    'the confirmations of 1',
  ],
  [
    'with a word from before it',
    { card: SMALL, words: [{ confirmedAtMs: START_MS - DAY_MS }] },
    'the confirmations of 1',
  ],
  ['with a word from the future', { card: SMALL, words: [{ confirmedAtMs: START_MS + 1 }] }, 'the confirmations of 1'],
  [
    'with a word from after its day',
    { card: { ...SMALL, expiresAtMs: START_MS - MINUTE_MS } },
    'the confirmations of 1',
  ],
  ['with more than a day', { card: { expiresAtMs: START_MS + 2 * DAY_MS } }, 'a card of a day'],
  ['that is only proposed', { card: { status: 'proposed' } }, 'a card that is confirmed'],
  ['that is signed', { card: { status: 'signed', header: 'x' } }, 'a card that is confirmed'],
  ['that was signed', { card: { header: 'x' } }, 'a card that nothing was signed for'],
  ['that a visitor pays by its link', { card: { viaLink: true } }, 'a card that a treasury pays'],
  ['that is paid', { card: { status: 'paid' } }, 'a card that is confirmed'],
  ['that was rejected', { card: { status: 'rejected' } }, 'a card that is confirmed'],
  ['of another community', { card: { communityId: '4201' } }, 'the wallet of this community'],
  ['from a person’s wallet', { card: { walletId: 'discord:7' } }, 'the wallet of this community'],
  ['on another network', { card: { network: 'solana' } }, 'a network of the family evm'],
  ['on no network', { card: { network: null } }, 'a card with a network'],
  ['for no distribution', { card: { distributionId: '../x' } }, 'the id of a distribution'],
  ['below the least', { card: { budgetMicroUsdc: 9_999n, totalMicroUsdc: 9_999n } }, 'a budget within'],
  [
    'above the most',
    { card: { budgetMicroUsdc: 1_000_000_001n, totalMicroUsdc: 1_000_000_001n } },
    'a budget within the limits',
  ],
  ['at another price', { card: { totalMicroUsdc: 25_000_001n } }, 'a price of 25000000'],
  ['from another address', { card: { payerAddress: PINNED.payTo } }, 'on the card'],
  ['from no address', { card: { payerAddress: null } }, 'on the card'],
  ['that was confirmed at no time', { card: { endedAtMs: null } }, 'a time at which'],
  ['that was confirmed too long ago', { card: { endedAtMs: START_MS - 21 * MINUTE_MS } }, 'a card of the last minutes'],
  ['that will be confirmed', { card: { endedAtMs: START_MS + MINUTE_MS } }, 'a card of the last minutes'],
  ['for more than it costs', {}, 'value 25000000', { value: 25_000_001n }],
  ['for less than it costs', {}, 'value 25000000', { value: 24_999_999n }],
  ['to another person', {}, 'payTo', { to: `0x${'cd'.repeat(20)}` }],
  ['out of another wallet', {}, 'payer', { from: `0x${'cd'.repeat(20)}` }],
  ['in another token', {}, 'asset', { asset: `0x${'cd'.repeat(20)}` }],
  ['for longer than the API allows', {}, 'an end before', { validBefore: START_MS / 1_000 + 3_600 }],
  ['without a random nonce', {}, '32 random bytes', { nonce: `0x${'00'.repeat(32)}` }],
])('a reward %s is not signed', async (_what, forged, wanted, change = {}) => {
  await expect(sign(forged, change)).rejects.toThrow(wanted);
  expect(wallets.signed).toEqual([]);
});

test('a card of nobody is not signed', async () => {
  await expect(signer.signRewardEvm('reward_none', authorization())).rejects.toThrow('a card of ours');
});

test('a card that says another payer than its treasury is not signed on Solana either', async () => {
  const id = await forge({ card: { network: 'solana', payerAddress: wallets.solana.addressOf('discord:7') } });
  await expect(signer.signRewardSolana(id, 'ab'.repeat(32))).rejects.toThrow('on the card');
  expect(wallets.transfers).toEqual([]);
});

test('a treasury whose address is the one that is paid signs nothing', async () => {
  const payTo = wallets.base.addressOf(WALLET);
  const base = { ...wallets.base, pinned: { ...PINNED, payTo } };
  const careful = createSigner({ store, now: () => START_MS, base });
  const paid = careful.signRewardEvm(await forge(), authorization({ to: payTo }));
  await expect(paid).rejects.toThrow('a payer other than the payee');
  expect(wallets.signed).toEqual([]);
});

test('nothing is signed while signing is stopped', async () => {
  await stopSigning(store, { reason: 'operator', network: 'all', detail: 'for a test' }, START_MS);
  await expect(sign()).rejects.toThrow('signing that goes on');
});

test('a card is no order, and an order no card', async () => {
  await expect(signer.signEvm(await forge(), authorization())).rejects.toThrow('an order of ours');
});
