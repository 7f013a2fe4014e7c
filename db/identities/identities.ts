import type { Network } from '../../core/networks.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { findPlatform, platformRow } from '../../core/platforms/platforms.ts';
import { given, placeholder, prepare } from '../store/prepare.ts';
import { liveWallets } from './live-wallets.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type ResolvedRecipient = {
  platform: string;
  stableId: string;
  key: string;
  display: string;
  /** Since when the account has this name or exists, where the platform says so. */
  sinceMs?: number;
};
/** `stableId` is null while the platform has not said whom the name means. */
export type ClaimedRecipient = Omit<ResolvedRecipient, 'stableId'> & { stableId: string | null };

type Identity = { id: string; key: string; display: string; sinceMs: number | null };
/** By platform and stable id. An identity is never deleted, so its id may be read before the transaction. */
export type KnownIdentities = ReadonlyMap<string, Identity>;
const nameOf = ({ platform, stableId }: { platform: string; stableId: string | null }) => `${platform}:${stableId}`;

export async function readKnown(
  db: Db,
  recipients: readonly Pick<ClaimedRecipient, 'platform' | 'stableId'>[],
): Promise<KnownIdentities> {
  const known = new Map<string, Identity>();
  for (const { platform, stableId } of recipients) {
    const name = nameOf({ platform, stableId });
    if (stableId === null || known.has(name)) continue;
    const [row] = await selectIdentity(db, { platform, stableId });
    if (row) known.set(name, row);
  }
  return known;
}

/**
 * The opaque id of (platform, stable id), made at first sight. A changed handle updates the name, not the identity. What is
 * known, and says the same, is neither read nor written: many people may pay one at once.
 */
export async function ensureIdentity(
  db: Db,
  _tables: Tables,
  recipient: ResolvedRecipient,
  newId: string,
  nowMs: number,
  known: KnownIdentities = new Map(),
): Promise<string> {
  const { platform, stableId, key, display } = recipient;
  const sinceMs = recipient.sinceMs ?? sinceById(recipient);
  const before = known.get(nameOf(recipient));
  if (before !== undefined && saysTheSame(before, { key, display, sinceMs })) return before.id;
  const person = { id: newId, platform, stableId, key, display, sinceMs, createdAtMs: nowMs };
  const inserted = await insertIdentity(db, person);
  if (inserted.length > 0) return newId;
  const [row] = await selectIdentity(db, { platform, stableId });
  if (!row) throw new Error(`identity ${recipient.platform} ${recipient.stableId} vanished within its own transaction`);
  if (!saysTheSame(row, { key, display, sinceMs })) await updateIdentity(db, { id: row.id, key, display, sinceMs });
  return row.id;
}

/** What the platform says now counts; it does not always say since when. */
function saysTheSame(one: Omit<Identity, 'id'>, now: Omit<Identity, 'id'>): boolean {
  return one.key === now.key && one.display === now.display && (now.sinceMs === null || one.sinceMs === now.sinceMs);
}

const insertIdentity = prepare((db, { identities }) =>
  db
    .insert(identities)
    .values(given('id', 'platform', 'stableId', 'key', 'display', 'sinceMs', 'createdAtMs'))
    .onConflictDoNothing({ target: [identities.platform, identities.stableId] })
    .returning({ id: identities.id }),
);

const updateIdentity = prepare((db, { identities }) =>
  db
    .update(identities)
    .set({
      key: sql`${placeholder('key')}`,
      display: sql`${placeholder('display')}`,
      sinceMs: sql`coalesce(cast(${placeholder('sinceMs')} as bigint), ${identities.sinceMs})`,
    })
    .where(eq(identities.id, placeholder('id'))),
);

const selectIdentity = prepare((db, { identities }) =>
  db
    .select({ id: identities.id, key: identities.key, display: identities.display, sinceMs: identities.sinceMs })
    .from(identities)
    .where(and(eq(identities.platform, placeholder('platform')), eq(identities.stableId, placeholder('stableId')))),
);

function sinceById({ platform, stableId }: ResolvedRecipient): number | null {
  const known = findPlatform(platform);
  return (known === null ? null : platformRow(known).sinceMsOf?.(stableId)) ?? null;
}

/** The address that an identity's money goes to on a network, if one is known and has not lapsed. */
export async function walletOf(
  db: Db,
  tables: Tables,
  { identityId, network }: { identityId: string; network: Network },
  nowMs: number,
): Promise<string | null> {
  const known = await liveWallets(db, tables, identityId, nowMs);
  return known.find((wallet) => wallet.network === network)?.address ?? null;
}

export async function findIdentity(store: Store, platform: string, stableId: string): Promise<{ id: string } | null> {
  const [row] = await selectIdentity(store.read, { platform, stableId });
  return row ?? null;
}

/** Whether this person has opted out of payments; false for an unknown one. */
export async function isOptedOut(store: Store, platform: string, stableId: string): Promise<boolean> {
  const [row] = await selectOptedOut(store.read, { platform, stableId });
  return row !== undefined && row.sinceMs !== null;
}

const selectOptedOut = prepare((db, { identities }) =>
  db
    .select({ sinceMs: identities.optedOutAtMs })
    .from(identities)
    .where(and(eq(identities.platform, placeholder('platform')), eq(identities.stableId, placeholder('stableId')))),
);

/** Turns our mails off for good. Of two calls the first counts. */
export async function setNoticesOff(store: Store, identityId: string, nowMs: number): Promise<void> {
  const { identities } = store.tables;
  await store.tx((db) =>
    db
      .update(identities)
      .set({ noticesOffAtMs: nowMs })
      .where(and(eq(identities.id, identityId), isNull(identities.noticesOffAtMs))),
  );
}
