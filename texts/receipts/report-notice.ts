import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { ReportReason } from '../../core/reports/reports.ts';
import { strong, type View } from '../../core/view.ts';
import { nameIn, receiptTextsIn } from './languages.ts';
import { reportsIn } from '../reports/languages.ts';

/** `giver`: the member who sent it. The reporter's own words are for the operator: a stranger wrote them. */
export type ReportFacts = {
  giver: string;
  recipient: string;
  amount: MicroUsdc;
  reason: ReportReason;
  receiptUrl: string;
};

/** For those who moderate the community that a reported payment came from. */
export function reportNotice(facts: ReportFacts, language: string | null): View {
  const { giver, recipient, amount, reason, receiptUrl } = facts;
  const words = reportsIn(language);
  const what = `${formatUsdcForPeople(amount)} USDC`;
  return {
    state: 'ok',
    audience: 'everyone',
    paragraphs: [
      [strong(words.reported), { text: ` ${words.reasons[reason]}` }],
      [{ text: `${giver} → ` }, strong(nameIn(language)(recipient)), { text: ' · ' }, strong(what)],
      [{ text: words.readIt }],
    ],
    actions: [{ kind: 'link', label: receiptTextsIn(language).openReceipt(), url: receiptUrl }],
  };
}
