import { html } from 'hono/html';
import { CLAIM_MS } from '../../../core/claims/claims.ts';
import type { Language } from '../../../core/languages.ts';
import { LANGUAGES } from '../../../texts/languages.ts';
import { stateOf, titleOf } from '../../../texts/receipt-page/letter.ts';
import { TAKE_BACK } from '../../../texts/take-back/languages.ts';
import { stepHeading } from '../../../web/components/alert.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { canTakeBack, type ReceiptView } from '../view.ts';

/**
 * How the payer takes back what nobody has collected: where they sent it from. Only a wallet can do it on this page; its
 * signature is what `POST /payments/{txn_id}/cancel` takes from anyone.
 */
export function takeBackPage(view: ReceiptView, language: Language): Page {
  const words = TAKE_BACK[language];
  const isOpen = canTakeBack(view);
  const about = titleOf(view, language);
  return {
    title: `${words.title}: ${about}`,
    scripts: isOpen ? ['take-back.js'] : [],
    main: html`<article class="paper letter">
      ${stepHeading(words.title, false)}
      <p><strong>${about}</strong></p>
      ${isOpen ? ways(view, language) : html`<p class="state"><strong>${stateOf(view, language)}</strong> <span>${words.over}</span></p>`}
      <p class="actions"><a class="button quiet" href="${new URL(view.receiptUrl).pathname}">${words.toLetter}</a></p>
    </article>`,
  };
}

function ways({ txnId, network, receiptUrl }: ReceiptView, language: Language): Html {
  const words = TAKE_BACK[language];
  return html`<p>${words.lead}</p>
      <h2>${words.chatTitle}</h2>
      <p>${words.chatNote(LANGUAGES[language].undo())}</p>
      <h2>${words.purseTitle}</h2>
      <p>${words.purseNote} <a href="/purse">${words.seeMoney}</a></p>
      <h2>${words.walletTitle}</h2>
      <p>${words.walletNote}</p>
      <noscript><p>${words.needsScript}</p></noscript>
      <div id="take-back" class="needs-script" data-network="${network}" data-cancel="/payments/${txnId}/cancel" data-letter="${new URL(receiptUrl).pathname}" data-words="${JSON.stringify(scriptWords(language))}">
        <div class="actions" id="wallets"></div>
        <p class="hint" id="no-wallet">${words.noWallet}</p>
        <p class="alert" role="alert" id="said"></p>
      </div>
      <p class="hint">${words.notByLink}</p>`;
}

/** What the script says; `{wallet}` stands where it puts the name of one. */
function scriptWords(language: Language): Record<string, string> {
  const { withWallet, asks, refused, otherChain, notYours, beingCollected, failed } = TAKE_BACK[language];
  const collected = beingCollected(CLAIM_MS / 60_000);
  return { withWallet: withWallet('{wallet}'), asks, refused, otherChain, notYours, collected, failed };
}
