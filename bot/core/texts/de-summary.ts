import { formatUsdcForPeople } from '../../../core/money.ts';
import { line, strong } from '../../../core/view.ts';
import type { summaryEn } from './en-summary.ts';

export const summaryDe: typeof summaryEn = {
  tipped: ({ recipient, total, tips, people }) => {
    const from = people === 1 ? '1 Person' : `${String(people)} Personen`;
    const many = tips > people ? `${from}, in ${String(tips)} Trinkgeldern` : from;
    return line`${strong(recipient)} hat dafür ${strong(`${formatUsdcForPeople(total)} USDC`)} bekommen, von ${many}.`;
  },
  takenBackAll: () => line`Was dafür gegeben wurde, ist zurückgenommen.`,
  openReceipt: () => 'Beleg öffnen',
};
