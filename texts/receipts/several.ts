import { formatUsdcForPeople, sumUsdc } from '../../core/money.ts';
import { shorten, type ReceiptFacts } from './receipt.ts';
import type { ReceiptTexts } from './en.ts';
import { receiptTextsIn } from './languages.ts';
import { WIRE_STATUSES, type WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Action, type Paragraph, type View } from '../../core/view.ts';

/** Two rows of buttons, where a chat lays them out in fives. */
export const RECEIPT_LINKS_MAX = 10;
/** What a list of names may take of one message, of which there may be five; the strictest chat allows 2,000 for one. */
const LIST_CHARACTERS_MAX = 300;

/** The receipt of a tip for several people: one message, whatever their number. All lines are of one payment. */
export function severalReceiptView(
  lines: readonly [ReceiptFacts, ...ReceiptFacts[]],
  language: string | null = null,
): View {
  const texts = receiptTextsIn(language);
  const [{ transaction }] = lines;
  const total = formatUsdcForPeople(sumUsdc(lines.map(({ amount }) => amount)));
  const paragraphs: Paragraph[] = [texts.forSeveral(strong(`${total} USDC`), lines.length)];
  for (const status of WIRE_STATUSES) {
    const those = lines.filter((facts) => facts.status === status);
    if (those.length > 0) paragraphs.push(...stateOf(texts, status, those));
  }
  const others = lines.length - RECEIPT_LINKS_MAX;
  if (others > 0) paragraphs.push(texts.otherReceipts(others));
  if (transaction) paragraphs.push(line`${muted(texts.transaction())} ${code(shorten(transaction))}`);
  const links = lines.map(({ recipient, receiptUrl }) => ({ name: recipient, url: receiptUrl }));
  return { state: 'ok', audience: 'everyone', paragraphs, actions: receiptLinks(links) };
}

function stateOf(texts: ReceiptTexts, status: WireStatus, those: readonly ReceiptFacts[]): Paragraph[] {
  const who = texts.stateOfSeveral(status, cutNames(those.map(({ recipient }) => recipient)));
  if (status !== 'pending_claim') return [who];
  const until = those[0]?.claimUntil ?? null;
  return [who, until === null ? texts.sendEachReceipt() : texts.sendEachReceiptUntil(texts.day(new Date(until)))];
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
