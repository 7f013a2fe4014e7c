import { html } from 'hono/html';
import { EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import type { Texts } from '../../texts/en.ts';

type Html = ReturnType<typeof html>;

/** The page around the conversation. The conversation itself comes through the stream, as data. */
export function chatPage(text: Texts['page'], isPlayMoney: boolean): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
    <meta name="color-scheme" content="light dark" />
    <title>${text.title}</title>
    <link rel="icon" href="/chat/assets/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/chat/assets/theme.css" />
    <link rel="stylesheet" href="/chat/assets/chat.css" />
    <script type="module" src="/chat/assets/chat.js"></script>
  </head>
  <body>
    <a class="skip" href="#message">${text.skip}</a>
    <header class="top">
      <a class="brand" href="/"><img src="/chat/assets/mark.svg" alt="" width="28" height="28" /><span>pennypost</span></a>
      ${isPlayMoney ? html`<p class="banner">${text.playMoney}</p>` : ''}
    </header>
    <main>
      ${intro(text)}
      <div id="log" class="log" role="log" aria-live="off" aria-label="${text.conversation}"></div>
      <p id="connection" class="connection" role="status" data-connecting="${text.connecting}"
        data-reconnecting="${text.reconnecting}">${text.connecting}</p>
      <noscript><p class="connection">${text.noScript}</p></noscript>
    </main>
    ${composer(text)}
  </body>
</html>`;
}

function intro(text: Texts['page']): Html {
  return html`<section class="intro">
        <h1>${text.heading}</h1>
        <p>${text.intro}</p>
        <p class="muted">${text.names}</p>
        <button type="button" class="try" data-command="${EXAMPLE_TIP}">
          <span>${text.tryIt}</span><code>${EXAMPLE_TIP}</code>
        </button>
      </section>`;
}

/** Its button waits for the script: before that, Enter would send the form to nowhere and lose what was typed. */
function composer(text: Texts['page']): Html {
  return html`<footer class="composer">
      <form id="composer" data-sending="${text.sending}" data-not-sent="${text.notSent}" data-refused="${text.refused}"
        data-too-fast="${text.tooFast}" data-you="${text.you}" data-bot="${text.bot}">
        <label class="hidden" for="message">${text.composer}</label>
        <input id="message" type="text" placeholder="${text.placeholder}" maxlength="2000" autocomplete="off"
          autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="send" />
        <button type="submit" class="send" disabled>${text.send}</button>
      </form>
      <div class="hints" role="group" aria-label="${text.commands}">
        <button type="button" data-fill="/tip ">/tip</button>
        <button type="button" data-command="/balance">/balance</button>
        <button type="button" data-command="/deposit">/deposit</button>
        <button type="button" data-command="/wallet">/wallet</button>
        <button type="button" data-command="/help">/help</button>
      </div>
    </footer>`;
}
