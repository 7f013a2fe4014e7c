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

/** The opaque id of (platform, stable id), made at first sight. A changed handle updates the name, not the identity. */
export async function ensureIdentity(
  db: Db,
  _tables: Tables,
  recipient: ResolvedRecipient,
  newId: string,
  nowMs: number,
): Promise<string> {
  const { platform, stableId, key, display } = recipient;
  const sinceMs = recipient.sinceMs ?? sinceById(recipient);
  const person = { id: newId, platform, stableId, key, display, sinceMs, createdAtMs: nowMs };
  const [row] = await upsertIdentity(db, person);
  if (!row) throw new Error(`identity ${platform} ${stableId} was neither inserted nor updated`);
  return row.id;
}

/** What the platform says now counts; it does not always say since when. */
const upsertIdentity = prepare((db, { identities }) =>
  db
    .insert(identities)
    .values(given('id', 'platform', 'stableId', 'key', 'display', 'sinceMs', 'createdAtMs'))
    .onConflictDoUpdate({
      target: [identities.platform, identities.stableId],
      set: {
        key: sql`excluded.key`,
        display: sql`excluded.display`,
        sinceMs: sql`coalesce(excluded.since_ms, ${identities.sinceMs})`,
      },
    })
    .returning({ id: identities.id }),
);

const selectIdentity = prepare((db, { identities }) =>
  db
    .select({ id: identities.id })
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
