import { createHash } from 'node:crypto';
import { html, type Html } from './html.ts';

/** Readable in light and dark, at every width and size of letters; contrast is at least 7 to 1. */
const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.55 system-ui, sans-serif; }
body { max-width: 38rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; color: #1c1a17; background: #fff; overflow-wrap: anywhere; }
.pretend { border: .2rem dashed #8a3b00; padding: .6rem .9rem; background: #fff3e6; color: #5c2700; }
label { display: block; font-weight: 600; margin-top: 1rem; }
input, textarea, button { font: inherit; box-sizing: border-box; max-width: 100%; padding: .55rem .8rem; border: .1rem solid #5f5a52; border-radius: .35rem; color: inherit; background: inherit; }
input, textarea { width: 100%; }
button { margin: 1rem .6rem 0 0; min-height: 2.75rem; cursor: pointer; background: #1c1a17; color: #fff; }
button.quiet { background: #fff; color: #1c1a17; }
:focus-visible { outline: .2rem solid #0b57d0; outline-offset: .15rem; }
pre { white-space: pre-wrap; border: .1rem solid #5f5a52; border-radius: .35rem; padding: .8rem; }
a { color: #0b3d91; }
@media (prefers-color-scheme: dark) {
  body { color: #f3efe7; background: #171512; }
  .pretend { background: #3a2410; color: #ffe3c4; border-color: #ffb066; }
  button { background: #f3efe7; color: #171512; }
  button.quiet { background: #171512; color: #f3efe7; }
  a { color: #a9c7ff; }
  :focus-visible { outline-color: #a9c7ff; }
}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * No script and nothing from elsewhere. There is no `form-action`: browsers would apply it to the redirect that leads
 * back from a form to the client. The referrer stays within, so that forms still name their origin.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** `standsFor` completes "This page stands in for …". */
export function renderPage({ title, standsFor, main }: { title: string; standsFor: string; main: Html }): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} (pretend)</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<main>
<p class="pretend"><strong>Pretend.</strong> Nothing here is real. This page stands in for ${standsFor} while pennypost runs with play money on this computer; you can be anybody.</p>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
  return page.html;
}
