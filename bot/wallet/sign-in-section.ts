import { html } from 'hono/html';
import type { Platform } from '../../core/platforms/platforms.ts';
import { platformWord } from '../../texts/names/platform.ts';
import type { Html } from '../../web/html.ts';
import type { PageSite } from '../shared/page-site.ts';

/** A name is proven on the pages of claims; their link carries the platform alone. */
export function signInLinks({ texts, reader }: PageSite, platforms: readonly Platform[]): Html {
  return html`<ul class="sign-in">${platforms.map(
    (platform) =>
      html`<li><a class="button quiet wide" href="/claim/${platform}?for=purse" rel="nofollow">${texts.purse.signInWith(platformWord(platform, reader.language))}</a></li>`,
  )}</ul>`;
}
