import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { copyButton } from './copy.ts';
import { qrFigure } from './qr-figure.ts';

export type ShareWords = { share: string; copy: string; copied: string; qr: string; qrLabel: string };

/** Passing a link on: the phone's own sheet, the clipboard, or a camera. Without script the code is there. */
export function share(url: string, words: ShareWords): Html {
  return html`<div class="share">
      <p class="actions">
        <button class="button quiet small needs-sheet" type="button" id="share-link" data-share="${url}">${words.share}</button>
        ${copyButton({ text: url, label: words.copy, done: words.copied, id: 'copy-link' })}
      </p>
      <details><summary>${words.qr}</summary>${qrFigure(url, words.qrLabel)}</details>
    </div>`;
}
