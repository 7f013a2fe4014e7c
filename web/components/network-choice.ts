import { html } from 'hono/html';
import { familyOf, type Network } from '../../core/networks.ts';
import type { Html } from '../html.ts';

/** Those whose addresses have the form of another one's too. */
export function alikeAmong<One extends { network: Network }>(ones: readonly One[]): One[] {
  const isLike = (one: One, other: One) => one !== other && familyOf(one.network) === familyOf(other.network);
  return ones.filter((one) => ones.some((other) => isLike(one, other)));
}

type NetworkChoice = {
  legend: string;
  /** Empty where the form of an address says its network: then nothing is asked. */
  choices: readonly { network: Network; place: string }[];
  chosen: string | undefined;
};

/** On which of several networks an address is meant: it may be a wallet on one of them and belong to nobody on another. */
export function networkChoice({ legend, choices, chosen }: NetworkChoice): Html | '' {
  if (choices.length === 0) return '';
  return html`<fieldset class="field">
        <legend>${legend}</legend>
        ${choices.map(
          ({ network, place }) =>
            html`<label class="choice"><input type="radio" name="network" value="${network}" ${network === chosen ? 'checked' : ''} required /> ${place}</label>`,
        )}
      </fieldset>`;
}
