import { html } from 'hono/html';
import type { Assets } from './assets.ts';
import { FORM_REFERRER_POLICY } from './headers.ts';

/** A piece of a page. Every value placed in an `html` template is escaped; nothing here is ever marked as raw. */
export type Html = ReturnType<typeof html>;

/** What all pages of an installation share. */
export type Site = {
  baseUrl: string;
  localMode: boolean;
  operator: { name: string; supportUrl: string; termsUrl: string };
  assets: Assets;
};

export type PagePreview = { pageUrl: string; imageUrl: string; width: number; height: number };

export type Page = {
  title: string;
  /** One sentence; shown where a link to the page is previewed. */
  description: string;
  isIndexed: boolean;
  /** Shown beside the title where a link to the page is previewed. */
  preview: PagePreview | null;
  /** Loads what only receipts look like. */
  isReceipt: boolean;
  /** Loads what the shares of a reward look like. */
  showsShares?: boolean;
  /** Loads the styles of forms, and lets their posts show that they come from here. */
  hasForms?: boolean;
  /** Without script the page loads itself again after so many seconds; null: it stays as it is. */
  refreshSeconds: number | null;
  /** Copies and live updates. */
  hasScript: boolean;
  /** Offers the wallets of this browser where an address is asked for. */
  asksWallets?: boolean;
  main: Html;
};

export function renderPage(site: Site, page: Page): Html {
  const { assets } = site;
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${page.title} · pennypost</title>
  <meta name="description" content="${page.description}">
  ${page.isIndexed ? '' : html`<meta name="robots" content="noindex, nofollow">`}
  <meta name="referrer" content="${page.hasForms === true ? FORM_REFERRER_POLICY : 'no-referrer'}">
  <meta name="color-scheme" content="light dark">
  <meta name="theme-color" content="#f6f1e7" media="(prefers-color-scheme: light)">
  <meta name="theme-color" content="#17140f" media="(prefers-color-scheme: dark)">
  <meta property="og:site_name" content="pennypost">
  <meta property="og:title" content="${page.title}">
  <meta property="og:description" content="${page.description}">
  ${page.preview === null ? '' : previewTags(page.preview, page.title)}
  <link rel="icon" type="image/svg+xml" href="${assets.mark.path}">
  <link rel="stylesheet" href="${assets.pageStyle.path}">
  ${page.isReceipt ? html`<link rel="stylesheet" href="${assets.receiptStyle.path}">` : ''}
  ${page.showsShares === true ? html`<link rel="stylesheet" href="${assets.rewardStyle.path}">` : ''}
  ${page.hasForms === true ? html`<link rel="stylesheet" href="${assets.formStyle.path}">` : ''}
  ${page.hasScript ? html`<script type="module" src="${assets.script.path}"></script>` : ''}
  ${page.asksWallets === true ? html`<script type="module" src="${assets.walletScript.path}"></script>` : ''}
  ${page.refreshSeconds === null ? '' : html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}"></noscript>`}
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top">
    <a class="brand" href="/"><img src="${assets.mark.path}" alt="" width="28" height="28"><span>pennypost</span></a>
    ${site.localMode ? html`<p class="banner">Play money: nothing here is real.</p>` : ''}
  </header>
  <main id="main" tabindex="-1">
    ${page.main}
  </main>
  ${footer(site)}
</body>
</html>`;
}

/** The title and the description say the same as the picture. */
function previewTags({ pageUrl, imageUrl, width, height }: PagePreview, title: string): Html {
  return html`<meta property="og:type" content="website">
  <meta property="og:url" content="${pageUrl}">
  <meta property="og:image" content="${imageUrl}">
  <meta property="og:image:type" content="image/png">
  <meta property="og:image:width" content="${width}">
  <meta property="og:image:height" content="${height}">
  <meta property="og:image:alt" content="${title}">
  <meta name="twitter:card" content="summary_large_image">`;
}

function footer({ operator, localMode }: Site): Html {
  return html`<footer>
    <p>This service is operated by <strong>${operator.name}</strong>.</p>
    <p>${helpText(operator.supportUrl, localMode)}${
      operator.termsUrl === '' ? '' : html` <a href="${operator.termsUrl}" rel="noopener">Terms</a>`
    }</p>
  </footer>`;
}

/** Outside local mode the configuration requires an address for help. */
function helpText(supportUrl: string, localMode: boolean): Html {
  if (supportUrl !== '') return html`Something wrong? <a href="${supportUrl}" rel="noopener">Get help</a>`;
  if (localMode)
    return html`Something wrong? This is a local installation: help is where you started it, in its terminal.`;
  return html`Something wrong? Ask them for help.`;
}
