import { html } from 'hono/html';
import { ZERO_USDC } from '../../../core/money.ts';
import { networkTitle } from '../../../core/networks.ts';
import { platformRow } from '../../../core/platforms/platforms.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import type { ClaimView } from '../claims.ts';
import { alert, stepHeading } from '../../../web/components/alert.ts';
import { addresses } from './destination.ts';
import { toPage, type Problem } from '../offers/page-context.ts';
import { dollars } from '../../../web/components/money.ts';
import { ownerOf, startPath } from './wording.ts';

/**
 * The proven name, what waits, and where it goes: the last look before money moves. `token` confirms this claim once,
 * in this browser.
 */
export function verifiedPage(view: ClaimView, token: string, problem: Problem | null): Page {
  const name = ownerOf(view);
  const isDeclined = 'decline' in view.payout;
  return toPage({
    title: `${problem === null ? '' : 'Problem: '}You are ${name}`,
    description: 'A last look before anything moves.',
    main: html`<article class="paper letter steps-page" data-step="verified">
      <p class="eyebrow">Step 2 of 2</p>
      ${alert(problem?.text ?? null)}
      ${stepHeading(html`You are <bdi class="recipient">${name}</bdi>.`, problem !== null)}
      ${sentence(view)}
      ${isDeclined ? declineForm(view, token) : confirmForm(view, token)}
      <p><a class="standing-link" href="${startPath(view.recipient, view.receiptSlug)}">Not right? Start again</a></p>
    </article>`,
  });
}

function sentence(view: ClaimView): Html {
  const { payout, destinations } = view;
  const total = view.total ?? ZERO_USDC;
  const isNothing = total === ZERO_USDC;
  const what = isNothing
    ? html`Whatever is sent to you from now on`
    : html`<strong class="sum">${dollars(total)}</strong>`;
  if ('decline' in payout) {
    return isNothing ? nothing(view) : html`<p class="lead">${what} goes back to whoever sent it.</p>`;
  }
  const where =
    'keep' in payout
      ? html`<p class="lead">${what} stays here for you.</p>`
      : html`<p class="lead">${what} goes to:</p>
      ${addresses(destinations ?? [])}
      ${elsewhere(view)}`;
  return html`${isNothing ? nothing(view) : ''}${where}`;
}

function nothing({ receiptSlug, recipient }: ClaimView): Html {
  const another =
    receiptSlug !== null && platformRow(recipient.platform).mask !== undefined
      ? ' If it was sent to another address of yours, start again with that one.'
      : '';
  return html`<p class="state"><strong>Nothing is waiting for you right now.</strong> <span>It may have been collected already, or gone back to whoever sent it.${another}</span></p>`;
}

/** Money that came in on a network without an address is paid out on the other one, if we hold enough there. */
function elsewhere({ sums, destinations }: ClaimView): Html | '' {
  const others = (sums ?? []).filter(
    ({ network, amount }) => amount > 0n && !(destinations ?? []).some((known) => known.network === network),
  );
  if (others.length === 0) return '';
  return html`<p class="hint">${others.map(({ network, amount }) => `${dollars(amount)} of it came in on ${networkTitle(network, null)}. `)}It goes to the same address as soon as we can bring it over, and waits here until then. Want it at once? Start again, and keep it here or give an address there too.</p>`;
}

function confirmForm(view: ClaimView, token: string): Html {
  return html`<form method="post" action="/claims/${view.claimId}/confirm">
        <input type="hidden" name="confirm_token" value="${token}">
        <button class="button wide" id="confirm">Confirm</button>
      </form>`;
}

function declineForm(view: ClaimView, token: string): Html {
  return html`<form method="post" action="/claims/${view.claimId}/decline">
        <input type="hidden" name="confirm_token" value="${token}">
        <label class="check"><input type="checkbox" name="opt_out" value="yes"> <span>Never again: nobody shall be able to send money to this name here.</span></label>
        <button class="button wide" id="decline">Send it back</button>
      </form>`;
}
