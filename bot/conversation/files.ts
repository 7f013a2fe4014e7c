import { createHash } from 'node:crypto';
import type { Action } from '../../core/view.ts';
import { createFile, findFile, type ChatFile } from '../../db/chats/files.ts';
import type { CoreDeps } from './dependencies.ts';

/** Time enough to press a button; what lies in a chat for longer opens nothing. */
export const FILE_MINUTES = 15;

type FileWish = { kind: 'history_csv' | 'export_json'; label: string };
type Deps = Pick<CoreDeps, 'store' | 'random' | 'clock' | 'publicUrl'>;

/**
 * A link to what belongs to one person. Chats differ in whether they carry files and pictures, and all of them carry
 * links; the page behind it knows nobody, so the address itself is the key: it is random, short-lived, and stored as a
 * hash only.
 */
export async function newFileLink(deps: Deps, userId: string, { kind, label }: FileWish): Promise<Action> {
  const secret = await newSecret(deps, { kind, userId, walletId: null, language: null });
  return { kind: 'link', label, url: `${deps.publicUrl}/purse/files/${secret}` };
}

/** The same for the page that shows the addresses of a wallet to a camera. */
export async function newDepositLink(
  deps: Deps,
  { userId, walletId, language }: Pick<ChatFile, 'userId' | 'walletId' | 'language'>,
  label: string,
): Promise<Action> {
  const secret = await newSecret(deps, { kind: 'deposit_page', userId, walletId, language });
  return { kind: 'link', label, url: `${deps.publicUrl}/purse/deposit/${secret}` };
}

/** The same for the page on which a browser and this account are let into each other's money. It works once. */
export async function newPurseLink(deps: Deps, userId: string, label: string): Promise<Action> {
  const secret = await newSecret(deps, { kind: 'purse_link', userId, walletId: null, language: null });
  return { kind: 'link', label, url: `${deps.publicUrl}/purse/link/${secret}` };
}

/**
 * Out of an app's own browser, which has no passkeys, into the phone's: it takes the sign-in to one wallet along. What it opens
 * stands behind the `#`, which browsers never send, so no log and no proxy on the way has it. It works once.
 */
export async function newBrowserLink(deps: Deps, userId: string, walletId: string): Promise<string> {
  const secret = await newSecret(deps, { kind: 'browser_link', userId, walletId, language: null });
  return `${deps.publicUrl}/purse/moved#${secret}`;
}

/** What came into the wallet of a community, and what left it. */
export async function newTreasuryLink(
  deps: Deps,
  { userId, walletId }: { userId: string; walletId: string },
  label: string,
): Promise<Action> {
  const secret = await newSecret(deps, { kind: 'treasury_csv', userId, walletId, language: null });
  return { kind: 'link', label, url: `${deps.publicUrl}/purse/files/${secret}` };
}

async function newSecret({ store, random, clock }: Deps, file: Omit<ChatFile, 'id' | 'untilMs'>): Promise<string> {
  const secret = Buffer.from(random(24)).toString('base64url');
  const nowMs = clock.now();
  await createFile(store, { ...file, id: hashOf(secret), untilMs: nowMs + FILE_MINUTES * 60_000 }, nowMs);
  return secret;
}

export async function openFile(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  secret: string,
): Promise<ChatFile | null> {
  return findFile(store, hashOf(secret), clock.now());
}

/** The row of a link, by what stands in its address. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
