import type { Language } from '../../core/languages.ts';
import type { Network } from '../../core/networks.ts';
import { and, asc, eq, gt, isNull, lt, lte, max, or } from 'drizzle-orm';
import { MAILED_PLATFORMS } from '../../core/claims/claims.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import type { Store } from '../store/store.ts';
import { RETRY_MS } from './due.ts';

export type Destination = { network: Network; address: string; source: string };

/** An e-mail recipient to be notified that their money is about to go to another address. */
export type DueChange = {
  identityId: string;
  platform: string;
  /** The recipient's key: the e-mail address itself. */
  to: string;
  language: Language;
  /** When the last of the new addresses begins to count. */
  untilMs: number;
};

/**
 * A change that replaces another counts later and gets its own notice; of changes in quick succession only the last
 * does. Recipients who turned mails off get this one all the same: otherwise a thief would turn them off first.
 */
export async function dueChanges(store: Store, nowMs: number, limit: number): Promise<DueChange[]> {
  const { identities, notices, walletChanges } = store.tables;
  const rows = await store.read
    .select({
      identityId: identities.id,
      platform: identities.platform,
      to: identities.key,
      language: identities.language,
      untilMs: max(walletChanges.effectiveAtMs),
    })
    .from(walletChanges)
    .innerJoin(identities, eq(identities.id, walletChanges.identityId))
    .leftJoin(notices, and(eq(notices.identityId, identities.id), eq(notices.kind, 'address')))
    .where(
      and(
        isOneOf(identities.platform, MAILED_PLATFORMS),
        gt(walletChanges.effectiveAtMs, nowMs),
        or(
          isNull(notices.identityId),
          and(lt(notices.untilMs, walletChanges.effectiveAtMs), lte(notices.sentAtMs, nowMs - RETRY_MS)),
        ),
      ),
    )
    .groupBy(identities.id, identities.platform, identities.key, identities.language)
    .orderBy(asc(max(walletChanges.effectiveAtMs)))
    .limit(limit);
  return rows.flatMap(({ untilMs, language, ...row }) =>
    untilMs === null ? [] : [{ ...row, untilMs, language: language ?? 'en' }],
  );
}

/** Where an identity's money goes now, and where it is about to go. */
export async function destinationsOf(
  store: Store,
  identityId: string,
): Promise<{ now: Destination[]; next: (Destination & { effectiveAtMs: number })[] }> {
  const { walletChanges, wallets } = store.tables;
  const [now, next] = await Promise.all([
    store.read.select().from(wallets).where(eq(wallets.identityId, identityId)),
    store.read.select().from(walletChanges).where(eq(walletChanges.identityId, identityId)),
  ]);
  return { now, next };
}
