import { html } from 'hono/html';
import type { Language } from '../../core/languages.ts';
import {
  REPORT_CHARACTERS_MAX,
  REPORT_REASONS,
  type ReportedKind,
  type ReportReason,
} from '../../core/reports/reports.ts';
import { REPORTS } from '../../texts/reports/languages.ts';
import { alert, stepHeading } from '../../web/components/alert.ts';
import { sentence } from '../../web/components/sentence.ts';
import type { Html } from '../../web/html.ts';
import type { Operator, Page } from '../../web/page.ts';

/** What is reported, as its page shows it. */
export type Reporting = {
  kind: ReportedKind;
  /** Where it stands: its page, and below that the form. */
  path: string;
  /** Whom it is for and how much, or whose page it is. */
  about: Html;
  operator: Operator;
};

export type ReportProblem = 'choose_one' | 'too_long' | 'caller' | 'day';
export type TypedReport = { reason: ReportReason | null; words: string };

const NOTHING: TypedReport = { reason: null, words: '' };

/** One form, which works without script; its address is the page's own. */
export function reportPage(
  reporting: Reporting,
  language: Language,
  { problem = null, typed = NOTHING }: { problem?: ReportProblem | null; typed?: TypedReport } = {},
): Page {
  const words = REPORTS[language];
  const { kind, path, about, operator } = reporting;
  const isPayment = kind === 'payment';
  const title = isPayment ? words.title : words.pageTitle;
  return {
    title,
    main: html`<article class="paper letter">
      ${alert(problem === null ? null : problemText(problem, operator, language))}
      ${stepHeading(title, problem !== null)}
      <p>${about}</p>
      <p>${(isPayment ? words.goesTo : words.pageGoesTo)(operator.name)}${isPayment ? ` ${words.movesNothing}` : ''}</p>
      <form method="post" action="${path}/report">
        <fieldset class="field"><legend>${words.why}</legend>
          ${REPORT_REASONS.map((reason) => choice(reason, typed, language))}
        </fieldset>
        <p class="field"><label for="words">${words.words}</label>
          <textarea id="words" name="words" rows="3" maxlength="${REPORT_CHARACTERS_MAX}" aria-describedby="words-hint">${typed.words}</textarea></p>
        <p class="hint" id="words-hint">${words.wordsHint(REPORT_CHARACTERS_MAX)}</p>
        <p class="actions"><button class="button" type="submit">${words.send}</button> <a href="${path}">${words.back}</a></p>
      </form>
      ${isPayment ? html`<p class="hint">${words.moderators}</p>` : ''}
    </article>`,
  };
}

function choice(reason: ReportReason, typed: TypedReport, language: Language): Html {
  const isChosen = typed.reason === reason;
  return html`<label class="choice"><input type="radio" name="reason" value="${reason}" required${isChosen ? html` checked` : ''}> ${REPORTS[language].reasons[reason]}</label>`;
}

function problemText(problem: ReportProblem, { supportUrl }: Operator, language: Language): Html {
  const words = REPORTS[language];
  const text = {
    choose_one: words.chooseOne,
    too_long: words.tooLong(REPORT_CHARACTERS_MAX),
    caller: words.callerFull,
    day: words.dayFull,
  }[problem];
  const isFull = problem === 'caller' || problem === 'day';
  if (!isFull || supportUrl === '') return html`${text}`;
  const link = html`<a href="${supportUrl}" rel="noopener">${words.help}</a>`;
  return html`${text} ${sentence((put) => words.orWrite(put(link)))}`;
}

/** The same whether it was stored or known before: a sender who reports must not learn that others have. */
export function reportedPage({ path, operator }: Reporting, language: Language): Page {
  const words = REPORTS[language];
  return {
    title: words.doneTitle,
    main: html`<article class="paper letter">
      ${stepHeading(words.doneTitle, false)}
      <p class="lead">${words.done(operator.name)}</p>
      <p>${words.doneNext}</p>
      <p class="actions"><a class="button quiet" href="${path}">${words.back}</a></p>
    </article>`,
  };
}
