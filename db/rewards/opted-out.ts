import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

/** Well below the number of values that either database takes in one statement. */
const CHUNK = 1_000;

/** Which of these people of a platform have opted out of payments. */
export async function optedOutAmong(
  store: Store,
  platform: string,
  stableIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { identities } = store.tables;
  const found = new Set<string>();
  for (let start = 0; start < stableIds.length; start += CHUNK) {
    const rows = await store.read
      .select({ stableId: identities.stableId })
      .from(identities)
      .where(
        and(
          eq(identities.platform, platform),
          inArray(identities.stableId, stableIds.slice(start, start + CHUNK)),
          isNotNull(identities.optedOutAtMs),
        ),
      );
    for (const { stableId } of rows) found.add(stableId);
  }
  return found;
}
