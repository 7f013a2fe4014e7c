import { html } from 'hono/html';
import { MAIL_LINK_MS } from '../../../core/claims/mail.ts';
import type { Language } from '../../../core/languages.ts';
import { platformRow } from '../../../core/platforms/platforms.ts';
import { MAIL_CODE_DIGITS, MAIL_CODE_MS, MAIL_CODE_TRIES_MAX } from '../../../identity/proofs/mail-code.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { RECEIPT_PAGES } from '../../../texts/receipt-page/languages.ts';
import { SIGN_IN } from '../../../texts/sign-in/languages.ts';
import { alert, invalid, stepHeading } from '../../../web/components/alert.ts';
import { copyButton } from '../../../web/components/copy.ts';
import { qrFigure } from '../../../web/components/qr-figure.ts';
import { sentence } from '../../../web/components/sentence.ts';
import { time } from '../../../web/components/time.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import type { ReceiptView } from '../../receipts/view.ts';
import type { ClaimSteps, ClaimView } from '../claims.ts';
import { isAbout, type PageContext, type Problem } from '../offers/page-context.ts';
import { whereItGoes } from './destination.ts';
import { sumLine } from './sum-line.ts';
import { claimPath, ownerOf, signInPath, startPath, stepWords, whyRejected } from './wording.ts';

type Step = { heading: string | Html; body: Html };
/** `letter`: the receipt that brought the person. */
type Asked = { problem: Problem | null; letter: ReceiptView | null; language: Language };

const MINUTE_MS = 60_000;

/** The one thing that the visitor does to prove the name. */
export function pendingPage(
  pageContext: PageContext,
  view: ClaimView,
  { problem: failed, letter, language }: Asked,
): Page {
  const words = CLAIM_PAGES[language];
  // A sign-in that failed at the provider's comes back as a redirect, so the claim itself remembers why.
  const problem = failed ?? refusedBefore(view);
  const { heading, body } = stepOf(pageContext, view, { problem, letter, language });
  const title = words.showYou(ownerOf(view, language));
  return {
    title: problem === null ? title : words.problem(title),
    description: words.showName,
    main: html`<article class="paper letter steps-page" data-step="pending">
      <p class="eyebrow">${'open' in view.payout ? SIGN_IN[language].eyebrow : stepWords('prove', view, language)}</p>
      ${sumLine(letter, language)}
      ${alert(problem?.text(language) ?? null)}
      ${stepHeading(heading, problem !== null)}
      ${body}
      <p class="hint">${whereItGoes(view, language)} ${sentence((put) => words.timeUntil(put(minute(view.expiresAtMs, language))))}</p>
      <p><a class="standing-link" href="${beginningOf(view)}">${words.startAgain}</a></p>
      <p class="visually-hidden" role="status" id="announcer"></p>
    </article>`,
  };
}

function beginningOf({ payout, recipient, receiptSlug }: ClaimView): string {
  return 'open' in payout ? signInPath(recipient.platform) : startPath(recipient, receiptSlug);
}

function refusedBefore(view: ClaimView): Problem | null {
  const { reason } = view;
  if (reason === null) return null;
  return { text: (language) => whyRejected(reason, ownerOf(view, language), language), field: null, typed: {} };
}

function minute(atMs: number, language: Language): Html {
  const date = new Date(atMs);
  return time(date, RECEIPT_PAGES[language].minute(date));
}

function stepOf(pageContext: PageContext, view: ClaimView, asked: Asked): Step {
  const { oauth, siwf, domain, email } = view.steps;
  const { language } = asked;
  if (email) return mailCode(pageContext, view, email, asked);
  if (siwf) return farcaster(view, siwf, language);
  if (domain) return website(pageContext, view, domain, language);
  if (oauth) return signIn(view, oauth, language);
  const { waitingForProof, loadAgain } = CLAIM_PAGES[language];
  return { heading: waitingForProof, body: html`<p>${loadAgain}</p>` };
}

function owner(view: ClaimView, language: Language): Html {
  return html`<bdi class="recipient">${ownerOf(view, language)}</bdi>`;
}

function signIn(view: ClaimView, { url }: NonNullable<ClaimSteps['oauth']>, language: Language): Step {
  const words = CLAIM_PAGES[language];
  const heading = words.signInWith(platformRow(view.recipient.platform).title);
  return {
    heading,
    body: html`<p>${sentence((put) => words.signInAs(put(owner(view, language))))}</p>
      <p class="actions"><a class="button wide" id="sign-in" href="${url}" rel="noreferrer">${heading}</a></p>`,
  };
}

type MailStep = NonNullable<ClaimSteps['email']>;

function mailCode({ now, offers }: PageContext, view: ClaimView, step: MailStep, { problem, language }: Asked): Step {
  const { codeExpiresAtMs, triesLeft, lastMailAtMs } = step;
  const words = CLAIM_PAGES[language];
  const isOver = codeExpiresAtMs === null || codeExpiresAtMs <= now() || triesLeft === 0;
  const over = lastMailAtMs === null ? words.codeOver : words.openMail;
  return {
    heading: isOver ? over : words.typeCode,
    body: html`<p>${whereCodeIs(step, isOver, language)}</p>
      ${lastMailAtMs === null ? '' : mailLink(lastMailAtMs, isOver, language)}
      ${localMailbox(offers.localPages, language)}
      ${
        isOver
          ? ''
          : html`<form method="post" action="${actionPath(view, 'proof')}">
        <div class="field">
          <label for="code">${words.code}</label>
          <input class="code" id="code" name="code" value="${problem?.typed['code'] ?? ''}" inputmode="numeric" autocomplete="one-time-code" maxlength="40" required${invalid(isAbout(problem, 'code'))}>
        </div>
        <button class="button">${words.next}</button>
      </form>`
      }
      <form method="post" action="${actionPath(view, 'resend')}">
        <button class="${isOver ? 'button' : 'button quiet small'}">${words.anotherCode}</button>
      </form>`,
  };
}

function whereCodeIs({ to, triesLeft, lastMailAtMs }: MailStep, isOver: boolean, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const address = html`<bdi class="recipient">${to}</bdi>`;
  if (isOver) {
    return sentence((put) => (lastMailAtMs === null ? words.askForAnother(put(address)) : words.goesTo(put(address))));
  }
  const sent = sentence((put) => words.codeWentTo(MAIL_CODE_DIGITS, MAIL_CODE_MS / MINUTE_MS, put(address)));
  return triesLeft < MAIL_CODE_TRIES_MAX ? html`${sent} ${words.triesLeft(triesLeft)}` : sent;
}

/** A mail that a stranger asked for is just as good: its link is for the mailbox's owner, who says where the money goes. */
function mailLink(atMs: number, isOnlyWay: boolean, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const minutes = MAIL_LINK_MS / MINUTE_MS;
  return isOnlyWay
    ? html`<p>${sentence((put) => words.mailWasSent(put(minute(atMs, language)), minutes))}</p>`
    : html`<p class="hint">${words.orOpenLink(minutes)}</p>`;
}

function localMailbox(pages: PageContext['offers']['localPages'], language: Language): Html | '' {
  if (pages === null) return '';
  const { localMail, localMailbox: name } = CLAIM_PAGES[language];
  const link = html`<a href="${pages.mailbox}" target="_blank" rel="noopener">${name}</a>`;
  return html`<p class="hint">${sentence((put) => localMail(put(link)))}</p>`;
}

/** The script sends the form again and again; without script the visitor presses its button. */
function farcaster(view: ClaimView, { url }: NonNullable<ClaimSteps['siwf']>, language: Language): Step {
  const words = CLAIM_PAGES[language];
  return {
    heading: words.farcaster,
    body: html`<p>${sentence((put) => words.farcasterAs(put(owner(view, language))))}</p>
      <p class="actions"><a class="button wide" id="open-farcaster" href="${url}" target="_blank" rel="noopener noreferrer">${words.openFarcaster}</a></p>
      <p>${words.otherDevice}</p>
      ${qrFigure(url, words.farcasterQr)}
      <pre class="command"><code>${url}</code></pre>
      ${copy(url, 'link', language)}
      <p class="live-note needs-script" id="live-note">${words.goesOn}</p>
      <form method="post" action="${actionPath(view, 'proof')}" data-repeat="${claimPath(view)}" data-waiting="${words.goesOn}">
        <button class="button quiet small">${words.saidYes}</button>
      </form>`,
  };
}

function website(
  { offers }: PageContext,
  view: ClaimView,
  { txtName, fileUrl, line }: NonNullable<ClaimSteps['domain']>,
  language: Language,
): Step {
  const words = CLAIM_PAGES[language];
  return {
    heading: sentence((put) => words.siteIsYours(put(html`<bdi>${ownerOf(view, language)}</bdi>`))),
    body: html`<p>${words.publish}</p>
      <pre class="command"><code>${line}</code></pre>
      ${copy(line, 'line', language)}
      <p>${words.onePlace}</p>
      <ul class="places">
        <li><p>${words.dnsRecord}</p><pre class="command"><code>${txtName}</code></pre>${copy(txtName, 'name', language)}</li>
        <li><p>${words.textFile}</p><pre class="command"><code>${fileUrl}</code></pre>${copy(fileUrl, 'address', language)}</li>
      </ul>
      ${localSite(offers.localPages, language)}
      <form method="post" action="${actionPath(view, 'proof')}">
        <button class="button wide">${words.checkNow}</button>
      </form>
      <p class="hint">${words.dnsTakesTime}</p>`,
  };
}

function localSite(pages: PageContext['offers']['localPages'], language: Language): Html | '' {
  if (pages === null) return '';
  const words = CLAIM_PAGES[language];
  const link = html`<a href="${pages.website}" target="_blank" rel="noopener">${words.localOne}</a>`;
  return html`<p class="hint">${sentence((put) => words.localSite(put(link)))}</p>`;
}

function copy(text: string, what: 'link' | 'line' | 'name' | 'address', language: Language): Html {
  const words = CLAIM_PAGES[language];
  return html`<p class="actions">${copyButton({ text, label: words.copy, done: words.copied[what] })}</p>`;
}

function actionPath({ claimId }: ClaimView, action: 'proof' | 'resend'): string {
  return `/claims/${claimId}/${action}`;
}
