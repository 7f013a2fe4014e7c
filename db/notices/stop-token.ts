import { createHmac, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

/**
 * Anyone with the link in a mail may end such mails for good, without signing in: the token names the identity by its
 * opaque id and proves that we wrote it. The key is made once for a database and stored there, in `payout_settings`, so
 * that links in old mails outlive changes of the configuration. It opens nothing else.
 */
const SECRET_NAME = 'notices:secret';
/** 128 bits of the hash. */
const MAC_BYTES = 16;

/** The key, made by the first caller. `newSecret` answers at least 128 random bits. */
export async function ensureStopSecret(store: Store, newSecret: () => string): Promise<string> {
  const known = await findStopSecret(store);
  if (known !== null) return known;
  const { payoutSettings } = store.tables;
  const value = newSecret();
  await store.tx((db) => db.insert(payoutSettings).values({ name: SECRET_NAME, value }).onConflictDoNothing());
  const stored = await findStopSecret(store);
  if (stored === null) throw new Error('the key of stop links was written, and is not there');
  return stored;
}

/** Null: no mail with such a link was ever written. */
export async function findStopSecret(store: Store): Promise<string | null> {
  const { payoutSettings } = store.tables;
  const rows = await store.read.select().from(payoutSettings).where(eq(payoutSettings.name, SECRET_NAME));
  return rows[0]?.value ?? null;
}

export function toStopToken(secret: string, identityId: string): string {
  return toToken(secret, 'stop', identityId);
}

/** The identity that the token names; null for a token that we did not write. */
export function readStopToken(secret: string, token: string): string | null {
  return readToken(secret, 'stop', token);
}

/**
 * In the link by which a notice leads to collecting. It only proves that a mail of ours brought its bearer, so that code mails
 * which strangers used up do not count against this reader.
 */
export function toReaderToken(secret: string, identityId: string): string {
  return toToken(secret, 'reader', identityId);
}

export function readReaderToken(secret: string, token: string): string | null {
  return readToken(secret, 'reader', token);
}

/** In a mail about what is to change with kept money: it stops that, until the time that the mail is about. */
export function toHoldToken(secret: string, identityId: string, untilMs: number): string {
  return toToken(secret, 'hold', `${untilMs.toString(36)}_${identityId}`);
}

export function readHoldToken(secret: string, token: string): { identityId: string; untilMs: number } | null {
  const [, until = '', identityId = ''] = /^([0-9a-z]+)_(.+)$/.exec(readToken(secret, 'hold', token) ?? '') ?? [];
  return identityId === '' ? null : { identityId, untilMs: Number.parseInt(until, 36) };
}

type Purpose = 'stop' | 'reader' | 'hold';

function toToken(secret: string, purpose: Purpose, identityId: string): string {
  return `${identityId}.${macOf(secret, purpose, identityId).toString('base64url')}`;
}

function readToken(secret: string, purpose: Purpose, token: string): string | null {
  const [, identityId = '', mac = ''] = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{22})$/.exec(token) ?? [];
  const found = Buffer.from(mac, 'base64url');
  const expected = macOf(secret, purpose, identityId);
  return found.length === expected.length && timingSafeEqual(found, expected) ? identityId : null;
}

function macOf(secret: string, purpose: Purpose, identityId: string): Buffer {
  const text = `pennypost/notices/${purpose}/${identityId}`;
  return createHmac('sha256', secret).update(text).digest().subarray(0, MAC_BYTES);
}
