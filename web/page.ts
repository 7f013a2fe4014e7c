import { html } from 'hono/html';
import type { Language } from '../core/languages.ts';
import { LANGUAGE_NAMES, PAGE_FRAMES } from '../texts/page-frame/languages.ts';
import { TRUST } from '../texts/trust/languages.ts';
import type { Assets, ScriptName } from './assets.ts';
import type { Html } from './html.ts';

/** Who runs the installation, and whether the money there is that of a test network. */
export type Operator = {
  name: string;
  supportUrl: string;
  termsUrl: string;
  /** Left out or empty: the service’s own page. */
  privacyUrl?: string;
  hasTestMoney?: boolean;
};

/** What all pages of an installation share. */
export type Site = {
  baseUrl: string;
  isPlayMoney: boolean;
  operator: Operator;
  assets: Assets;
};

/** The language of one answer; `menu` leads to the same page in the others, and is empty where there are none. */
export type Reader = { language: Language; menu: readonly { language: Language; href: string }[] };

/** For pages that exist in English only. */
export const ENGLISH: Reader = { language: 'en', menu: [] };

export type PagePreview = { pageUrl: string; imageUrl: string; width: number; height: number };

export type Page = {
  title: string;
  /** One sentence; shown where a link to the page is previewed. */
  description?: string;
  /** Search engines may list it. Left out: they may not. */
  isIndexed?: boolean;
  /** Shown beside the title where a link to the page is previewed. */
  preview?: PagePreview;
  /** Its path, for such previews of a page that has no picture of its own: it gets the service's. */
  path?: string;
  /** Without script the page loads itself again after so many seconds. Left out: it stays as it is. */
  refreshSeconds?: number | null;
  /** Beside `page.js`, which all pages have. The page is complete without them. */
  scripts?: readonly Exclude<ScriptName, 'page.js'>[];
  /** `wide`: more than one card. `chat`: a conversation with a bar below it, which stands in for the footer. */
  layout?: 'wide' | 'chat';
  main: Html;
  /** Where the link for keyboards leads; the content unless said otherwise. */
  skip?: { label: string; target: string };
  /** With `chat`: the bar at the bottom. */
  bar?: Html;
};

/** The frame of every page: head, mark, content, and who answers for it. */
export function renderPage(site: Site, page: Page, reader: Reader = ENGLISH): Html {
  const { assets, isPlayMoney } = site;
  const { language } = reader;
  const text = PAGE_FRAMES[language];
  return html`<!doctype html>
<html lang="${language}">
<head>
  ${head(site, page)}
</head>
<body class="${page.layout ?? 'narrow'}" data-words="${JSON.stringify(text.script)}">
  <a class="skip" href="${page.skip?.target ?? '#main'}">${page.skip?.label ?? text.skip}</a>
  <header class="top">
    <a class="brand" href="/"><img src="${assets.path('mark.svg')}" alt="" width="28" height="28"><span>pennypost</span></a>
    ${isPlayMoney ? html`<p class="banner">${text.playMoney}</p>` : ''}
    ${site.operator.hasTestMoney === true ? html`<p class="banner">${text.testMoney}</p>` : ''}
  </header>
  <main id="main" tabindex="-1">
    ${page.main}
  </main>
  ${page.bar ?? footer(site, reader)}
</body>
</html>`;
}

function head(site: Site, page: Page): Html {
  const { assets } = site;
  const { title, description, isIndexed = false, refreshSeconds, scripts = [] } = page;
  const preview = page.preview ?? (page.path === undefined ? undefined : generalPreview(site, page.path));
  return html`<meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
  <title>${title} · pennypost</title>
  ${isIndexed ? '' : html`<meta name="robots" content="noindex, nofollow">`}
  <meta name="color-scheme" content="light dark">
  <meta name="theme-color" content="#f6f1e7" media="(prefers-color-scheme: light)">
  <meta name="theme-color" content="#17140f" media="(prefers-color-scheme: dark)">
  ${description === undefined ? '' : summaryTags(title, description)}
  ${preview === undefined ? '' : previewTags(preview, title)}
  <link rel="apple-touch-icon" href="/apple-touch-icon.png">
  <link rel="icon" type="image/svg+xml" href="${assets.path('mark.svg')}">
  <link rel="stylesheet" href="${assets.path('style.css')}">
  ${(['page.js', ...scripts] as const).map((script) => html`<script type="module" src="${assets.path(script)}"></script>`)}
  ${refreshSeconds === undefined || refreshSeconds === null ? '' : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}`;
}

/** The picture of the whole service. */
export const PREVIEW_PATH = '/preview.png';

function generalPreview({ baseUrl }: Site, path: string): PagePreview {
  return { pageUrl: baseUrl + path, imageUrl: baseUrl + PREVIEW_PATH, width: 1200, height: 630 };
}

function summaryTags(title: string, description: string): Html {
  return html`<meta name="description" content="${description}">
  <meta property="og:site_name" content="pennypost">
  <meta property="og:title" content="${title}">
  <meta property="og:description" content="${description}">`;
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

function footer({ operator, isPlayMoney }: Site, { language, menu }: Reader): Html {
  const text = PAGE_FRAMES[language];
  const { name, supportUrl } = operator;
  return html`<footer>
    <p>${text.operatedBy} <strong>${name}</strong>.</p>
    <p>${help(supportUrl, isPlayMoney, language)}</p>
    ${aboutLinks(operator, language)}
    ${menu.length === 0 ? '' : languageMenu(text.language, { language, menu })}
  </footer>`;
}

/** What the service says about itself, or its operator does. */
function aboutLinks({ termsUrl, privacyUrl = '' }: Operator, language: Language): Html {
  const { links } = TRUST[language];
  const pages = [
    { href: '/real', label: links.real },
    { href: '/help', label: links.help },
    { href: termsUrl === '' ? '/terms' : termsUrl, label: links.terms },
    { href: privacyUrl === '' ? '/privacy' : privacyUrl, label: links.privacy },
    { href: '/status', label: links.status },
  ];
  return html`<ul class="about">${pages.map(({ href, label }) => html`<li><a href="${href}" rel="noopener">${label}</a></li>`)}</ul>`;
}

/** Outside local mode the configuration requires an address for help. */
function help(supportUrl: string, isPlayMoney: boolean, language: Language): Html {
  const text = PAGE_FRAMES[language];
  if (supportUrl !== '') return html`<a href="${supportUrl}" rel="noopener">${text.getHelp}</a>`;
  return html`${isPlayMoney ? text.askYourself : text.askThem}`;
}

function languageMenu(label: string, { language, menu }: Reader): Html {
  return html`<nav class="languages" aria-label="${label}"><ul>${menu.map(({ language: other, href }) =>
    other === language
      ? html`<li><span aria-current="true">${LANGUAGE_NAMES[other]}</span></li>`
      : html`<li><a href="${href}" lang="${other}" hreflang="${other}" rel="nofollow">${LANGUAGE_NAMES[other]}</a></li>`,
  )}</ul></nav>`;
}
