import { and, eq } from 'drizzle-orm';
import {
  communitySettingsSchema,
  DEFAULT_SETTINGS,
  type CommunitySettings,
} from '../../core/communities/community-settings.ts';
import type { Language } from '../../core/languages.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** A guild or a group, by the platform's own id. */
export type Community = { transport: string; communityId: string };

/** There are few moderators, and each round lost to one of them is a change that came through. */
const ROUNDS_MAX = 20;

/** What holds there now: what was set, and the defaults for the rest. */
export async function readCommunitySettings(store: Store, community: Community): Promise<CommunitySettings> {
  return (await findRow(store.read, store.tables, community)).settings;
}

/** What all members there read in, as its moderators have set; null where nothing is set, and outside communities. */
export async function readGroupLanguage(
  store: Store,
  { transport, communityId }: { transport: string; communityId?: string | null | undefined },
): Promise<Language | null> {
  if (communityId === undefined || communityId === null) return null;
  return (await readCommunitySettings(store, { transport, communityId })).language;
}

export type Decision<Refused> =
  | { kind: 'changed'; settings: CommunitySettings }
  /** Nothing was changed. */
  | { kind: 'refused'; refused: Refused };

/**
 * Changes the settings as `decide` says; it may be asked again with newer ones. Of two moderators at once the later one
 * starts from what the earlier one has set, so that neither undoes the other's change.
 */
export async function changeCommunitySettings<Refused>(
  store: Store,
  community: Community,
  { changedBy, nowMs }: { changedBy: string; nowMs: number },
  decide: (now: CommunitySettings) => Decision<Refused>,
): Promise<Decision<Refused>> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { settings, revision } = await findRow(store.read, store.tables, community);
    const decision = decide(settings);
    if (decision.kind === 'refused') return decision;
    const change = { settings: communitySettingsSchema.parse(decision.settings), changedBy, changedAtMs: nowMs };
    if (await store.tx((db) => replace(db, store.tables, community, revision, change))) return decision;
  }
  throw new Error(`the settings of ${community.communityId} changed ${ROUNDS_MAX} times while one change was written`);
}

type Change = { settings: CommunitySettings; changedBy: string; changedAtMs: number };

/** Only over the revision that the change was made from; answers whether that was still current. */
async function replace(db: Db, tables: Tables, community: Community, revision: number, change: Change) {
  const { communitySettings } = tables;
  if (revision === 0) {
    const row = { ...community, ...change, revision: 1 };
    const inserted = await db
      .insert(communitySettings)
      .values(row)
      .onConflictDoNothing()
      .returning({ revision: communitySettings.revision });
    return inserted.length > 0;
  }
  const updated = await db
    .update(communitySettings)
    .set({ ...change, revision: revision + 1 })
    .where(and(isOf(tables, community), eq(communitySettings.revision, revision)))
    .returning({ revision: communitySettings.revision });
  return updated.length > 0;
}

/** Revision 0 is no row. A setting that is newer than the row is at its default there. */
async function findRow(db: Db, tables: Tables, community: Community) {
  const { communitySettings } = tables;
  const [row] = await db.select().from(communitySettings).where(isOf(tables, community));
  if (!row) return { settings: DEFAULT_SETTINGS, revision: 0 };
  return { settings: communitySettingsSchema.parse(row.settings), revision: row.revision };
}

function isOf({ communitySettings }: Tables, { transport, communityId }: Community) {
  return and(eq(communitySettings.transport, transport), eq(communitySettings.communityId, communityId));
}
