import { formatUsdcForPeople } from '../../../core/money.ts';
import { line, strong } from '../../../core/view.ts';
import type { summaryEn } from './en-summary.ts';

export const summaryPt: typeof summaryEn = {
  tipped: ({ recipient, total, tips, people }) => {
    const from = people === 1 ? '1 pessoa' : `${String(people)} pessoas`;
    const many = tips > people ? `${from}, em ${String(tips)} gorjetas` : from;
    return line`${strong(recipient)} recebeu ${strong(`${formatUsdcForPeople(total)} USDC`)} por isto, de ${many}.`;
  },
  takenBackAll: () => line`O que foi dado por isto foi desfeito.`,
  openReceipt: () => 'Abrir o recibo',
};
