import type { RequestProblem } from '../../core/money-requests/money-requests.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';

/** A request as its card says it; people by their ids, which each chat shows as names. */
export type RequestFacts = { asker: string; asked: string; amount: MicroUsdc };
/** What a card says that is no longer open. */
export type AnsweredStage = 'agreed' | 'sent' | 'paid' | 'unpaid' | 'declined' | 'ended';
/** Of one person at once, of one person in a day, to one person in a day, and people in one message. */
export type RequestLimits = { open: number; sent: number; got: number; people: number };
/** Several people who are asked by one message; `days`: null once none of them can answer any more. */
export type BillFacts = { asker: string; sum: MicroUsdc; reason: string | null; days: number | null };

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);

/** How far one person of a bill is. */
const BILL_STAGES: Record<'open' | AnsweredStage, string> = {
  open: 'open',
  agreed: 'said yes',
  sent: 'sent, on its way',
  paid: 'paid',
  unpaid: 'not paid',
  declined: 'not this time',
  ended: 'no answer',
};

/** One member asking another for money. */
export const requestsEn = {
  requestCard: ({
    asker,
    asked,
    amount,
    reason,
    days,
  }: RequestFacts & { reason: string | null; days: number }): Paragraph[] => [
    line`${strong(asked)}, ${asker} asks you for ${usdc(amount)}.`,
    ...(reason === null ? [] : [line`“${reason}”`]),
    [muted(`Only the person asked can pay it here. It ends in ${String(days)} days, and I won’t remind anyone.`)],
  ],
  payRequest: (amount: MicroUsdc): string => `Pay ${formatUsdcForPeople(amount)} USDC`,
  declineRequest: (): string => 'Decline',
  neverRequest: (): string => 'Never from them',
  requestStage: (stage: AnsweredStage, { asker, asked, amount }: RequestFacts): Paragraph => {
    switch (stage) {
      case 'agreed':
        return line`${asked} said yes to ${usdc(amount)} for ${asker}.`;
      case 'sent':
        return line`${asked} sent ${usdc(amount)} to ${asker}. It hasn’t arrived yet.`;
      case 'paid':
        return line`${asked} paid ${usdc(amount)} to ${asker}.`;
      case 'unpaid':
        return line`${asker} asked ${asked} for ${usdc(amount)}. It was not paid.`;
      case 'declined':
        return line`${asker} asked ${asked} for ${usdc(amount)}. Not this time.`;
      case 'ended':
        return line`${asker} asked ${asked} for ${usdc(amount)}. Nobody answered in time.`;
    }
  },
  billCard: ({ asker, sum, reason, days }: BillFacts, people: readonly Paragraph[]): Paragraph[] => [
    line`${asker} asks for ${usdc(sum)} in all:`,
    ...people,
    ...(reason === null ? [] : [line`“${reason}”`]),
    ...(days === null
      ? []
      : [
          [
            muted(
              `Only those asked can pay it here, each their own part. It ends in ${String(days)} days, and I won’t remind anyone.`,
            ),
          ],
        ]),
  ],
  billLine: (name: string, amount: MicroUsdc, stage: 'open' | AnsweredStage): Paragraph =>
    line`${strong(name)}: ${usdc(amount)} · ${BILL_STAGES[stage]}`,
  payShare: (): string => 'Pay my part',
  cannotAsk: (name: string): Paragraph =>
    line`${strong(name)} can’t be asked by you, so nobody was. They can allow it with ${code('/request on')}, or by sending you something first.`,
  notYourRequest: (): Paragraph => line`Only the person who is asked can press that.`,
  neverAgain: (): Paragraph =>
    line`Done. They can’t ask you for money any more, and aren’t told. ${code('/request on @name')} allows it again.`,
  requestsChosen: (isAllowed: boolean): Paragraph =>
    isAllowed
      ? line`Others in your groups may ask you for money now. You decide each time.`
      : line`Nobody may ask you for money any more.`,
  requestsChosenFor: (name: string, isAllowed: boolean): Paragraph =>
    isAllowed
      ? line`${strong(name)} may ask you for money now. You decide each time.`
      : line`${strong(name)} can’t ask you for money any more, and isn’t told.`,
  explainRequests: (): Paragraph[] => [
    line`${code('/request @name 5 lunch')} asks somebody of this group for money. Only they can press Pay.`,
    line`People can be asked once they typed ${code('/request on')}, or have paid you before. ${code('/request off')} turns it off again.`,
  ],
  requestProblem: (problem: RequestProblem, { open, sent, got, people }: RequestLimits): Paragraph => {
    switch (problem) {
      case 'elsewhere':
        return line`Ask in the group where you both are: there everybody sees what is asked.`;
      case 'too_many_people':
        return line`Ask ${String(people)} people at most at a time.`;
      case 'exact_amount':
        return line`Say how much you ask for.`;
      case 'not_here':
        return line`I can ask only somebody who writes in this group.`;
      case 'self':
        return line`That is you.`;
      case 'bot':
        return line`That is a bot. It has no money.`;
      case 'closed':
        return line`This person can’t be asked by you. They can allow it with ${code('/request on')}, or by sending you something first.`;
      case 'plain_reason':
        return line`In a few words, please: without links, names or numbers.`;
      case 'too_many_open':
        return line`${String(open)} of your requests are still open. Wait until one is answered.`;
      case 'asked_often':
        return line`This person was asked ${String(got)} times today. Try it tomorrow.`;
      case 'asks_often':
        return line`You have asked ${String(sent)} times today. Try it tomorrow.`;
    }
  },
};
