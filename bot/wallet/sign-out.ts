import type { Context } from 'hono';
import { html } from 'hono/html';
import { mayLeave } from '../../core/wallets/holder-wait.ts';
import { heldBy, signOut } from '../../db/wallets/sign-out.ts';
import { stepHeading } from '../../web/components/alert.ts';
import type { Page } from '../../web/page.ts';
import type { PageSite } from '../shared/page-site.ts';
import { forgetVisitor } from '../web/visitor.ts';
import type { Visit } from './visit.ts';
import { readWallets } from './wallet-reads.ts';

/** Asked for once more, because who comes back by the name alone may have to wait. */
export async function askSignOut({ deps, site, show }: Visit, _context: Context, holderId: string): Promise<Response> {
  const nowMs = deps.clock.now();
  const [held, wallets] = await Promise.all([heldBy(deps.store, holderId), readWallets(deps, holderId)]);
  const isLast = held.some((holders) => !mayLeave(holders, holderId, nowMs));
  return show(signOutPage(site, { isLast, hasOwn: wallets.some(({ name }) => name === null) }));
}

/** The cookie goes as well: what it opened is given up already, so one that was copied before opens nothing either. */
export async function answerSignOut({ deps }: Visit, context: Context, holderId: string): Promise<Response> {
  const { store, clock, random, isSecure } = deps;
  await signOut(store, holderId, { random, nowMs: clock.now() });
  forgetVisitor(context, isSecure);
  return context.redirect('/purse', 303);
}

function signOutPage({ texts }: PageSite, { isLast, hasOwn }: { isLast: boolean; hasOwn: boolean }): Page {
  const text = texts.purse;
  return {
    title: text.signOutTitle,
    main: html`<article class="paper letter">
      ${stepHeading(text.signOutTitle, false)}
      <p class="lead">${text.signOutNote}</p>
      ${isLast ? html`<p>${text.signOutLast}</p>` : ''}
      ${hasOwn ? html`<p>${text.signOutPlay}</p>` : ''}
      <form method="post" action="/purse/signed-out" class="row">
        <button type="submit" class="button">${text.signOut}</button>
        <a class="button quiet" href="/purse">${text.back}</a>
      </form>
    </article>`,
  };
}
