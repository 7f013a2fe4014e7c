import type { Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { HOLDER_WAIT_MS } from '../../core/wallets/holder-wait.ts';
import { linkChat } from '../../db/chats/linking.ts';
import { moveHolder } from '../../db/chats/moving.ts';
import { readBrowser } from '../../web/browser.ts';
import type { Page } from '../../web/page.ts';
import { FILE_MINUTES, hashOf, newBrowserLink, openFile } from '../conversation/files.ts';
import { countingPasskeys, isGuarded } from '../passkeys/signed.ts';
import { movedPage, movedWhosePage, wayOutPage } from '../passkeys/way-out.ts';
import type { PageSite } from '../shared/page-site.ts';
import { namedPerson } from '../../texts/names/person.ts';
import { titleOf } from '../shared/shown-person.ts';
import { walletsOf, type PersonWallet } from '../shared/wallets.ts';
import { readVisitor, welcomeVisitor } from '../web/visitor.ts';
import { browserIdOf } from '../../identity/browsers.ts';
import { readOnlyForm } from './forms.ts';
import { spendableIn } from './purse.ts';
import { formOver, movedOver, purseOver, type Visit } from './visit.ts';

const linkForm = z.object({ into: z.string().max(300).default('') });
const movedForm = z.object({ secret: z.string().max(100), sure: z.string().max(1).default('') });

/** A chat account asks to be connected with this browser. Looking at the page does nothing: chats open links by themselves. */
export async function answerLink({ deps, site, show, refuse }: Visit, context: Context): Promise<Response> {
  const link = await openFile(deps, context.req.param('secret') ?? '');
  if (link?.kind !== 'purse_link') return refuse(404, purseOver);
  const holderId = readVisitor(context, deps.isSecure)?.id ?? null;
  const nowMs = deps.clock.now();
  const own = holderId === null ? [] : await walletsOf(deps.store, holderId, nowMs);
  const theirs = await walletsOf(deps.store, link.userId, nowMs);
  const offered = own.filter(
    ({ walletId, name }) => name !== null && !theirs.some((wallet) => wallet.walletId === walletId),
  );
  const guarded = new Set<string>();
  for (const { walletId } of [...theirs, ...offered]) {
    if (await isGuarded(deps, walletId, nowMs + HOLDER_WAIT_MS)) guarded.add(walletId);
  }
  return show(linkPage(site, namedPerson(link.userId, site.reader.language), { theirs, offered, guarded }));
}

export async function answerLinked({ deps, refuse }: Visit, context: Context): Promise<Response> {
  const form = linkForm.safeParse(await context.req.parseBody()).data;
  const browserId = browserIdOf(welcomeVisitor(context, deps));
  if (form === undefined || browserId === null) return refuse(400, purseOver);
  const linkId = hashOf(context.req.param('secret') ?? '');
  const into = form.into === '' ? null : form.into;
  const isLinked = await linkChat(deps.store, { linkId, browserId, into }, deps.clock.now());
  return isLinked ? context.redirect('/purse', 303) : refuse(404, purseOver);
}

/** The link out of an app's browser, for one that may spend: there is nothing to take along for one that only looks. */
export async function answerMove(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, site, show, refuse } = visit;
  const wallet = await spendableIn(visit, holderId, readOnlyForm(await context.req.parseBody())?.wallet);
  if (wallet === null || wallet.name === null) return refuse(400, formOver);
  // Who has the passkey signs in with it anywhere; who has it not shall not carry the money off.
  if ((await countingPasskeys(deps, wallet.walletId)).length > 0) return refuse(400, formOver);
  const url = await newBrowserLink(deps, holderId, wallet.walletId);
  const { browserUrl } = readBrowser(context.req.header('user-agent') ?? '', url);
  return show(wayOutPage(site, { url, browserUrl, minutes: FILE_MINUTES }));
}

/** Looking at the page does nothing: programs open links by themselves, and the server does not even see which one it is. */
export function answerMoving({ site, show }: Visit): Promise<Response> {
  return show(movedPage(site));
}

/** The first press shows whose money it is and changes nothing; the second one goes on with it. */
export async function answerMoved({ deps, site, show, refuse }: Visit, context: Context): Promise<Response> {
  const form = movedForm.safeParse(await context.req.parseBody()).data;
  if (form !== undefined && form.sure === '') {
    const whose = await moverOf(deps, form.secret);
    return whose === null ? refuse(404, movedOver) : show(movedWhosePage(site, titleOf(site, whose), form.secret));
  }
  const browserId = browserIdOf(welcomeVisitor(context, deps));
  if (form === undefined || browserId === null) return refuse(400, movedOver);
  const isMoved = await moveHolder(deps.store, { linkId: hashOf(form.secret), browserId }, deps.clock.now());
  return isMoved ? context.redirect('/purse', 303) : refuse(404, movedOver);
}

/** The name that the money is kept for; null where the link is over. */
async function moverOf(deps: Visit['deps'], secret: string): Promise<string | null> {
  const link = await openFile(deps, secret);
  if (link?.kind !== 'browser_link') return null;
  const own = await walletsOf(deps.store, link.userId, deps.clock.now());
  return own.find(({ walletId }) => walletId === link.walletId)?.name ?? null;
}

/** `theirs`: what the account opens to this browser; `offered`: what this browser can open to it. `guarded`: by a passkey. */
type Link = { theirs: readonly PersonWallet[]; offered: readonly PersonWallet[]; guarded: ReadonlySet<string> };

function linkPage(site: PageSite, account: string, { theirs, offered, guarded }: Link): Page {
  const text = site.texts.purse;
  const form = (label: string, note: string, into: string, kind: string) => html`<form method="post">
        <input type="hidden" name="into" value="${into}" />
        <button type="submit" class="button wide${kind}">${label}</button>
        <p class="hint">${note}</p>
      </form>`;
  return {
    title: text.linkTitle(account),
    main: html`<article class="paper letter">
      <h1>${text.linkTitle(account)}</h1>
      <p>${text.linkOnly}</p>
      ${form(text.linkHere(account), text.linkHereNote(theirs.some(({ walletId }) => guarded.has(walletId))), '', '')}
      ${offered.map(({ walletId, name }) => form(text.linkThere(titleOf(site, name), account), text.linkThereNote(guarded.has(walletId)), walletId, ' quiet'))}
      <p class="hint">${text.linkOther}</p>
      <p class="actions"><a class="button quiet" href="/purse">${text.back}</a></p>
    </article>`,
  };
}
