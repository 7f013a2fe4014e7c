import { html } from 'hono/html';
import type { Language } from '../../core/languages.ts';
import { platformRow, type Platform } from '../../core/platforms/platforms.ts';
import { afterName, shownHandle } from '../../texts/names/person.ts';
import type { Html } from '../html.ts';

/** Signs that people know, drawn in a square of 24. A platform without one shows its first letter. */
const SIGNS: Partial<Record<Platform, Html>> = {
  // In a field: a bare cross beside an amount would be a sign of multiplication.
  x: html`<rect class="field" x="1" y="1" width="22" height="22" rx="6" /><path class="cut" d="M7 7l10 10M17 7L7 17" />`,
  email: html`<path d="M4 7h16v11H4zM4 7l8 6 8-6" />`,
  web: html`<circle cx="12" cy="12" r="8" /><path d="M4 12h16M12 4c5 5 5 11 0 16M12 4c-5 5-5 11 0 16" />`,
  photo: html`<rect x="4" y="4" width="16" height="16" rx="5" /><circle cx="12" cy="12" r="4" />`,
  telegram: html`<path d="M4 12l16-7-3 15-5-4-3 3v-5l8-7" />`,
};

/** The platform's sign and the name there; what the sign says stands in words for those who do not see it. */
export function person({ platform, key }: { platform: Platform; key: string }, language: Language = 'en'): Html {
  const { title } = platformRow(platform);
  const after = afterName(platform, language);
  const words = after === '' ? '' : html`<span class="visually-hidden">${after}</span>`;
  return html`<span class="person">${sign(platform, title)}<bdi class="recipient">${breakable(shownHandle({ platform, key }, language))}</bdi>${words}</span>`;
}

/** A long name breaks where people read a pause in it, as an address does before its @ and its dots. */
export function breakable(name: string): Html {
  return html`${name.split(/(?<=\S)(?=[@.])/).map((part, index) => (index === 0 ? part : html`<wbr>${part}`))}`;
}

function sign(platform: Platform, title: string): Html {
  const drawn = SIGNS[platform] ?? html`<text x="12" y="17">${title.slice(0, 1)}</text>`;
  return html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${drawn}</svg>`;
}
