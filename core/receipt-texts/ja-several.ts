import type { WireStatus } from '../states.ts';
import { line, muted, strong } from '../view.ts';
import type { severalReceiptEn } from './en-several.ts';

const STATES: Readonly<Record<WireStatus, string>> = {
  queued: '送っています',
  pending_claim: '受け取り待ち',
  paid: '届きました',
  held: '保留中',
  refunded: 'あなたに戻りました',
};

export const severalReceiptJa: typeof severalReceiptEn = {
  forSeveral: (total, count) => line`${strong(`${count} 人`)}への ${total} です。`,
  stateOfSeveral: (status, { names, more }) =>
    line`${STATES[status]}: ${strong(names.join('、'))}${more === 0 ? '' : `、ほか ${more} 人`}`,
  sendEachReceipt: () => line`明細のリンクをそれぞれの相手に送ってください。そこから受け取れます。`,
  sendEachReceiptUntil: (day) =>
    line`明細のリンクをそれぞれの相手に送ってください。${day} まで、そこから受け取れます。過ぎると、お金はあなたに戻ります。`,
  otherReceipts: (count) => [muted(`残りの明細 ${count} 件は、支払った人が /history で見られます。`)],
};
