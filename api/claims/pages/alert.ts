import { html } from 'hono/html';
import type { Html } from '../../web/page.ts';
import type { Problem } from '../offers/page-context.ts';

const PROBLEM_ID = 'problem';

/** Gets the focus when the page has loaded, so that it is read out first. */
export function alert(problem: Problem | null): Html | '' {
  if (problem === null) return '';
  return html`<p class="alert" role="alert" id="${PROBLEM_ID}" tabindex="-1" autofocus>${problem.text}</p>`;
}

/** The main heading of a step: where reading begins, unless something went wrong. */
export function stepHeading(text: string | Html, problem: Problem | null): Html {
  return problem === null ? html`<h1 tabindex="-1" autofocus>${text}</h1>` : html`<h1>${text}</h1>`;
}

/** For the input that a problem is about; errors name fields by their path, such as `payout.base`. */
export function invalid(problem: Problem | null, name: string): Html | '' {
  if (problem === null || problem.field?.split('.').at(-1) !== name) return '';
  return html` aria-invalid="true" aria-describedby="${PROBLEM_ID}"`;
}
