import { html } from 'hono/html';
import { EXAMPLE_PLATFORM, type CatalogRow, type NamedRow as Row } from '../../core/catalog/row.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import type { Html } from '../../web/html.ts';
import { listFields } from './fields.ts';
import { toSchema } from '../../core/catalog/schema.ts';

/** A form that the page's script sends as its attributes say. It starts with the receivers of the examples. */
export function tryForm(row: Row, offered: readonly Platform[]): Html {
  return html`<details class="try needs-script"><summary>Try it</summary>
      <form class="letter" data-method="${row.method.toUpperCase()}" data-path="${row.path}" aria-label="Try: ${row.summary}">
        ${row.parameters.map((name) => pathInput(row.id, name, row.platforms ?? offered))}
        ${inputs(row)}
        ${row.takesProof ? textInput(row.id, 'header', 'PAYMENT-SIGNATURE') : ''}
        ${row.paid !== null ? textInput(row.id, 'header', 'Idempotency-Key') : ''}
        <p class="actions"><button class="button" type="submit">Send ${row.method.toUpperCase()}</button></p>
        <p class="state" role="status" data-status></p>
        <div data-result hidden>
          <h3>Headers</h3><dl class="fields" data-headers></dl>
          <h3>Body</h3><pre class="command" data-body></pre>
        </div>
      </form></details>`;
}

function pathInput(id: string, name: CatalogRow['parameters'][number], offered: readonly Platform[]): Html {
  if (name !== 'platform') return textInput(id, 'path', name);
  return html`<p class="input"><label for="${id}-path-platform">platform</label>
        <select id="${id}-path-platform" data-in="path" name="platform">${offered.map(
          (platform) => html`<option${platform === EXAMPLE_PLATFORM ? html` selected` : ''}>${platform}</option>`,
        )}</select></p>`;
}

function inputs({ id, request }: Row): Html | Html[] {
  if (request === null) return html``;
  if (request.in === 'query')
    return listFields(toSchema(request.schema)).map(({ name }) => textInput(id, 'query', name));
  const text = JSON.stringify(request.example, null, 2);
  return html`<p class="input"><label for="${id}-body">Body (JSON)</label>
        <textarea id="${id}-body" data-in="body" rows="${text.split('\n').length + 1}" spellcheck="false" autocomplete="off">${text}</textarea></p>`;
}

function textInput(id: string, place: string, name: string): Html {
  const isNeeded = place === 'path';
  return html`<p class="input"><label for="${id}-${place}-${name}">${name}${isNeeded ? '' : ' (optional)'}</label>
        <input id="${id}-${place}-${name}" data-in="${place}" name="${name}" type="text" autocomplete="off" autocapitalize="none" spellcheck="false"${isNeeded ? html` required` : ''}></p>`;
}
