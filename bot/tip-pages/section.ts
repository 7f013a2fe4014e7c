import { html } from 'hono/html';
import { TIP_PAGE_CHARACTERS_MAX, TIP_PAGE_DAYS } from '../../core/tip-pages/tip-pages.ts';
import type { OwnTipPage } from '../../db/tip-pages/tip-pages.ts';
import { TIP_PAGES } from '../../texts/tip-page/languages.ts';
import { copyable } from '../../web/components/copy.ts';
import type { Html } from '../../web/html.ts';
import { withTime } from '../shared/page-times.ts';
import type { PageSite } from '../shared/page-site.ts';
import { tipPagePath, type TipPageProblem } from './change.ts';

export type ShownTipPage = { walletId: string; name: string | null; tipPage: OwnTipPage | null; nowMs: number };

/** Where the owner of a name switches its page on and off; nothing where that name can have none. */
export function tipPageSection(
  site: PageSite,
  shown: ShownTipPage,
  index: number,
  problem: TipPageProblem | null,
): Html | '' {
  const words = TIP_PAGES[site.reader.language];
  const { walletId, name, tipPage, nowMs } = shown;
  const path = name === null ? null : tipPagePath(name);
  if (path === null) return '';
  if (tipPage?.isBarred === true) return html`<p class="hint">${words.barred}</p>`;
  const isOn = tipPage !== null && (tipPage.untilMs ?? 0) > nowMs;
  const url = new URL(path, site.site.baseUrl).href;
  return html`<details${problem === null ? '' : html` open`}><summary>${words.section}</summary>
      <p>${words.sectionNote(TIP_PAGE_DAYS)}</p>
      ${isOn ? onlineNote(site, { url, untilMs: tipPage.untilMs ?? 0 }) : ''}
      <form method="post" action="/purse/page">
        ${problem === null ? '' : html`<p class="alert" role="alert" id="page-problem-${index}">${problem.kind === 'has_link' ? words.hasLink : words.tooLong(TIP_PAGE_CHARACTERS_MAX)}</p>`}
        <input type="hidden" name="wallet" value="${walletId}" />
        <p class="field"><label for="page-words-${index}">${words.words}</label>
          <input id="page-words-${index}" name="words" value="${problem?.typed ?? tipPage?.words ?? ''}" maxlength="${TIP_PAGE_CHARACTERS_MAX}" autocomplete="off" aria-describedby="page-hint-${index}${problem === null ? '' : html` page-problem-${index}`}"${problem === null ? '' : html` aria-invalid="true" autofocus`}>
          <span class="hint" id="page-hint-${index}">${words.wordsHint(TIP_PAGE_CHARACTERS_MAX)}</span></p>
        <p class="actions"><button type="submit" name="on" value="yes" class="button quiet">${isOn ? words.save : words.switchOn}</button>
          ${isOn ? html`<button type="submit" name="on" value="no" class="button quiet">${words.switchOff}</button>` : ''}</p>
      </form>
    </details>`;
}

function onlineNote(site: PageSite, { url, untilMs }: { url: string; untilMs: number }): Html {
  const words = TIP_PAGES[site.reader.language];
  const markdown = `[![${words.badge}](${url}/badge.svg)](${url})`;
  return html`<p><a href="${url}">${words.open}</a>. ${withTime(site, words.until, untilMs)}</p>
      <p class="hint">${words.embed}</p>
      ${copyable(markdown, words.copy)}`;
}
