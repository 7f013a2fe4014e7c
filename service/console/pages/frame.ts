import { html } from 'hono/html';
import type { Admin } from '../../../db/admins/admins.ts';
import type { Html } from '../../../web/html.ts';
import type { Operator, Page } from '../../../web/page.ts';

const LINKS = [
  ['/', 'Overview'],
  ['/flows', 'Flows'],
  ['/search', 'Search'],
  ['/held', 'Held'],
  ['/suspense', 'Suspense'],
  ['/stops', 'Stops'],
  ['/reports', 'Reports'],
  ['/limits', 'Limits'],
  ['/exports', 'Exports'],
  ['/admins', 'Admins'],
  ['/audit', 'Audit'],
] as const;

type Framed = { title: string; body: Html; scripts?: Page['scripts'] };

/** A page of the console in the frame of all pages. `admin`: null before somebody has signed in. */
export function framed(
  operator: Operator,
  admin: Admin | null,
  here: string,
  { title, body, scripts = [] }: Framed,
): Page {
  return {
    title: `${title} · Console`,
    scripts: [...scripts],
    layout: 'wide',
    skip: { label: 'Skip to the content', target: '#content' },
    main: html`${admin === null ? '' : navigation(admin, here)}
    <div id="content" class="console" tabindex="-1">
      <h1>${title}</h1>
      ${body}
    </div>`,
    // The pages that other footers lead to are on another address.
    bar: html`<footer><p>Console of <strong>${operator.name}</strong>.</p></footer>`,
  };
}

function navigation({ name, role }: Admin, here: string): Html {
  return html`<nav class="console-nav" aria-label="Console">
      <ul>${LINKS.map(
        ([href, label]) =>
          html`<li><a href="${href}"${href === here ? html` aria-current="page"` : ''}>${label}</a></li>`,
      )}</ul>
      <form method="post" action="/sign-out" class="row">
        <span>${name}, ${role}</span>
        <button type="submit" class="button quiet small">Sign out</button>
      </form>
    </nav>`;
}
