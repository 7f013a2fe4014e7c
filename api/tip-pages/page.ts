import { html } from 'hono/html';
import { PAYMENT_AMOUNT_MAX } from '../../core/amounts.ts';
import type { Language } from '../../core/languages.ts';
import { NOTE_CHARACTERS_MAX } from '../../core/grammar/note.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import { personName } from '../../texts/names/person.ts';
import { platformTitle } from '../../texts/names/platform.ts';
import { REPORTS } from '../../texts/reports/languages.ts';
import { TIP_PAGES } from '../../texts/tip-page/languages.ts';
import { TRUST } from '../../texts/trust/languages.ts';
import { breakable } from '../../web/components/person.ts';
import { sentence } from '../../web/components/sentence.ts';
import { sumField, usualSums } from '../../web/components/sums.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';

/** What was typed into the address, as far as it is a name. */
export type Typed = { platform: Platform | null; name: string };

/**
 * The form for every name without a page of its own: unknown, opted out, an address of mail, or just not switched on. It
 * says nothing of the name, so that nobody learns from it which of these it is.
 */
export function sendPage(platforms: readonly Platform[], typed: Typed, language: Language): Page {
  const words = TIP_PAGES[language];
  return {
    title: words.title,
    main: html`<article class="paper letter">
      <h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      ${form(
        language,
        html`<p class="field"><label for="platform">${words.platform}</label>
          <select id="platform" name="platform">${platforms.map(
            (platform) =>
              html`<option value="${platform}"${platform === typed.platform ? html` selected` : ''}>${platformTitle(platform, language)}</option>`,
          )}</select></p>
        <p class="field"><label for="name">${words.name}</label>
          <input id="name" name="name" value="${typed.name}" required maxlength="320" autocomplete="off" autocapitalize="off" spellcheck="false"></p>`,
      )}
    </article>`,
  };
}

export type OwnPage = { platform: Platform; key: string; words: string | null; path: string };

/** The page of a person who has switched it on. Its words are a stranger's: one line, no link. */
export function tipPage({ platform, key, words: own, path }: OwnPage, language: Language): Page {
  const words = TIP_PAGES[language];
  const person = personName({ platform, key }, language);
  const name = html`<bdi class="recipient">${breakable(person)}</bdi>`;
  return {
    title: words.ownTitle(person),
    description: own ?? words.lead,
    isIndexed: true,
    path,
    main: html`<article class="paper letter">
      <h1>${sentence((put) => words.ownTitle(put(name)))}</h1>
      ${own === null ? '' : html`<figure class="note"><blockquote><p dir="auto">${own}</p></blockquote></figure>`}
      ${form(language, html`<input type="hidden" name="platform" value="${platform}"><input type="hidden" name="name" value="${key}">`)}
      <p class="hint">${words.shownBecause(person)}</p>
      <p class="links"><a class="standing-link" href="/real">${TRUST[language].links.real}</a> <a class="standing-link" href="${path}/report" rel="nofollow">${REPORTS[language].link}</a></p>
    </article>`,
  };
}

/** Leads into the purse, where it is priced, shown and agreed to like anything that is sent from there. */
function form(language: Language, whom: Html): Html {
  const words = TIP_PAGES[language];
  return html`<form method="post" action="/purse/wish">
        <p class="hint">${words.nextNote}</p>
        ${whom}
        ${sumField(
          { label: words.amount, other: words.otherAmount, choices: usualSums(PAYMENT_AMOUNT_MAX) },
          html`<p class="field"><input id="amount" name="amount" aria-label="${words.amount}" maxlength="30" inputmode="decimal" autocomplete="off"></p>`,
        )}
        <p class="field"><label for="note">${words.note}</label>
          <input id="note" name="note" maxlength="${NOTE_CHARACTERS_MAX}" autocomplete="off"></p>
        <div class="primary"><button class="button wide" type="submit">${words.next}</button></div>
      </form>`;
}
