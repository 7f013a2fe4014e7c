import { html } from 'hono/html';
import type { Html } from '../html.ts';

export type StepState = 'done' | 'now' | 'later' | 'failed';
export type Step = { title: string; state: StepState };

/** How far something has come. `stateWords`: for readers who do not see the marks. */
export function steps(label: string, items: readonly Step[], stateWords: Readonly<Record<StepState, string>>): Html {
  return html`<ol class="steps" aria-label="${label}">
    ${items.map((item) => step(item, stateWords))}
  </ol>`;
}

function step({ title, state }: Step, stateWords: Readonly<Record<StepState, string>>): Html {
  return html`<li class="step ${state}"${state === 'now' ? html` aria-current="step"` : ''}>
      <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="10" />${MARKS[state]}</svg>
      <span class="step-title">${title}<span class="visually-hidden">: ${stateWords[state]}</span></span>
    </li>`;
}

const MARKS = {
  done: html`<path d="M7 12.5l3.4 3.4L17 8.8" />`,
  now: html`<circle class="dot" cx="12" cy="12" r="4" />`,
  later: html``,
  failed: html`<path d="M8 8l8 8M16 8l-8 8" />`,
} as const satisfies Record<StepState, Html>;
