import { html } from 'hono/html';
import { PLATFORM_NAMES, platformRow, type Platform } from '../../core/platforms/platforms.ts';
import { formatDuration } from '../../texts/rules/duration.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';

export type LandingTerms = {
  baseUrl: string;
  localMode: boolean;
  claimTtlMs: number;
  platforms: readonly Platform[];
};

export function landingPage(terms: LandingTerms): Page {
  const offered = PLATFORM_NAMES.filter((platform) => terms.platforms.includes(platform));
  return {
    title: 'Send USDC to anyone',
    description: 'Send USDC to anyone by the name they already go by.',
    isIndexed: true,
    layout: 'wide',
    scripts: ['page.js'],
    main: html`<div class="landing">
      <h1>Send USDC to anyone by the name they already go by.</h1>
      <p class="lead">One small, flat, reliable way to reach everybody who has a name: ${examples(offered)}. They need no wallet until they collect it.</p>
      <div class="ways">
        ${terms.localMode ? chat() : ''}
        ${api(terms, offered)}
        ${receipts(terms)}
      </div>
      <p>Is everything running? <a href="/health">See the health check</a><br>
      Is the money there? <a href="/health/solvency">See what is owed and what is there</a></p>
      <p class="visually-hidden" role="status" id="announcer"></p>
    </div>`,
  };
}

function examples(offered: readonly Platform[]): Html[] {
  return offered.slice(0, 5).map((platform, index) => {
    const { title, example } = platformRow(platform);
    return html`${index === 0 ? '' : ', '}<code title="${title}">${platform}:${example}</code>`;
  });
}

function chat(): Html {
  return html`<section class="paper way" aria-labelledby="way-chat">
      <h2 id="way-chat">In a chat</h2>
      <p>Type <code>/tip @x:alice 1</code> and watch it arrive.</p>
      <p class="actions"><a class="button" href="/chat">Open the chat</a></p>
    </section>`;
}

function api({ baseUrl, localMode }: LandingTerms, offered: readonly Platform[]): Html {
  const platform = platformToTry(offered, localMode);
  const body = JSON.stringify({ receiver: platformRow(platform).example, amount: 0.01 });
  const command = `curl -i ${baseUrl}/payments/${platform}/pay \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  return html`<section class="paper way wide" aria-labelledby="way-api">
      <h2 id="way-api">By API</h2>
      <p>Ask, and the answer is <strong>402</strong> with the price. Try it; this costs nothing:</p>
      <pre class="command"><code>${command}</code></pre>
      <p class="actions"><button class="button quiet small needs-script" type="button" id="copy-command" data-copy="${command}" data-copied="Command copied">Copy the command</button> <a href="/docs">Read the documentation</a></p>
      <p>An x402 client, such as <code>@x402/fetch</code>, signs the price and asks again. The <strong>200</strong> then names the receipt.</p>
      ${localMode ? html`<p class="hint">Ten funded payers to try with are in <code>local/payers.json</code> of the data directory.</p>` : ''}
    </section>`;
}

/** With real money the example is a name that RFC 2606 reserves: a visitor may go on and pay it. */
function platformToTry(offered: readonly Platform[], localMode: boolean): Platform {
  const candidates = offered.filter((platform) => platformRow(platform).http === 'public');
  const nobodys = localMode ? undefined : candidates.find((platform) => platformRow(platform).nameIsIdentity);
  return nobodys ?? candidates[0] ?? PLATFORM_NAMES[0];
}

function receipts({ claimTtlMs }: LandingTerms): Html {
  return html`<section class="paper way" aria-labelledby="way-receipt">
      <h2 id="way-receipt">With a receipt</h2>
      <p>Every payment gets a receipt page that follows it until it is final. Send that link to whoever the money is for.</p>
      <p><strong>Got such a link?</strong> Open it: that is where you collect. Money waits ${formatDuration(claimTtlMs)}, then it goes back.</p>
    </section>`;
}
