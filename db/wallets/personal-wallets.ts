import { and, asc, eq, gt, inArray, isNotNull } from 'drizzle-orm';
import { walletIdOf } from '../../core/claims/claims.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import type { Store } from '../store/store.ts';

export type PersonalWallet = {
  walletId: string;
  /** The name its owner was last known by: `x:alice`; null where none is known. */
  name: string | null;
};

const PAGE = 5_000;
/** A browser's own wallet has the browser's id, which may be in no other row. */
const BROWSER = /^chat:/;

/**
 * Every personal wallet whose address was ever shown, by id. Keys are derived from these ids, so the seed and this list
 * reach all the money; an id too many is harmless, since its wallet is empty.
 */
export async function listPersonalWallets(store: Store): Promise<PersonalWallet[]> {
  const names = new Map<string, string | null>();
  const lists = [
    chatUserIds,
    orderWalletIds,
    withdrawalWalletIds,
    claimedWallets,
    heldWallets,
    keptWallets,
    treasuries,
  ];
  for (const list of lists) {
    for await (const { walletId, name } of list(store)) names.set(walletId, name ?? names.get(walletId) ?? null);
  }
  return [...names].map(([walletId, name]) => ({ walletId, name })).sort((a, b) => (a.walletId < b.walletId ? -1 : 1));
}

type Wallets = AsyncGenerator<PersonalWallet, void>;

async function* chatUserIds({ read, tables: { chatUsers } }: Store): Wallets {
  const page = (after: string) =>
    read
      .select({ id: chatUsers.id })
      .from(chatUsers)
      .where(gt(chatUsers.id, after))
      .orderBy(asc(chatUsers.id))
      .limit(PAGE);
  for await (const { id } of paged(page, ({ id }) => id)) yield { walletId: id, name: null };
}

/** An order may outlive the other rows of its payer. */
async function* orderWalletIds({ read, tables: { orders } }: Store): Wallets {
  const { walletId, walletName: name } = orders;
  const page = (after: string) =>
    read.selectDistinct({ walletId, name }).from(orders).where(gt(walletId, after)).orderBy(asc(walletId)).limit(PAGE);
  yield* paged(page, (row) => row.walletId);
}

async function* withdrawalWalletIds({ read, tables: { walletWithdrawals } }: Store): Wallets {
  const { walletId } = walletWithdrawals;
  const page = (after: string) =>
    read
      .selectDistinct({ walletId })
      .from(walletWithdrawals)
      .where(gt(walletId, after))
      .orderBy(asc(walletId))
      .limit(PAGE);
  for await (const row of paged(page, (found) => found.walletId)) yield { ...row, name: null };
}

/** Also of claims that failed after the proof: their page had named the wallet. */
async function* claimedWallets({ read, tables: { claims, identities } }: Store): Wallets {
  const { platform, stableId, key } = identities;
  const page = (after: string) =>
    read
      .select({ id: claims.id, payout: claims.payout, platform, stableId, key })
      .from(claims)
      .innerJoin(identities, eq(identities.id, claims.identityId))
      .where(and(gt(claims.id, after), isNotNull(claims.identityId)))
      .orderBy(asc(claims.id))
      .limit(PAGE);
  for await (const row of paged(page, ({ id }) => id)) {
    if ('keep' in row.payout) yield toWallet(row);
  }
}

/** The newest name counts. */
async function* heldWallets({ read, tables: { walletHolders } }: Store): Wallets {
  const { walletId, holderId, name, sinceMs } = walletHolders;
  const page = (after: string) =>
    read.selectDistinct({ walletId }).from(walletHolders).where(gt(walletId, after)).orderBy(asc(walletId)).limit(500);
  for await (const group of pages(page, (row) => row.walletId)) {
    const ids = group.map((row) => row.walletId);
    const rows = await read
      .select({ walletId, holderId, name })
      .from(walletHolders)
      .where(inArray(walletId, ids))
      .orderBy(asc(sinceMs));
    for (const row of rows) {
      if (BROWSER.test(row.holderId)) yield { walletId: row.holderId, name: null };
      yield { walletId: row.walletId, name: row.name };
    }
  }
}

/** Wallets that payouts go to, even without a holder who may still spend from them. */
async function* keptWallets({ read, tables: { wallets, identities } }: Store): Wallets {
  const { platform, stableId, key } = identities;
  const page = (after: string) =>
    read
      .selectDistinct({ id: wallets.identityId, platform, stableId, key })
      .from(wallets)
      .innerJoin(identities, eq(identities.id, wallets.identityId))
      .where(and(gt(wallets.identityId, after), eq(wallets.source, 'keep')))
      .orderBy(asc(wallets.identityId))
      .limit(PAGE);
  for await (const row of paged(page, ({ id }) => id)) yield toWallet(row);
}

/** Community wallets come from the same seed. */
async function* treasuries({ read, tables: { treasuries: table } }: Store): Wallets {
  const { walletId } = table;
  const page = (after: string) =>
    read.select({ walletId }).from(table).where(gt(walletId, after)).orderBy(asc(walletId)).limit(PAGE);
  for await (const row of paged(page, (found) => found.walletId)) yield { ...row, name: null };
}

type Person = { platform: string; stableId: string; key: string };

function toWallet({ platform: name, stableId, key }: Person): PersonalWallet {
  const platform = findPlatform(name);
  if (platform === null) throw new Error(`an identity must be of a known platform, found ${name}`);
  return { walletId: walletIdOf(platform, stableId), name: `${platform}:${key}` };
}

/** Row by row, so that one read never holds the database for long. */
async function* paged<Row>(
  page: (after: string) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<Row, void> {
  for await (const rows of pages(page, keyOf)) yield* rows;
}

async function* pages<Row>(
  page: (after: string) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<Row[], void> {
  let after = '';
  for (;;) {
    const rows = await page(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = keyOf(last);
  }
}
