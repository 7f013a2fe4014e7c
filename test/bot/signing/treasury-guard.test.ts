import { afterEach, beforeEach, expect, test } from 'vitest';
import { signWithdrawal } from '../../../bot/signing/withdrawal-guard.ts';
import { TREASURY_CARD_MS } from '../../../core/treasury/treasury.ts';
import type { SignerDeps } from '../../../bot/signing/signing.ts';
import type { TreasuryAddress } from '../../../db/treasury/treasury-addresses.ts';
import type { TreasuryConfirmation, TreasuryWithdrawal } from '../../../db/treasury/treasury-withdrawals.ts';
import type { Store } from '../../../db/store/store.ts';
import type { WithdrawalRow } from '../../../db/withdrawals/find.ts';
import { fakeWallets, openTestStore, PINNED, START_MS } from '../harness.ts';
import { forgeWithdrawal, HOLDER, STRANGER } from '../withdrawal-rows.ts';

const WALLET = 'discord-guild:4200';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OTHER = `0x${'ef'.repeat(20)}`;

let store: Store;
let deps: SignerDeps;
const wallets = fakeWallets();

beforeEach(async () => {
  store = await openTestStore();
  deps = { store, now: () => START_MS, base: { pinned: PINNED, ...wallets.base } };
});
afterEach(() => store.close());

type Forged = {
  row?: Partial<WithdrawalRow>;
  card?: Partial<TreasuryWithdrawal> | null;
  address?: Partial<TreasuryAddress>;
  confirmations?: Partial<TreasuryConfirmation>[];
};

const OWNER_WORD = { userId: 'discord:1', role: 'owner' } as const;
const OTHER_WORD = { userId: 'discord:2', role: 'moderator' } as const;

/** Everything a treasury's withdrawal rests on, written past every check; changed as an attacker with the database would. */
async function forge({ row = {}, card = {}, address = {}, confirmations = [OWNER_WORD, OTHER_WORD] }: Forged) {
  const id = await forgeWithdrawal(store, { walletId: WALLET, holderId: WALLET, toAddress: STRANGER, ...row });
  const { treasuryAddresses, treasuryWithdrawals, treasuryConfirmations } = store.tables;
  const place = { walletId: WALLET, network: 'base' as const, transport: 'discord', chatId: 'chat', requestKey: id };
  await store.tx(async (db) => {
    await db.insert(treasuryAddresses).values({
      ...place,
      id: 'a1',
      address: STRANGER,
      setBy: 'discord:1',
      setAtMs: START_MS - DAY_MS,
      announcedAtMs: START_MS - DAY_MS,
      ...address,
    });
    if (card === null) return;
    await db.insert(treasuryWithdrawals).values({
      ...place,
      id,
      communityId: '4200',
      addressId: 'a1',
      toAddress: STRANGER,
      amountMicroUsdc: 1_500_000n,
      status: 'confirmed',
      proposedBy: 'discord:2',
      isOwnerAlone: false,
      createdAtMs: START_MS - HOUR_MS,
      endedAtMs: START_MS,
      ...card,
    });
    const words = confirmations.map((word) => ({ withdrawalId: id, confirmedAtMs: START_MS, ...OTHER_WORD, ...word }));
    if (words.length > 0) await db.insert(treasuryConfirmations).values(words);
  });
  return id;
}

test('what owner and moderator have confirmed to an address a day old is signed', async () => {
  const id = await forge({});
  expect(await signWithdrawal(deps, id)).toMatchObject({ generation: 0 });
  expect(wallets.signed.at(-1)).toMatchObject({ walletId: WALLET, authorization: { to: STRANGER, value: 1_500_000n } });
});

test('what the owner has confirmed alone is signed where nobody else could', async () => {
  expect(
    await signWithdrawal(deps, await forge({ card: { isOwnerAlone: true }, confirmations: [OWNER_WORD] })),
  ).toBeTruthy();
});

test.each<[string, Forged]>([
  ['nobody asked for', { card: null }],
  ['waits for its confirmations', { card: { status: 'proposed', endedAtMs: null } }],
  ['was rejected', { card: { status: 'rejected' } }],
  ['is confirmed in the future', { card: { endedAtMs: START_MS + 1 } }],
  ['is for more than its card', { row: { amountMicroUsdc: 1_500_001n } }],
  ['goes elsewhere than its card', { row: { toAddress: OTHER } }],
  ['goes elsewhere than its address', { row: { toAddress: OTHER }, card: { toAddress: OTHER } }],
  ['is out of another treasury than its card', { card: { walletId: 'discord-guild:4201' } }],
  ['is for another community than its wallet', { card: { communityId: '4201' } }],
  ['leaves another treasury than the one of its card', { row: { walletId: 'discord-guild:4201' } }],
  [
    'is on another network than its card',
    { card: { network: 'solana' as const }, address: { network: 'solana' as const } },
  ],
  ['belongs to a person', { row: { holderId: 'discord:1' } }],
  ['has an address of another treasury', { address: { walletId: 'discord-guild:4201' } }],
  ['has an address for another network', { address: { network: 'solana' as const } }],
  ['has an address that was never announced', { address: { announcedAtMs: null } }],
  ['has an address a moment too young', { address: { announcedAtMs: START_MS - DAY_MS + 1 } }],
  ['has an address that was taken back', { address: { cancelledAtMs: START_MS - 1, cancelledBy: 'discord:2' } }],
  ['has no address at all', { card: { addressId: 'a2' } }],
  ['nobody confirmed', { confirmations: [] }],
  ['only the owner confirmed', { confirmations: [OWNER_WORD] }],
  ['only others confirmed', { confirmations: [OTHER_WORD, { userId: 'discord:3' }] }],
  [
    'only others confirmed, though the owner is said to be alone',
    { card: { isOwnerAlone: true }, confirmations: [OTHER_WORD] },
  ],
  ['two owners confirmed', { confirmations: [OWNER_WORD, { ...OTHER_WORD, role: 'owner' }] }],
  [
    'two owners and a moderator confirmed',
    { confirmations: [OWNER_WORD, { userId: 'discord:3', role: 'owner' }, OTHER_WORD] },
  ],
  [
    'was confirmed before there was a card',
    { confirmations: [OWNER_WORD, { ...OTHER_WORD, confirmedAtMs: START_MS - DAY_MS }] },
  ],
  ['was confirmed when the time of its card was over', { card: { createdAtMs: START_MS - TREASURY_CARD_MS } }],
  [
    'the owner confirmed after it was over',
    { confirmations: [{ ...OWNER_WORD, confirmedAtMs: START_MS + 1 }, OTHER_WORD] },
  ],
  ['was confirmed after it was over', { confirmations: [OWNER_WORD, { ...OTHER_WORD, confirmedAtMs: START_MS + 1 }] }],
])('what %s is not signed', async (_title, forged) => {
  const before = wallets.signed.length;
  await expect(signWithdrawal(deps, await forge(forged))).rejects.toThrow(/the signer refuses/);
  expect(wallets.signed.length).toBe(before);
});

test('a card makes nothing of a withdrawal out of a person’s own wallet', async () => {
  const id = await forge({ row: { walletId: HOLDER, holderId: 'chat:mallory' } });
  await expect(signWithdrawal(deps, id)).rejects.toThrow(/the signer refuses/);
});

test('a row of holders lets nobody withdraw out of a treasury', async () => {
  const { walletHolders } = store.tables;
  const holder = {
    holderId: 'discord:1',
    walletId: WALLET,
    identityId: 'p',
    name: 'x:mallory',
    sinceMs: 1,
    spendsFromMs: 0,
    looksFromMs: 0,
  };
  await store.tx((db) => db.insert(walletHolders).values(holder));
  const id = await forgeWithdrawal(store, { walletId: WALLET, holderId: 'discord:1' });
  await expect(signWithdrawal(deps, id)).rejects.toThrow(/the signer refuses/);
});
