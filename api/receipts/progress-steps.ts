import { html } from 'hono/html';
import type { Finality } from '../../texts/receipt-page/en.ts';
import type { ReceiptView } from './view.ts';
import type { Html } from '../web/page.ts';

const STEPS = ['Paid in', 'On the chain', 'Final'] as const;

/** How many of the steps are behind it. */
const STEPS_DONE = { pending: 1, settled: 2, final: 3 } as const satisfies Record<Finality, number>;

export type StepState = 'done' | 'now' | 'later' | 'failed';

/** In words, for readers who do not see the marks. */
const STATE_WORDS = {
  done: 'done',
  now: 'in progress',
  later: 'still to come',
  failed: 'did not happen',
} as const satisfies Record<StepState, string>;

/** The way of the inbound payment. */
export function progressSteps(view: ReceiptView): Html {
  return steps(
    'Progress of the payment',
    STEPS.map((title, index) => ({ title, state: stateOf(view, index) })),
  );
}

export function steps(label: string, items: readonly { title: string; state: StepState }[]): Html {
  return html`<ol class="steps" aria-label="${label}">
    ${items.map(({ title, state }) => step(title, state))}
  </ol>`;
}

function stateOf({ finality, isUndone }: ReceiptView, index: number): StepState {
  if (isUndone) return 'failed';
  const done = STEPS_DONE[finality];
  if (index < done) return 'done';
  return index === done ? 'now' : 'later';
}

function step(title: string, state: StepState): Html {
  return html`<li class="step ${state}"${state === 'now' ? html` aria-current="step"` : ''}>
      <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="10" />${MARKS[state]}</svg>
      <span class="step-title">${title}<span class="visually-hidden">: ${STATE_WORDS[state]}</span></span>
    </li>`;
}

const MARKS = {
  done: html`<path d="M7 12.5l3.4 3.4L17 8.8" />`,
  now: html`<circle class="dot" cx="12" cy="12" r="4" />`,
  later: html``,
  failed: html`<path d="M8 8l8 8M16 8l-8 8" />`,
} as const satisfies Record<StepState, Html>;
