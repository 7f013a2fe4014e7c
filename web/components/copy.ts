import { html } from 'hono/html';
import type { Html } from '../html.ts';

export type Copy = {
  text: string;
  label: string;
  /** Read out beside the label, where several stand on a page. */
  what?: string;
  /** Said once it is done; left out: what the page's script says anyway. */
  done?: string;
  id?: string;
  describedBy?: string;
};

/** A button of the script's: without it the text beside it can be selected. */
export function copyButton({ text, label, what, done, id, describedBy }: Copy): Html {
  return html`<button class="button quiet small needs-script" type="button" data-copy="${text}"${
    done === undefined ? '' : html` data-copied="${done}"`
  }${id === undefined ? '' : html` id="${id}"`}${describedBy === undefined ? '' : html` aria-describedby="${describedBy}"`}>${label}${
    what === undefined ? '' : html`<span class="visually-hidden"> ${what}</span>`
  }</button>`;
}

/** A text that is copied rather than read, such as an address; a long one stands above its button. */
export function copyable(text: string, label: string, { isLong = false } = {}): Html {
  return html`<p class="copyable${isLong ? ' stacked' : ''}"><code>${text}</code> ${copyButton({ text, label, what: text })}</p>`;
}
