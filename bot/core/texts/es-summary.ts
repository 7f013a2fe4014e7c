import { formatUsdcForPeople } from '../../../core/money.ts';
import { line, strong } from '../../../core/view.ts';
import type { summaryEn } from './en-summary.ts';

export const summaryEs: typeof summaryEn = {
  tipped: ({ recipient, total, tips, people }) => {
    const from = people === 1 ? '1 persona' : `${String(people)} personas`;
    const many = tips > people ? `${from}, en ${String(tips)} propinas` : from;
    return line`${strong(recipient)} recibió ${strong(`${formatUsdcForPeople(total)} USDC`)} por esto, de ${many}.`;
  },
  takenBackAll: () => line`Lo que se dio por esto se ha anulado.`,
  openReceipt: () => 'Abrir el recibo',
};
