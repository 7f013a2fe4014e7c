import type { TestBrowser } from './browser.ts';

/** A message as a picture shows it; `html` is made by the transport's own reader, everything else is text. */
export type PicturedMessage = {
  author: string;
  isBot: boolean;
  isMine: boolean;
  html: string;
  /** A small line above it: whose command it answers, or what it replies to. */
  above?: string;
  buttons?: readonly string[];
  /** Under it: that nobody else sees it. */
  below?: string;
  reactions?: readonly string[];
};

export type PicturedChat = { title: string; messages: readonly PicturedMessage[]; language?: string };

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (found) => `&#${found.codePointAt(0) ?? 0};`);

/** Draws a chat in no platform's dress: what counts is what was really sent. */
export async function drawChat(browser: TestBrowser, chat: PicturedChat, file: string): Promise<void> {
  const context = await browser.newContext({ width: 720, height: 400 });
  const page = await context.newPage();
  await page.setContent(toPage(chat));
  await page.screenshot({ path: file, fullPage: true });
  await context.close();
}

function toPage({ title, messages }: PicturedChat): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>${STYLE}</style>
<header>${escapeHtml(title)}</header><main>${messages.map(toMessage).join('')}</main></html>`;
}

function toMessage(message: PicturedMessage): string {
  const { author, isBot, isMine, html, above, below, buttons = [], reactions = [] } = message;
  const note = (text: string | undefined) => (text === undefined ? '' : `<p class="note">${escapeHtml(text)}</p>`);
  const row = (kind: string, texts: readonly string[]) =>
    texts.length === 0
      ? ''
      : `<p class="${kind}">${texts.map((text) => `<span>${escapeHtml(text)}</span>`).join('')}</p>`;
  return `<article class="${isMine ? 'mine' : ''}"><i class="${isBot ? 'bot' : ''}">${escapeHtml(author[0] ?? '?')}</i><div>
${note(above)}<p class="who"><b>${escapeHtml(author)}</b>${isBot ? '<small>bot</small>' : ''}</p>
<div class="text">${html}</div>${row('buttons', buttons)}${row('reactions', reactions)}${note(below)}</div></article>`;
}

const STYLE = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #22262b; background: #fff; }
header { padding: 12px 24px; font-weight: 650; border-bottom: 1px solid #dfe2e6; background: #f6f7f8; }
main { display: grid; gap: 18px; padding: 20px 24px 28px; }
article { display: grid; grid-template-columns: 42px 1fr; gap: 14px; }
i { width: 42px; height: 42px; border-radius: 50%; background: #7d8894; color: #fff; font: 600 19px/42px system-ui, sans-serif; text-align: center; text-transform: uppercase; }
i.bot { border-radius: 8px; background: #b3202f; }
p { margin: 0; }
.who b { font-weight: 650; }
.who small { margin-left: 8px; padding: 0 6px; border-radius: 4px; background: #e8eaed; color: #5a636d; font-size: 12px; }
.note { color: #6a737d; font-size: 13.5px; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.text code { padding: 1px 5px; border-radius: 4px; background: #eef0f2; font-size: 14.5px; }
.text a, .text .person { color: #1259b8; text-decoration: none; }
.text .person { padding: 0 3px; border-radius: 3px; background: #e6effc; }
.text .small { color: #6a737d; font-size: 13.5px; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px; }
.buttons span { padding: 5px 14px; border: 1px solid #c3c9d0; border-radius: 6px; background: #f6f7f8; font-size: 14.5px; }
.reactions { display: flex; gap: 6px; margin-top: 6px; }
.reactions span { padding: 1px 8px; border: 1px solid #c3c9d0; border-radius: 999px; background: #f6f7f8; }
`;
