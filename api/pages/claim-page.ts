import { html } from 'hono/html';
import type { Recipient } from '../../core/recipients/recipient.ts';
import { formatRecipient } from '../../core/recipients/recipient.ts';
import { platformRow, type Platform } from '../../core/platforms.ts';
import { onPlatform } from '../receipts/wording.ts';
import { formatDuration } from './duration.ts';
import type { Html, Page } from './page.ts';

/** Whose page it is: a name, or a platform alone where a public link must not say the name (e-mail). */
export type Claimant = { kind: 'name'; recipient: Recipient } | { kind: 'platform'; platform: Platform };

export type ClaimTerms = { claimTtlMs: number; localMode: boolean };

/**
 * Where collecting will be. It asks nobody whether money waits, so it cannot tell: the page is the same for every name.
 */
export function claimPage(claimant: Claimant, terms: ClaimTerms): Page {
  return {
    title: `Collect money sent to ${nameOf(claimant)}`,
    description: 'Collecting by clicking is not open yet on this installation. Nothing is lost.',
    isIndexed: false,
    preview: null,
    isReceipt: false,
    refreshSeconds: null,
    hasScript: terms.localMode,
    main: html`<article class="paper letter">
      <p class="eyebrow">Collect</p>
      <h1>Money for ${heading(claimant)}</h1>
      <p class="lead">${mayWait(claimant)}</p>
      <p class="state"><strong>Collecting by clicking is not open yet on this installation.</strong> <span>Nothing is lost.</span></p>
      <h2>What this means</h2>
      <ul>
        <li>What was sent to this name is kept for whoever proves that the name is theirs. Nobody else can take it.</li>
        <li>Money generally waits ${formatDuration(terms.claimTtlMs)} from the day it was sent; after that it goes back to whoever sent it. The receipt names the exact day.</li>
        <li>You need to do nothing now. Keep the receipt that you were sent.</li>
      </ul>
      ${terms.localMode ? linkWallet(claimant) : ''}
    </article>`,
  };
}

function nameOf(claimant: Claimant): string {
  if (claimant.kind === 'name') return formatRecipient(claimant.recipient);
  return claimant.platform === 'email' ? 'an e-mail address' : `a name on ${platformRow(claimant.platform).title}`;
}

function heading(claimant: Claimant): Html {
  if (claimant.kind === 'name') return html`<bdi class="recipient">${nameOf(claimant)}</bdi>`;
  return claimant.platform === 'email'
    ? html`an <span class="unbroken">e-mail</span> address`
    : html`${nameOf(claimant)}`;
}

function mayWait(claimant: Claimant): Html {
  if (claimant.kind === 'platform') return html`Money may be waiting for ${nameOf(claimant)} of yours.`;
  const where = onPlatform(claimant.recipient.platform);
  return html`Money may be waiting for this name${where === '' ? '' : ` ${where}`}. For everybody's privacy this page looks the same whether it does or not.`;
}

function linkWallet(claimant: Claimant): Html {
  const isExample = claimant.kind === 'platform';
  const recipient = isExample
    ? { platform: claimant.platform, key: platformRow(claimant.platform).example }
    : claimant.recipient;
  const command = `npm run link -- ${quoteForShell(formatRecipient(recipient))} 0x…`;
  return html`<h2>On this computer</h2>
      <p>Whoever started this local installation can link a wallet to the name. What waits then goes there by itself${isExample ? '. For example:' : ':'}</p>
      <pre class="command"><code>${command}</code></pre>
      ${isExample ? '' : copyCommand(command)}`;
}

function copyCommand(command: string): Html {
  return html`<p class="actions"><button class="button quiet small needs-script" type="button" id="copy-command" data-copy="${command}" data-copied="Command copied">Copy the command</button></p>
      <p class="visually-hidden" role="status" id="announcer"></p>`;
}

/** An e-mail address may hold characters that a shell acts on; it never holds a quotation mark. */
function quoteForShell(text: string): string {
  return /^[\w:.@…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
