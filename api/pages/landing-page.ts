import { html } from 'hono/html';
import type { Language } from '../../core/languages.ts';
import { microUsdc } from '../../core/money.ts';
import { PLATFORM_NAMES, platformRow, type Platform } from '../../core/platforms/platforms.ts';
import { LANDING } from '../../texts/landing/languages.ts';
import { personName } from '../../texts/names/person.ts';
import { formatDuration } from '../../texts/rules/duration.ts';
import { TRUST } from '../../texts/trust/languages.ts';
import { dollars } from '../../web/components/money.ts';
import { sentence } from '../../web/components/sentence.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';

export type LandingTerms = {
  baseUrl: string;
  localMode: boolean;
  claimTtlMs: number;
  platforms: readonly Platform[];
};

const EXAMPLE_SUM = dollars(microUsdc(5_000_000n));

export function landingPage(terms: LandingTerms, language: Language): Page {
  const words = LANDING[language];
  const offered = PLATFORM_NAMES.filter((platform) => terms.platforms.includes(platform));
  const [platform = PLATFORM_NAMES[0]] = offered;
  const name = personName({ platform, key: platformRow(platform).example }, language);
  return {
    title: words.title,
    description: words.heading,
    isIndexed: true,
    path: '/',
    layout: 'wide',

    main: html`<div class="landing">
      <h1>${words.heading}</h1>
      <p class="lead">${words.example(EXAMPLE_SUM, name)}</p>
      <p class="actions"><a class="button wide" id="send" href="/to">${words.sendOpen}</a></p>
      <div class="ways">
        ${collecting(terms, language)}
        ${sending(terms, language)}
        ${real(language)}
        ${api(terms, offered, language)}
      </div>
      <p class="visually-hidden" role="status" id="announcer"></p>
    </div>`,
  };
}

function sending({ localMode }: LandingTerms, language: Language): Html {
  const words = LANDING[language];
  return html`<section class="paper way" aria-labelledby="way-send">
      <h2 id="way-send">${words.sendTitle}</h2>
      <p>${words.sendFrom}</p>
      ${localMode ? chat(language) : ''}
    </section>`;
}

function chat(language: Language): Html {
  const words = LANDING[language];
  return html`<h3>${words.chatTitle}</h3>
      <p>${sentence((put) => words.chatType(put(html`<code>/tip @x:alice 1</code>`)))}</p>
      <p class="actions"><a class="button quiet" href="/chat">${words.chatOpen}</a></p>`;
}

function collecting({ claimTtlMs }: LandingTerms, language: Language): Html {
  const words = LANDING[language];
  return html`<section class="paper way" aria-labelledby="way-collect">
      <h2 id="way-collect">${words.collectTitle}</h2>
      <p>${words.collectLink} ${words.collectWaits(formatDuration(claimTtlMs, language))}</p>
      <p class="actions"><a class="button quiet" href="/purse">${words.seeMoney}</a></p>
    </section>`;
}

function real(language: Language): Html {
  const words = LANDING[language];
  return html`<section class="paper way" aria-labelledby="way-real">
      <h2 id="way-real">${words.realTitle}</h2>
      <p>${words.realProof}</p>
      <p>${words.realReceipt}</p>
      <p class="links"><a class="standing-link" href="/real">${TRUST[language].howToTell}</a> <a class="standing-link" href="/status">${TRUST[language].seeStatus}</a></p>
    </section>`;
}

function api({ baseUrl, localMode }: LandingTerms, offered: readonly Platform[], language: Language): Html {
  const words = LANDING[language];
  const platform = platformToTry(offered, localMode);
  const body = JSON.stringify({ receiver: platformRow(platform).example, amount: 0.01 });
  const command = `curl -i ${baseUrl}/payments/${platform}/pay \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  const client = html`<code>@x402/fetch</code>`;
  return html`<details class="paper more" id="way-api">
      <summary>${words.apiTitle}</summary>
      <div class="way">
      <p>${sentence((put) => words.apiAsk(put(html`<strong>402</strong>`)))}</p>
      <pre class="command"><code>${command}</code></pre>
      <p class="actions"><button class="button quiet small needs-script" type="button" id="copy-command" data-copy="${command}" data-copied="${words.apiCopied}">${words.apiCopy}</button> <a href="/docs">${words.apiDocs}</a></p>
      <p>${sentence((put) => words.apiSigns(put(client), put(html`<strong>200</strong>`)))}</p>
      ${localMode ? html`<p class="hint">${sentence((put) => words.apiPayers(put(html`<code>local/payers.json</code>`)))}</p>` : ''}
    </div>
    </details>`;
}

/** With real money the example is a name that RFC 2606 reserves: a visitor may go on and pay it. */
function platformToTry(offered: readonly Platform[], localMode: boolean): Platform {
  const candidates = offered.filter((platform) => platformRow(platform).http === 'public');
  const nobodys = localMode ? undefined : candidates.find((platform) => platformRow(platform).nameIsIdentity);
  return nobodys ?? candidates[0] ?? PLATFORM_NAMES[0];
}
