import { html } from 'hono/html';
import type { Html } from '../html.ts';

const ALERT_ID = 'problem';

/** What went wrong. It gets the focus when the page has loaded, so that it is read out first. */
export function alert(text: Html | string | null): Html | '' {
  if (text === null) return '';
  return html`<p class="alert" role="alert" id="${ALERT_ID}" tabindex="-1" autofocus>${text}</p>`;
}

/** The main heading of a step: where reading begins, unless something went wrong. */
export function stepHeading(text: string | Html, hasProblem: boolean): Html {
  return hasProblem ? html`<h1>${text}</h1>` : html`<h1 tabindex="-1" autofocus>${text}</h1>`;
}

/** For the input that the alert may be about. `hintId`: what describes it in any case. */
export function invalid(isInvalid: boolean, hintId: string | null = null): Html | '' {
  const ids = [...(hintId === null ? [] : [hintId]), ...(isInvalid ? [ALERT_ID] : [])];
  if (ids.length === 0) return '';
  return html`${isInvalid ? html` aria-invalid="true"` : ''} aria-describedby="${ids.join(' ')}"`;
}
