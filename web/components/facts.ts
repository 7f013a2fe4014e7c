import { html } from 'hono/html';
import type { Html } from '../html.ts';

export type Fact = { label: string; value: Html | string; isWide?: boolean };

/** What is known, a line each. `short`: the names of its lines are. */
export function facts(list: readonly (Fact | null)[], { short = false } = {}): Html {
  return html`<dl class="facts${short ? ' short' : ''}">${factLines(list)}</dl>`;
}

/** The lines alone, for a list that is there already. */
export function factLines(list: readonly (Fact | null)[]): Html {
  return html`${list.map((fact) =>
    fact === null
      ? ''
      : html`<div class="${fact.isWide === true ? 'wide' : ''}"><dt>${fact.label}</dt><dd>${fact.value}</dd></div>`,
  )}`;
}
