import { html } from 'hono/html';
import type { Language } from '../../core/languages.ts';
import { PAGE_FRAMES } from '../../texts/page-frame/languages.ts';
import type { Html } from '../html.ts';

/** The script's: without it a browser prints by its own menu. */
export function printButton(language: Language): Html {
  return html`<button class="button quiet small needs-script" type="button" data-print>${PAGE_FRAMES[language].print}</button>`;
}
