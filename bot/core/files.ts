import { createHash } from 'node:crypto';
import type { Action } from '../../core/view.ts';
import { createFile, findFile, type ChatFile } from '../../db/bot/files.ts';
import type { CoreDeps } from './dependencies.ts';

/** Time enough to press a button; what lies in a chat for longer opens nothing. */
export const FILE_MINUTES = 15;

type Deps = Pick<CoreDeps, 'store' | 'random' | 'clock' | 'publicUrl'>;

/**
 * A link to what belongs to one person. Chats differ in whether they carry files, and all of them carry links; the page
 * behind it knows nobody, so the address itself is the key: it is random, short-lived, and stored as a hash only.
 */
export async function newFileLink(
  { store, random, clock, publicUrl }: Deps,
  userId: string,
  { kind, label }: Pick<ChatFile, 'kind'> & { label: string },
): Promise<Action> {
  const secret = Buffer.from(random(24)).toString('base64url');
  const nowMs = clock.now();
  await createFile(store, { id: hashOf(secret), userId, kind, untilMs: nowMs + FILE_MINUTES * 60_000 }, nowMs);
  return { kind: 'link', label, url: `${publicUrl}/wallet/files/${secret}` };
}

export async function openFile(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  secret: string,
): Promise<ChatFile | null> {
  return findFile(store, hashOf(secret), clock.now());
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
