import type { Context } from 'hono';
import { html } from 'hono/html';
import type { AppError } from '../../core/errors.ts';
import type { Language } from '../../core/languages.ts';
import { answerError } from '../payments/answers.ts';
import type { ApiEnv } from '../http/env.ts';
import { preferredType } from '../http/accept-header.ts';
import { PROBLEMS, problemText } from '../../texts/problems/problem.ts';
import { setPageHeaders } from '../../web/headers.ts';
import { readerOf } from '../../web/language.ts';
import { sentence } from '../../web/components/sentence.ts';
import { answerPage } from '../../web/answer.ts';
import type { Page, Site } from '../../web/page.ts';

/** A failure as a page for people who asked for one, else in the shape that programs know. */
export function answerFailure(c: Context<ApiEnv>, site: Site, error: AppError): Response | Promise<Response> {
  setPageHeaders(c, { isIndexed: false });
  // Programs that name no type get JSON: only a caller that asks for a page gets one.
  const type = preferredType(c.req.header('Accept'), ['application/json', 'text/html']);
  if (type !== 'text/html') return answerError(c, error);
  const retryAfter = error.context.retryAfterSeconds;
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  const reader = readerOf(c);
  const page = failurePage(error, { requestId: c.get('requestId'), path: c.req.path, language: reader.language });
  return answerPage(c, { site, reader }, page, error.status);
}

type Asked = { requestId: string; path: string; language: Language };

function failurePage(error: AppError, { requestId, path, language }: Asked): Page {
  const words = PROBLEMS[language];
  const isMissing = error.status === 404;
  const title = isMissing ? words.missingTitle : words.title;
  const text = problemText(error, language);
  return {
    title,
    description: text,
    main: html`<article class="paper letter">
      <p class="eyebrow">${isMissing ? words.returnToSender : words.error(error.status)}</p>
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${isMissing && path.startsWith('/receipts/') ? html`<p>${words.copiedCompletely}</p>` : ''}
      <p class="actions"><a class="button" href="/">${words.toStartPage}</a></p>
      <p class="hint">${sentence((put) => words.nameThis(put(html`<code>${requestId}</code>`)))}</p>
    </article>`,
  };
}
