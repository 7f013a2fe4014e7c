import { html } from 'hono/html';
import type { Html } from '../../../web/html.ts';

/** The service's stamp, a picture only: the text beside it says the same, and no number on it could be taken for a price. It has a postmark once money has arrived for good. */
export function stamp(postmark: { word: string; day: string } | null): Html {
  return html`<svg class="stamp" viewBox="0 0 84 92" aria-hidden="true" focusable="false">
    <g class="stamp-paper">
      <rect x="8" y="8" width="60" height="72" class="stamp-field" />
      <rect x="8" y="8" width="60" height="72" class="stamp-holes" />
      <rect x="14" y="14" width="48" height="60" class="stamp-frame" />
      <circle cx="38" cy="38" r="15" class="stamp-coin" />
      <path class="stamp-letter" transform="translate(38 38) scale(1.76) translate(-16 -16)" d="M13 10.5h4.2a3.6 3.6 0 0 1 0 7.2h-1.9v3.8H13zm2.3 2.1v3h1.7a1.5 1.5 0 0 0 0-3z" />
      <text x="38" y="67" class="stamp-word">PENNYPOST</text>
    </g>
    ${postmark ? postmarkOf(postmark) : ''}
  </svg>`;
}

/** Longer words are set smaller, to stay inside the ring. */
const WORD_FITS = 5;

function postmarkOf({ word, day }: { word: string; day: string }): Html {
  return html`<g class="postmark">
    <circle cx="58" cy="64" r="23" />
    <circle cx="58" cy="64" r="17.5" />
    <text x="58" y="63"${word.length > WORD_FITS ? html` class="postmark-long"` : ''}>${word}</text>
    <text x="58" y="72" class="postmark-day">${day}</text>
  </g>`;
}
