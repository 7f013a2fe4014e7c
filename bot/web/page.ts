import { html } from 'hono/html';
import { EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import type { Texts } from '../../texts/en.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';

/** The page around the conversation. The conversation itself comes through the stream, as data. */
export function chatPage(text: Texts['page']): Page {
  return {
    title: text.title,
    layout: 'chat',
    scripts: ['chat.js'],
    skip: { label: text.skip, target: '#message' },
    main: html`${intro(text)}
      <div id="log" class="log" role="log" aria-live="off" aria-label="${text.conversation}"></div>
      <p id="connection" class="connection" role="status" data-connecting="${text.connecting}"
        data-reconnecting="${text.reconnecting}">${text.connecting}</p>
      <noscript><p class="connection">${text.noScript}</p></noscript>`,
    bar: composer(text),
  };
}

function intro(text: Texts['page']): Html {
  return html`<section class="intro">
        <h1>${text.heading}</h1>
        <p>${text.intro}</p>
        <p class="hint">${text.names}</p>
        <button type="button" class="try button quiet" data-command="${EXAMPLE_TIP}">
          <span>${text.tryIt}</span><code>${EXAMPLE_TIP}</code>
        </button>
      </section>`;
}

/** Its button waits for the script: before that, Enter would send the form to nowhere and lose what was typed. */
function composer(text: Texts['page']): Html {
  return html`<footer class="composer">
      <form id="composer" data-sending="${text.sending}" data-not-sent="${text.notSent}" data-refused="${text.refused}"
        data-too-fast="${text.tooFast}" data-you="${text.you}" data-bot="${text.bot}">
        <label class="visually-hidden" for="message">${text.composer}</label>
        <input id="message" type="text" placeholder="${text.placeholder}" maxlength="2000" autocomplete="off"
          autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="send">
        <button type="submit" class="send button" disabled>${text.send}</button>
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
