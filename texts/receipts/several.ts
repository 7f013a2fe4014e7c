import { receiptTextsIn } from './languages.ts';
import type { Action, Paragraph } from '../../core/view.ts';

/** Two rows of buttons, where a chat lays them out in fives. */
export const RECEIPT_LINKS_MAX = 10;
/** What a list of names may take of one message, of which there may be five; the strictest chat allows 2,000 for one. */
const LIST_CHARACTERS_MAX = 300;

/** What their payer does for those who wait. */
export function sendEachReceipt(claimUntilMs: number | null, language: string | null = null): Paragraph {
  const texts = receiptTextsIn(language);
  return claimUntilMs === null
    ? texts.sendEachReceipt()
    : texts.sendEachReceiptUntil(texts.day(new Date(claimUntilMs)));
}

/** As many links as one message should have, each with the name of whose receipt it opens. */
export function receiptLinks(receipts: readonly { name: string; url: string }[]): Action[] {
  return receipts.slice(0, RECEIPT_LINKS_MAX).map(({ name, url }) => ({ kind: 'link', label: name, url }));
}

/** The first of many names, as far as they fit, and how many are left out. At least one is shown. */
export function cutNames(names: readonly string[]): { names: string[]; more: number } {
  let characters = 0;
  const end = names.findIndex((name, index) => {
    characters += name.length + 2;
    return index > 0 && characters > LIST_CHARACTERS_MAX;
  });
  const shown = end === -1 ? [...names] : names.slice(0, end);
  return { names: shown, more: names.length - shown.length };
}
