import { and, asc, eq, gt, isNull, ne } from 'drizzle-orm';
import { adminWho, INVITE_MS, type AdminRole } from '../../core/admins/admins.ts';
import { recordAction, type Command } from '../operator/actions.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';

export type Admin = { name: string; role: AdminRole };
export type AdminPasskey = Tables['adminPasskeys']['$inferSelect'];

/** `canSignIn`: has used an invitation. `inviteUntilMs`: until when a link for them works; null: there is none. */
export type ListedAdmin = Admin & { canSignIn: boolean; inviteUntilMs: number | null };

export async function listAdmins({ read, tables }: Store, nowMs: number): Promise<ListedAdmin[]> {
  const { admins, adminInvites, adminPasskeys } = tables;
  const known = await read
    .select({ name: admins.name, role: admins.role, passkey: adminPasskeys.id })
    .from(admins)
    .leftJoin(adminPasskeys, eq(adminPasskeys.admin, admins.name))
    .where(isNull(admins.removedAtMs))
    .orderBy(asc(admins.name));
  const invites = await read
    .select()
    .from(adminInvites)
    .where(gt(adminInvites.expiresAtMs, nowMs))
    .orderBy(asc(adminInvites.name));
  const untilOf = (name: string) => invites.find((one) => one.name === name)?.expiresAtMs ?? null;
  const newcomers = invites.filter(({ name }) => !known.some((one) => one.name === name));
  return [
    ...known.map(({ name, role, passkey }) => ({
      name,
      role,
      canSignIn: passkey !== null,
      inviteUntilMs: untilOf(name),
    })),
    ...newcomers.map(({ name, role, expiresAtMs }) => ({ name, role, canSignIn: false, inviteUntilMs: expiresAtMs })),
  ];
}

/** Who has this name now; null where nobody has, or has no longer. */
async function adminNamed(db: Db, { admins }: Tables, name: string): Promise<Admin | null> {
  const [row] = await db
    .select({ name: admins.name, role: admins.role })
    .from(admins)
    .where(and(eq(admins.name, name), isNull(admins.removedAtMs)));
  return row ?? null;
}

export type Invited = { kind: 'invited'; expiresAtMs: number } | { kind: 'other_role'; role: AdminRole };

/** A new link ends the one before it. It gives nobody another role: that has a command of its own. */
export async function inviteAdmin(
  store: Store,
  { name, role, linkHash }: Admin & { linkHash: string },
  command: Command,
  nowMs: number,
): Promise<Invited> {
  const { adminInvites } = store.tables;
  const expiresAtMs = nowMs + INVITE_MS;
  return store.tx(async (db) => {
    const known = await adminNamed(db, store.tables, name);
    if (known !== null && known.role !== role) return { kind: 'other_role', role: known.role };
    const set = { linkHash, role, expiresAtMs };
    await db
      .insert(adminInvites)
      .values({ name, ...set })
      .onConflictDoUpdate({ target: adminInvites.name, set });
    await recordAction(db, store.tables, command, { result: 'invited', nowMs });
    return { kind: 'invited', expiresAtMs };
  });
}

/** Of a link that works now. */
export async function findInvite({ read, tables }: Store, linkHash: string, nowMs: number): Promise<Admin | null> {
  return openInvite(read, tables, linkHash, nowMs);
}

async function openInvite(
  db: Pick<Db, 'select'>,
  { adminInvites }: Tables,
  linkHash: string,
  nowMs: number,
): Promise<Admin | null> {
  const [row] = await db
    .select({ name: adminInvites.name, role: adminInvites.role })
    .from(adminInvites)
    .where(and(eq(adminInvites.linkHash, linkHash), gt(adminInvites.expiresAtMs, nowMs)));
  return row ?? null;
}

/**
 * Uses the link up: its passkey is from now on the one that this admin signs in with. What was signed in with the one before
 * ends, because that one is lost, or another person has it.
 */
export async function acceptInvite(
  store: Store,
  linkHash: string,
  passkey: Pick<AdminPasskey, 'id' | 'publicKey' | 'counter' | 'transports'>,
  nowMs: number,
): Promise<Admin | null> {
  const { tables } = store;
  const { admins, adminInvites, adminPasskeys } = tables;
  return store.tx(async (db) => {
    const invited = await openInvite(db, tables, linkHash, nowMs);
    if (invited === null) return null;
    const { name, role } = invited;
    // The id is the browser's word: that of another admin's passkey is refused.
    const [taken] = await db
      .select({ admin: adminPasskeys.admin })
      .from(adminPasskeys)
      .where(and(eq(adminPasskeys.id, passkey.id), ne(adminPasskeys.admin, name)));
    if (taken !== undefined) return null;
    await db.delete(adminInvites).where(eq(adminInvites.name, name));
    await shutOut(db, tables, name, nowMs);
    const isBack = { role, removedAtMs: null };
    await db
      .insert(admins)
      .values({ name, createdAtMs: nowMs, ...isBack })
      .onConflictDoUpdate({ target: admins.name, set: isBack });
    await db.insert(adminPasskeys).values({ ...passkey, admin: name, createdAtMs: nowMs });
    const command = { name: 'admin accept', arguments: [name, role], who: adminWho(name) };
    await recordAction(db, tables, command, { result: 'has a passkey', nowMs });
    return invited;
  });
}

/**
 * Ends sessions, passkey and invitations at once; all invitations, because the one who leaves may have made one for any name.
 * False where nobody of that name can sign in, or is to. */
export async function removeAdmin(store: Store, name: string, command: Command, nowMs: number): Promise<boolean> {
  const { tables } = store;
  const { admins, adminInvites } = tables;
  return store.tx(async (db) => {
    const removed = await db
      .update(admins)
      .set({ removedAtMs: nowMs })
      .where(and(eq(admins.name, name), isNull(admins.removedAtMs)))
      .returning({ name: admins.name });
    const [invited] = await db.select().from(adminInvites).where(eq(adminInvites.name, name));
    if (removed.length === 0 && invited === undefined) return false;
    await db.delete(adminInvites);
    await shutOut(db, tables, name, nowMs);
    await recordAction(db, tables, command, { result: 'removed', nowMs });
    return true;
  });
}

/**
 * It counts from the next request on. An open invitation follows, so that it does not bring the old role back; one who is owner
 * no longer leaves none that they made.
 */
export async function changeRole(
  store: Store,
  { name, role }: Admin,
  command: Command,
  nowMs: number,
): Promise<boolean> {
  const { admins, adminInvites } = store.tables;
  return store.tx(async (db) => {
    const changed = await db
      .update(admins)
      .set({ role })
      .where(and(eq(admins.name, name), isNull(admins.removedAtMs)))
      .returning({ name: admins.name });
    if (changed.length === 0) return false;
    if (role !== 'owner') await db.delete(adminInvites);
    else await db.update(adminInvites).set({ role }).where(eq(adminInvites.name, name));
    await recordAction(db, store.tables, command, { result: `is ${role}`, nowMs });
    return true;
  });
}

/** Sessions end rather than go: what was signed for one must not open another. */
async function shutOut(db: Db, { adminPasskeys, adminSessions }: Tables, name: string, nowMs: number): Promise<void> {
  await db.delete(adminPasskeys).where(eq(adminPasskeys.admin, name));
  await db
    .update(adminSessions)
    .set({ endsAtMs: nowMs })
    .where(and(eq(adminSessions.admin, name), gt(adminSessions.endsAtMs, nowMs)));
}
