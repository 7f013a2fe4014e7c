import { z } from 'zod';
import { cleanNote } from '../../core/grammar/note.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { hasLink, TIP_PAGE_CHARACTERS_MAX, TIP_PAGE_PLATFORMS } from '../../core/tip-pages/tip-pages.ts';
import { setTipPage } from '../../db/tip-pages/tip-pages.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { SeenWallet } from '../shared/wallets.ts';

const pageForm = z.object({
  wallet: z.string().max(300),
  words: z.string().max(1_000),
  on: z.enum(['yes', 'no']),
});

/** Null for what our own page cannot have sent. */
export function readTipPageForm(fields: unknown): z.infer<typeof pageForm> | null {
  return pageForm.safeParse(fields).data ?? null;
}

/** What the page’s words were refused for, and what was typed. */
export type TipPageProblem = { walletId: string; kind: 'has_link' | 'too_long'; typed: string };

/** Null where a name can have no page: an address, a site, an account of a chat. */
export function tipPagePath(name: string): string | null {
  const at = name.indexOf(':');
  const platform = findPlatform(name.slice(0, Math.max(at, 0)));
  if (platform === null || !TIP_PAGE_PLATFORMS.includes(platform)) return null;
  return `/to/${platform}/${encodeURIComponent(name.slice(at + 1))}`;
}

export type TipPageChange = { kind: 'done' } | { kind: 'impossible' } | { kind: 'problem'; problem: TipPageProblem };

/** Switches the page of a proven name on, with these words, or off. */
export async function changeTipPage(
  { store, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  { walletId, name, identityId }: Pick<SeenWallet, 'walletId' | 'name' | 'identityId'>,
  { words: typed, on }: { words: string; on: 'yes' | 'no' },
): Promise<TipPageChange> {
  if (name === null || identityId === null || tipPagePath(name) === null) return { kind: 'impossible' };
  const words = cleanNote(typed);
  const refuse = (kind: TipPageProblem['kind']): TipPageChange => ({
    kind: 'problem',
    problem: { walletId, kind, typed },
  });
  if (on === 'yes' && Array.from(words).length > TIP_PAGE_CHARACTERS_MAX) return refuse('too_long');
  if (on === 'yes' && hasLink(words)) return refuse('has_link');
  const page = on === 'no' ? null : { words: words === '' ? null : words };
  return { kind: (await setTipPage(store, { identityId, page }, clock.now())) ? 'done' : 'impossible' };
}
