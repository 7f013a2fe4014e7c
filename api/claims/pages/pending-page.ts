import { html } from 'hono/html';
import { MAIL_LINK_MS } from '../../../core/claims/mail.ts';
import { platformRow } from '../../../core/platforms/platforms.ts';
import { MAIL_CODE_DIGITS, MAIL_CODE_MS, MAIL_CODE_TRIES_MAX } from '../../../identity/proofs/mail-code.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { qrFigure } from '../../../web/components/qr-figure.ts';
import { formatMinute } from '../../../texts/receipt-page/en.ts';
import type { ClaimSteps, ClaimView } from '../claims.ts';
import { alert, invalid, stepHeading } from '../../../web/components/alert.ts';
import { whereItGoes } from './destination.ts';
import { isAbout, toPage, type PageContext, type Problem } from '../offers/page-context.ts';
import { claimPath, ownerOf, startPath, whyRejected } from './wording.ts';

type Step = { heading: string | Html; body: Html };

/** The one thing that the visitor does to prove the name. */
export function pendingPage(pageContext: PageContext, view: ClaimView, failed: Problem | null): Page {
  const name = ownerOf(view);
  // A sign-in that failed at the provider's comes back as a redirect, so the claim itself remembers why.
  const problem = failed ?? refusedBefore(view, name);
  const { heading, body } = stepOf(pageContext, view, problem);
  return toPage({
    title: `${problem === null ? '' : 'Problem: '}Show that you are ${name}`,
    description: 'Show that the name is yours.',
    main: html`<article class="paper letter steps-page" data-step="pending">
      <p class="eyebrow">Step 1 of 2</p>
      ${alert(problem?.text ?? null)}
      ${stepHeading(heading, problem !== null)}
      ${body}
      <p class="hint">${whereItGoes(view)} There is time until ${formatMinute(new Date(view.expiresAtMs))}.</p>
      <p><a class="standing-link" href="${startPath(view.recipient, view.receiptSlug)}">Start again</a></p>
      <p class="visually-hidden" role="status" id="announcer"></p>
    </article>`,
  });
}

function refusedBefore({ reason }: ClaimView, name: string): Problem | null {
  return reason === null ? null : { text: whyRejected(reason, name), field: null, typed: {} };
}

function stepOf(pageContext: PageContext, view: ClaimView, problem: Problem | null): Step {
  const { oauth, siwf, domain, email } = view.steps;
  if (email) return mailCode(pageContext, view, email, problem);
  if (siwf) return farcaster(view, siwf);
  if (domain) return website(pageContext, view, domain);
  if (oauth) return signIn(view, oauth);
  return {
    heading: 'We are waiting for your proof',
    body: html`<p>Load this page again in a moment, or start again.</p>`,
  };
}

function signIn(view: ClaimView, { url }: NonNullable<ClaimSteps['oauth']>): Step {
  const { title } = platformRow(view.recipient.platform);
  return {
    heading: `Sign in with ${title}`,
    body: html`<p>Sign in as <bdi class="recipient">${ownerOf(view)}</bdi>. You come back here by yourself. We learn your name there, and can do nothing in it.</p>
      <p class="actions"><a class="button wide" id="sign-in" href="${url}" rel="noreferrer">Sign in with ${title}</a></p>`,
  };
}

function mailCode(
  { now, offers }: PageContext,
  view: ClaimView,
  { to, codeExpiresAtMs, triesLeft, lastMailAtMs }: NonNullable<ClaimSteps['email']>,
  problem: Problem | null,
): Step {
  const isOver = codeExpiresAtMs === null || codeExpiresAtMs <= now() || triesLeft === 0;
  const left = triesLeft < MAIL_CODE_TRIES_MAX ? html` ${tries(triesLeft)} left.` : '';
  const link = lastMailAtMs === null ? '' : mailLink(lastMailAtMs, isOver);
  const heading = lastMailAtMs === null ? 'That code is over' : 'Open the link in the mail';
  return {
    heading: isOver ? heading : 'Type the code from the mail',
    body: html`<p>${isOver ? `${lastMailAtMs === null ? 'Ask for another one; it' : 'It'} goes to` : `It has ${MAIL_CODE_DIGITS} digits, works for ${MAIL_CODE_MS / 60_000} minutes, and went to`} <bdi class="recipient">${to}</bdi>.${isOver ? '' : left}</p>
      ${link}
      ${localMailbox(offers.localPages)}
      ${
        isOver
          ? ''
          : html`<form method="post" action="${actionPath(view, 'proof')}">
        <div class="field">
          <label for="code">Code</label>
          <input class="code" id="code" name="code" value="${problem?.typed['code'] ?? ''}" inputmode="numeric" autocomplete="one-time-code" maxlength="40" required${invalid(isAbout(problem, 'code'))}>
        </div>
        <button class="button">Continue</button>
      </form>`
      }
      <form method="post" action="${actionPath(view, 'resend')}">
        <button class="${isOver ? 'button' : 'button quiet small'}">Send another code</button>
      </form>`,
  };
}

/** A mail that a stranger asked for is as good: its link is for the mailbox, and asks its reader where the money goes. */
function mailLink(atMs: number, isOnlyWay: boolean): Html {
  const works = `works in any browser for ${MAIL_LINK_MS / 60_000} minutes, and asks you there where the money goes`;
  return isOnlyWay
    ? html`<p>A mail was sent at ${formatMinute(new Date(atMs))}. The link in it ${works}. Look under spam as well.</p>`
    : html`<p class="hint">Or open the link in it: it ${works}.</p>`;
}

function tries(count: number): string {
  return count === 1 ? 'One try is' : `${count} tries are`;
}

function localMailbox(pages: PageContext['offers']['localPages']): Html | '' {
  if (pages === null) return '';
  return html`<p class="hint">On this computer all mail is in <a href="${pages.mailbox}" target="_blank" rel="noopener">the local mailbox</a>.</p>`;
}

const WAITING = 'This page goes on by itself as soon as you have said yes.';

/** The script sends the form again and again; without script the visitor presses its button. */
function farcaster(view: ClaimView, { url }: NonNullable<ClaimSteps['siwf']>): Step {
  return {
    heading: 'Say yes in your Farcaster app',
    body: html`<p>Open it on the phone that has your account, and sign in as <bdi class="recipient">${ownerOf(view)}</bdi>. Nothing is posted, and nothing is paid.</p>
      <p class="actions"><a class="button wide" id="open-farcaster" href="${url}" target="_blank" rel="noopener noreferrer">Open Farcaster</a></p>
      <p>Is the app on another device? Point its camera here, or open this link there:</p>
      ${qrFigure(url, 'A code that opens Farcaster on your phone')}
      <pre class="command"><code>${url}</code></pre>
      ${copy(url, 'Link')}
      <p class="live-note needs-script" id="live-note">${WAITING}</p>
      <form method="post" action="${actionPath(view, 'proof')}" data-repeat="${claimPath(view)}" data-waiting="${WAITING}">
        <button class="button quiet small">I have said yes</button>
      </form>`,
  };
}

function website({ offers }: PageContext, view: ClaimView, step: NonNullable<ClaimSteps['domain']>): Step {
  const { txtName, fileUrl, line } = step;
  return {
    heading: html`Show that <bdi>${ownerOf(view)}</bdi> is yours`,
    body: html`<p>Publish this line, then press the button:</p>
      <pre class="command"><code>${line}</code></pre>
      ${copy(line, 'Line')}
      <p>One of these two places is enough:</p>
      <ul class="places">
        <li><p>A DNS record of type TXT with the name</p><pre class="command"><code>${txtName}</code></pre>${copy(txtName, 'Name')}</li>
        <li><p>A text file at</p><pre class="command"><code>${fileUrl}</code></pre>${copy(fileUrl, 'Address')}</li>
      </ul>
      ${offers.localPages === null ? '' : html`<p class="hint">On this computer you publish for any website in <a href="${offers.localPages.website}" target="_blank" rel="noopener">the local one</a>.</p>`}
      <form method="post" action="${actionPath(view, 'proof')}">
        <button class="button wide">Check now</button>
      </form>
      <p class="hint">A change of DNS may take a few minutes to be seen. You can check as often as you like.</p>`,
  };
}

function copy(text: string, what: string): Html {
  return html`<p class="actions needs-script"><button class="button quiet small" type="button" data-copy="${text}" data-copied="${what} copied">Copy<span class="visually-hidden"> the ${what.toLowerCase()}</span></button></p>`;
}

function actionPath({ claimId }: ClaimView, action: 'proof' | 'resend'): string {
  return `/claims/${claimId}/${action}`;
}
