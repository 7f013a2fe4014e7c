import { html } from 'hono/html';
import { toQrCode } from '../../core/qr.ts';
import type { Html } from '../html.ts';

/** A code for a camera. Its label says what it holds; the text itself stands beside it for those who cannot scan. */
export function qrFigure(text: string, label: string): Html {
  const { size, path } = toQrCode(text);
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path class="qr-ground" d="M0 0h${size}v${size}h-${size}z"/><path d="${path}"/></svg>`;
}
