import { html } from 'hono/html';
import type { Paragraph, Span } from '../../core/view.ts';
import type { Texts } from '../../texts/en.ts';

/** A piece of a page. Every value placed in an `html` template is escaped. */
export type Html = ReturnType<typeof html>;

export type Page = {
  title: string;
  main: Html;
  /** Present on a page that shows something going on: how often it loads itself again where scripts are off. */
  refreshSeconds?: number;
};

export type Operator = { name: string; supportUrl: string; termsUrl: string };
/** `language`: the one that the texts are in (BCP 47). */
export type Site = { texts: Texts; language: string; isPlayMoney: boolean; operator: Operator };

export function renderPage(
  { texts, language, isPlayMoney, operator }: Site,
  { title, main, refreshSeconds }: Page,
): Html {
  const text = texts.walletPage;
  return html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex, nofollow" />
    <title>${title} · pennypost</title>
    <link rel="icon" href="/wallet/assets/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/wallet/assets/theme.css" />
    <link rel="stylesheet" href="/wallet/assets/wallet.css" />
    ${refreshSeconds === undefined ? '' : following(refreshSeconds)}
  </head>
  <body>
    <a class="skip" href="#main">${text.skip}</a>
    <header class="top">
      <a class="brand" href="/"><img src="/wallet/assets/mark.svg" alt="" width="28" height="28" /><span>pennypost</span></a>
      ${isPlayMoney ? html`<p class="banner">${text.playMoney}</p>` : ''}
    </header>
    <main id="main" tabindex="-1">
      ${main}
    </main>
    ${footer(text, operator)}
  </body>
</html>`;
}

/** Outside local mode the configuration requires an address for help. */
function footer(text: Texts['walletPage'], { name, supportUrl, termsUrl }: Operator): Html {
  return html`<footer>
      <p>${text.operatedBy} <strong>${name}</strong>.</p>
      <p>${supportUrl === '' ? text.askThem : html`<a href="${supportUrl}" rel="noopener">${text.getHelp}</a>`}
      ${termsUrl === '' ? '' : html`<a href="${termsUrl}" rel="noopener">${text.terms}</a>`}</p>
    </footer>`;
}

/** With scripts only what has changed is replaced, so that readers keep their place. */
function following(refreshSeconds: number): Html {
  return html`<script type="module" src="/wallet/assets/wallet.js"></script>
    <noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`;
}

/** What the chat says too, with its emphasis. */
export function paragraph(spans: Paragraph): Html {
  return html`${spans.map(toTag)}`;
}

function toTag({ text, style }: Span): Html {
  if (style === 'strong') return html`<strong>${text}</strong>`;
  return style === 'code' ? html`<code>${text}</code>` : html`${text}`;
}
