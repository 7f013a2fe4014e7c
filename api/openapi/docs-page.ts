import { html } from 'hono/html';
import type { NamedRow as Row } from '../../core/catalog/row.ts';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import { HEADER_PARAMETERS, type Json } from './components.ts';
import { publicPlatforms, type OpenApiDocument, type Operation } from './document.ts';
import { listFields, parameterField, type Field } from './fields.ts';
import { tryForm } from './try-form.ts';

export type DocsTerms = {
  document: OpenApiDocument;
  rows: readonly Row[];
  platforms: readonly Platform[];
};

/** The document for people. Complete without script; with it, every operation can be tried where it stands. */
export function docsPage({ document, rows, platforms }: DocsTerms): Page {
  const offered = publicPlatforms(platforms);
  return {
    title: 'The interface',
    description: 'Every operation of pennypost, with its fields, its answers and a form to try it.',
    isIndexed: true,
    layout: 'wide',
    scripts: ['docs.js'],
    main: html`<div class="docs letter">
      <h1>The interface</h1>
      <p class="lead">Ask without paying and the answer is <strong>402</strong> with the price. Sign it, ask again, and the answer is <strong>200</strong> with a receipt.</p>
      <p>For programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/.well-known/x402">paid resources</a>, <a href="/llms.txt">rules for language models</a>.</p>
      <nav aria-label="Operations"><ul class="contents">${rows.map(
        (row) => html`<li><a href="#${row.id}">${row.summary}</a> <code>${method(row)} ${row.path}</code></li>`,
      )}</ul></nav>
      ${rows.map((row) => operation(row, document, offered))}
      ${errors()}
    </div>`,
  };
}

function operation(row: Row, document: OpenApiDocument, offered: readonly Platform[]): Html {
  const described = document.paths[row.path]?.[row.method];
  if (described === undefined) throw new Error(`the document lacks ${row.method} ${row.path}, which is in the catalog`);
  return html`<section class="paper letter operation" id="${row.id}" aria-labelledby="${row.id}-title">
      <p class="eyebrow">${row.group}${row.paid !== null ? ' · paid' : ' · free'}</p>
      <h2 id="${row.id}-title">${row.summary}</h2>
      <p class="address"><code><strong>${method(row)}</strong> ${row.path}</code></p>
      <p>${row.description}</p>
      ${fieldList('In the address', 'and the query', parametersOf(described).map(parameterField))}
      ${fieldList('Headers', '', row.takesProof ? headersOf(row) : [])}
      ${fieldList('Body', '', listFields(bodyOf(row, document)))}
      ${fieldList('Answer', `with ${row.successStatus ?? 200}`, listFields(answerOf(row, document)))}
      ${row.takesProof ? fieldList('Answer', 'with 402', listFields(componentOf(document, 'PaymentRequired'))) : ''}
      ${errorList(row)}
      ${row.success === null ? '' : tryForm(row, offered)}
    </section>`;
}

function fieldList(title: string, more: string, fields: readonly Field[]): Html {
  if (fields.length === 0) return html``;
  return html`<h3>${title} <span class="hint">${more}</span></h3>
      <dl class="fields">${fields.map(
        ({ name, type, isRequired, description }) => html`<div>
        <dt><code>${name}</code> <span class="hint">${isRequired ? 'required' : 'optional'}</span></dt>
        <dd><span class="type">${type}</span>${description === '' ? '' : html`<br>${description}`}</dd></div>`,
      )}</dl>`;
}

function errorList({ errors: codes }: Row): Html {
  if (codes.length === 0) return html``;
  return html`<h3>Errors</h3>
      <p class="words">${codes.map((code, index) => html`${index === 0 ? '' : ', '}<a href="#error-${code}">${code}</a>`)}</p>`;
}

function errors(): Html {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return html`<section class="paper letter operation" aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      <p>Every error has the same form: <code>code</code>, <code>msg</code>, <code>error</code> (one of these words), <code>field</code>, <code>detail</code>, <code>retryable</code>, <code>request_id</code>.</p>
      <dl class="fields">${codes.map(
        (code) =>
          html`<div id="error-${code}"><dt><code>${code}</code> <span class="hint">${ERRORS[code].status}${
            ERRORS[code].retryable ? ', may succeed later' : ''
          }</span></dt><dd>${ERRORS[code].detail}</dd></div>`,
      )}</dl>
    </section>`;
}

/** Those written out in the operation: its headers are references, and are described by `headersOf`. */
function parametersOf({ parameters }: Operation): Json[] {
  return ((parameters ?? []) as Json[]).filter((parameter) => 'name' in parameter);
}

function headersOf({ paid }: Row): Field[] {
  const { PaymentSignature, XPayment, IdempotencyKey } = HEADER_PARAMETERS;
  return [PaymentSignature, XPayment, ...(paid !== null ? [IdempotencyKey] : [])].map(parameterField);
}

function bodyOf({ id, request }: Row, document: OpenApiDocument): Json {
  return request?.in === 'body' ? componentOf(document, `${capitalized(id)}Request`) : {};
}

function answerOf({ id, success }: Row, document: OpenApiDocument): Json {
  return success === null ? {} : componentOf(document, `${capitalized(id)}Answer`);
}

function componentOf({ components }: OpenApiDocument, name: string): Json {
  const schema = components['schemas']?.[name];
  if (schema === undefined) throw new Error(`the document lacks the schema ${name}`);
  return schema as Json;
}

const method = (row: Row): string => row.method.toUpperCase();
const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
