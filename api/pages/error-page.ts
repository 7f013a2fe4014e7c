import type { Context } from 'hono';
import { html } from 'hono/html';
import { ERRORS, type AppError } from '../../core/errors.ts';
import { answerError } from '../payments/answers.ts';
import type { ApiEnv } from '../http/env.ts';
import { preferredType } from '../http/accept-header.ts';
import { setPageHeaders } from '../../web/headers.ts';
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
  return answerPage(c, { site }, failurePage(error, c.get('requestId'), c.req.path), error.status);
}

function failurePage(error: AppError, requestId: string, path: string): Page {
  const isMissing = error.status === 404;
  const title = isMissing ? 'Nothing at this address' : 'That did not work';
  const text = error.context.detail ?? ERRORS[error.code].detail;
  return {
    title,
    description: text,
    main: html`<article class="paper letter">
      <p class="eyebrow">${isMissing ? 'Return to sender' : `Error ${String(error.status)}`}</p>
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${isMissing && path.startsWith('/receipts/') ? html`<p>Was the link copied completely? A receipt's address ends in 22 characters, and it exists as soon as its payment is on the chain.</p>` : ''}
      <p class="actions"><a class="button" href="/">To the start page</a></p>
      <p class="hint">If you ask for help, name this: <code>${requestId}</code></p>
    </article>`,
  };
}
