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

/**
 * Sums to choose from, above the field for any other one, which is in sight only while that is chosen. They are fields of
 * the form, so they need no script. `typed`: the field itself.
 */
export function sumField(
  { label, other, choices }: { label: string; other: string; choices: readonly Choice[] },
  typed: Html,
): Html {
  const chip = ({ value, label: name }: Choice, isChosen: boolean) =>
    html`<label class="chip"><input type="radio" name="sum" value="${value}"${isChosen ? html` checked` : ''}> <span>${name}</span></label>`;
  return html`<fieldset class="field sums"><legend>${label}</legend>
        <div class="chips">${choices.map((choice) => chip(choice, false))}${chip({ value: '', label: other }, true)}</div>
        <div class="typed">${typed}</div>
      </fieldset>`;
}

/** What a form asks for: the chosen sum, or what was typed. */
export function chosenSum<Fields extends { sum: string; amount: string }>({ sum, ...rest }: Fields) {
  return sum === '' ? rest : { ...rest, amount: sum };
}
