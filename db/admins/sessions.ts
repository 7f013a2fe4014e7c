import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { adminWho, SESSION_IDLE_MS, SESSION_MS } from '../../core/admins/admins.ts';
import { recordAction } from '../operator/actions.ts';
import type { Store } from '../store/store.ts';
import type { Admin, AdminPasskey } from './admins.ts';

/** What was signed for a session counts for minutes; its row stays longer. */
const KEPT_MS = 24 * 3_600_000;
/** So often a session that is used is written down. */
const SEEN_EVERY_MS = 60_000;

export async function findAdminPasskey({ read, tables }: Store, id: string): Promise<AdminPasskey | null> {
  const { adminPasskeys } = tables;
  const [row] = await read.select().from(adminPasskeys).where(eq(adminPasskeys.id, id));
  return row ?? null;
}

export type SignedIn = {
  passkeyId: string;
  counter: number;
  /** SHA-256 of the new cookie, and of what the passkey has signed for it. */
  cookieHash: string;
  challengeHash: string;
};

/**
 * Null where the passkey is nobody's any more, has signed more often already (then it is a copy, or a repeat), or where this
 * signature has opened a session before.
 */
export async function openSession(store: Store, signed: SignedIn, nowMs: number): Promise<Admin | null> {
  const { tables } = store;
  const { admins, adminPasskeys, adminSessions } = tables;
  const { passkeyId, counter, cookieHash, challengeHash } = signed;
  // Authenticators that do not count stay at 0.
  const isNewer = counter === 0 ? eq(adminPasskeys.counter, 0) : lt(adminPasskeys.counter, counter);
  return store.tx(async (db) => {
    const [used] = await db
      .update(adminPasskeys)
      .set({ counter })
      .where(and(eq(adminPasskeys.id, passkeyId), isNewer))
      .returning({ admin: adminPasskeys.admin });
    if (used === undefined) return null;
    const [admin] = await db
      .select({ name: admins.name, role: admins.role })
      .from(admins)
      .where(and(eq(admins.name, used.admin), isNull(admins.removedAtMs)));
    if (admin === undefined) return null;
    await db.delete(adminSessions).where(lt(adminSessions.createdAtMs, nowMs - KEPT_MS));
    const times = { createdAtMs: nowMs, seenAtMs: nowMs, endsAtMs: nowMs + SESSION_MS };
    const [opened] = await db
      .insert(adminSessions)
      .values({ cookieHash, challengeHash, admin: admin.name, ...times })
      .onConflictDoNothing()
      .returning({ admin: adminSessions.admin });
    if (opened === undefined) return null;
    const command = { name: 'console sign-in', arguments: [], who: adminWho(admin.name) };
    await recordAction(db, tables, command, { result: 'signed in', nowMs });
    return admin;
  });
}

/** Who is signed in by this cookie, with the role that they have now. */
export async function findSession(store: Store, cookieHash: string, nowMs: number): Promise<Admin | null> {
  const { admins, adminSessions } = store.tables;
  const [found] = await store.read
    .select({ name: admins.name, role: admins.role, seenAtMs: adminSessions.seenAtMs })
    .from(adminSessions)
    .innerJoin(admins, eq(admins.name, adminSessions.admin))
    .where(
      and(
        eq(adminSessions.cookieHash, cookieHash),
        gt(adminSessions.endsAtMs, nowMs),
        gt(adminSessions.seenAtMs, nowMs - SESSION_IDLE_MS),
        isNull(admins.removedAtMs),
      ),
    );
  if (found === undefined) return null;
  const { name, role, seenAtMs } = found;
  if (nowMs - seenAtMs >= SEEN_EVERY_MS)
    await store.tx((db) =>
      db.update(adminSessions).set({ seenAtMs: nowMs }).where(eq(adminSessions.cookieHash, cookieHash)),
    );
  return { name, role };
}

export async function endSession(store: Store, cookieHash: string, nowMs: number): Promise<void> {
  const { adminSessions } = store.tables;
  await store.tx((db) =>
    db
      .update(adminSessions)
      .set({ endsAtMs: nowMs })
      .where(and(eq(adminSessions.cookieHash, cookieHash), gt(adminSessions.endsAtMs, nowMs))),
  );
}
