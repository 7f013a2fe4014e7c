import { formatUsdcForPeople, type MicroUsdc } from '../../../core/money.ts';
import { line, strong, type Paragraph } from '../../../core/view.ts';

/** What a message has brought its author so far. */
export type SummaryFacts = { recipient: string; total: MicroUsdc; tips: number; people: number };

/** The one answer under a message that people tip. */
export const summaryEn = {
  tipped: ({ recipient, total, tips, people }: SummaryFacts): Paragraph => {
    const from = people === 1 ? '1 person' : `${String(people)} people`;
    const many = tips > people ? `${from}, in ${String(tips)} tips` : from;
    return line`${strong(recipient)} got ${strong(`${formatUsdcForPeople(total)} USDC`)} for this, from ${many}.`;
  },
  takenBackAll: (): Paragraph => line`What people gave for this was taken back.`,
  openReceipt: (): string => 'Open the receipt',
};
