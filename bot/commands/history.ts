import { microUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import { sentTips } from '../../db/tips/history.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { newFileLink } from '../conversation/files.ts';
import type { Origin } from '../shared/messenger.ts';
import { EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import { mineLines } from '../wallets/mine.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

/** How many tips `/history` shows; all of them are in the file. */
export const HISTORY_SHOWN_MAX = 10;

/** The last tips, what became of them, and all of them as a file. */
export async function historyView(deps: CoreDeps, origin: Origin): Promise<View> {
  const { texts, store } = deps;
  const { userId } = origin;
  const { lines: mine, sums } = await mineLines(deps, origin);
  const collect = sums.waiting > 0n ? [tryCommand('/claim')] : [];
  const tips = await sentTips(store, userId, HISTORY_SHOWN_MAX);
  if (tips.length === 0) return privateView('ok', [...mine, texts.noHistory()], [...collect, tryCommand(EXAMPLE_TIP)]);
  const lines = tips.map(({ sentAtMs, amountMicroUsdc, recipient, status }, index) =>
    texts.historyLine({
      number: index + 1,
      sentAt: new Date(sentAtMs),
      amount: microUsdc(amountMicroUsdc),
      recipient,
      status,
    }),
  );
  const receipts = tips.map(({ recipient, receipt }, index) => ({
    kind: 'link' as const,
    label: texts.historyReceipt(index + 1, recipient),
    url: receipt,
  }));
  const csv = await newFileLink(deps, userId, { kind: 'history_csv', label: texts.historyCsv() });
  return privateView('ok', [...mine, texts.historyTitle(), ...lines], [...collect, ...receipts, csv]);
}
