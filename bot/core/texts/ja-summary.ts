import { formatUsdcForPeople } from '../../../core/money.ts';
import { line, strong } from '../../../core/view.ts';
import type { summaryEn } from './en-summary.ts';

export const summaryJa: typeof summaryEn = {
  tipped: ({ recipient, total, tips, people }) => {
    const from = `${String(people)} 人`;
    const many = tips > people ? `${from}（${String(tips)} 回）` : from;
    return line`この投稿で、${many}から ${strong(recipient)} に ${strong(`${formatUsdcForPeople(total)} USDC`)} のチップが贈られました。`;
  },
  takenBackAll: () => line`この投稿へのチップは取り消されました。`,
  openReceipt: () => '明細を開く',
};
