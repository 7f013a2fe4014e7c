import type { Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { linkChat } from '../../db/chats/linking.ts';
import type { Page } from '../../web/page.ts';
import { hashOf, openFile } from '../conversation/files.ts';
import type { PageSite } from '../shared/page-site.ts';
import { titleOf, shownPerson } from '../shared/shown-person.ts';
import { walletsOf, type PersonWallet } from '../shared/wallets.ts';
import { readVisitor, welcomeVisitor } from '../web/visitor.ts';
import { browserIdOf } from '../../identity/browsers.ts';
import { purseOver, type Visit } from './visit.ts';

const linkForm = z.object({ into: z.string().max(300).default('') });

/** A chat account asks to be connected with this browser. Looking at the page does nothing: chats open links by themselves. */
export async function answerLink({ deps, site, show, refuse }: Visit, context: Context): Promise<Response> {
  const link = await openFile(deps, context.req.param('secret') ?? '');
  if (link?.kind !== 'purse_link') return refuse(404, purseOver);
  const holderId = readVisitor(context, deps.isSecure)?.id ?? null;
  const nowMs = deps.clock.now();
  const own = holderId === null ? [] : await walletsOf(deps.store, holderId, nowMs);
  const theirs = new Set((await walletsOf(deps.store, link.userId, nowMs)).map(({ walletId }) => walletId));
  const offered = own.filter(({ walletId, name }) => name !== null && !theirs.has(walletId));
  return show(linkPage(site, shownPerson(link.userId, site.reader.language), offered));
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

function linkPage(site: PageSite, account: string, offered: readonly PersonWallet[]): Page {
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
      ${form(text.linkHere(account), text.linkHereNote, '', '')}
      ${offered.map(({ walletId, name }) => form(text.linkThere(titleOf(site, name), account), text.linkThereNote, walletId, ' quiet'))}
      <p class="hint">${text.linkOther}</p>
      <p class="actions"><a class="button quiet" href="/purse">${text.back}</a></p>
    </article>`,
  };
}
