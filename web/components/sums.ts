import { html } from 'hono/html';
import { formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Html } from '../html.ts';

/** What people give each other most; each is sent as it stands here. */
const SUMS = [microUsdc(1_000_000n), microUsdc(5_000_000n), microUsdc(10_000_000n)] as const;

export type Choice = { value: string; label: string };

/** Those of the usual sums that are not more than `most`. */
export function usualSums(most: MicroUsdc): Choice[] {
  const values = SUMS.filter((sum) => sum <= most).map(formatUsdc);
  return values.map((value) => ({ value, label: `$${value}` }));
}

/** The one of them that this is; null: it was typed, or is not there. */
export function chosenAmong(choices: readonly Choice[], amount: string | undefined): string | null {
  return choices.find(({ value }) => value === amount)?.value ?? null;
}

type SumField = {
  label: string;
  other: string;
  choices: readonly Choice[];
  chosen?: string | null;
  problemId?: string | null;
};

/**
 * Sums to choose from, above the field for any other one, which is in sight only while that is chosen. They are fields of
 * the form, so they need no script. `typed`: the field itself. `chosen`: the one of them that is on, after a mistake for example;
 * `problemId`: what says what is wrong with it.
 */
export function sumField({ label, other, choices, chosen = null, problemId = null }: SumField, typed: Html): Html {
  const chip = ({ value, label: name }: Choice, isChosen: boolean) =>
    html`<label class="chip"><input type="radio" name="sum" value="${value}"${isChosen ? html` checked` : ''}${isChosen && value !== '' && problemId !== null ? html` aria-describedby="${problemId}" autofocus` : ''}> <span>${name}</span></label>`;
  return html`<fieldset class="field sums"><legend>${label}</legend>
        <div class="chips">${choices.map((choice) => chip(choice, choice.value === chosen))}${chip({ value: '', label: other }, chosen === null)}</div>
        <div class="typed">${typed}</div>
      </fieldset>`;
}

/** What a form asks for: the chosen sum, or what was typed. */
export function chosenSum<Fields extends { sum: string; amount: string }>({ sum, ...rest }: Fields) {
  return sum === '' ? rest : { ...rest, amount: sum };
}
