import { nameForPayer } from '../names/person.ts';
import { nameIn, receiptTextsIn } from './languages.ts';
import { withGoingBack } from './going-back.ts';
import type { Action, Paragraph } from '../../core/view.ts';

/** Two rows of buttons, where a chat lays them out in fives. */
export const RECEIPT_LINKS_MAX = 10;
/** What a list of names may take of one message, of which there may be five; the strictest chat allows 2,000 for one. */
const LIST_CHARACTERS_MAX = 300;

/** One of several whose money waits. `readsAlong`: a member of the chat in which it was sent. */
export type Waiting = { readsAlong: boolean; claimUntilMs: number | null };

/** Members of the chat read how they collect it. The payer hands the others their receipts. */
export function howEachHears(waiting: readonly Waiting[], language: string | null = null): Paragraph[] {
  const texts = receiptTextsIn(language);
  const paragraphs: Paragraph[] = [];
  const add = (one: Waiting | undefined, howCollected: Paragraph) => {
    if (one === undefined) return;
    const { claimUntilMs } = one;
    paragraphs.push(withGoingBack(howCollected, { if: 'each_nobody_collects', to: 'you', claimUntilMs }, language));
  };
  add(
    waiting.find(({ readsAlong }) => readsAlong),
    texts.collectEachHere(),
  );
  add(
    waiting.find(({ readsAlong }) => !readsAlong),
    texts.sendEachReceipt(),
  );
  return paragraphs;
}

/**
 * As many links as one message should have, each with the name of whose receipt it opens. Members of the chat go by a number
 * that only its text can turn into a name, so their links are counted.
 */
export function receiptLinks(
  receipts: readonly { name: string; url: string }[],
  { transport, language }: { transport: string; language: string | null },
): Action[] {
  const texts = receiptTextsIn(language);
  return receipts.slice(0, RECEIPT_LINKS_MAX).map(({ name, url }, index) => {
    const label = name.startsWith(`${transport}:`) ? texts.receiptNumber(index + 1) : nameIn(language)(name);
    return { kind: 'link', label, url };
  });
}

/** The first of many names, as far as they fit, and how many are left out. At least one is shown. */
export function cutNames(names: readonly string[]): { names: string[]; more: number } {
  let characters = 0;
  const end = names.findIndex((name, index) => {
    // As it is read in English; other languages take as much, give or take a letter.
    characters += nameForPayer(name).length + 2;
    return index > 0 && characters > LIST_CHARACTERS_MAX;
  });
  const shown = end === -1 ? [...names] : names.slice(0, end);
  return { names: shown, more: names.length - shown.length };
}
