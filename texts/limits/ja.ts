import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { LimitName } from '../../core/wallets/spending-limits.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { limitsEn } from './en.ts';
import { SPENDING_WAIT_HOURS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

const named = namesIn('ja');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('ja');

const LIMITS: Record<LimitName, (value: MicroUsdc) => Paragraph> = {
  tip: (value) => line`一人に送れる上限：${usdc(value)}`,
  ask: (value) => (value === 0n ? line`送る前の確認：${strong('いつも')}` : line`確認なしで送れる上限：${usdc(value)}`),
  day: (value) => line`一日の上限：${usdc(value)}`,
};

export const limitsJa: typeof limitsEn = {
  limitsTitle: (walletName) =>
    walletName === null
      ? line`ここのウォレットからチップに使える額：`
      : line`${strong(named(walletName))} として預けた分からチップに使える額：`,
  limit: ({ name, value, raise }) => [
    ...LIMITS[name](value),
    ...(raise === null ? [] : line` · ${time(raise.at)} から ${usdc(raise.to)}`),
  ],
  spentToday: (spent) => line`今日使った額：${usdc(spent)}。一日は UTC の午前0時に始まります。`,
  limitsHint: () => [
    muted(`下げるとすぐに、上げると${SPENDING_WAIT_HOURS}時間後に変わります。出金がこれで制限されることはありません。`),
  ],
  limitLowered: () => line`変更しました。今からこうなります。`,
  limitWillRise: () =>
    line`承りました。知らないうちに他人に変えられないよう、${SPENDING_WAIT_HOURS}時間後に変わります。それまでは取り消せます。`,
  limitTooLarge: (largest) => line`ここは ${usdc(largest)} までです。`,
  limitTooSmall: (smallest) =>
    line`${usdc(smallest)} 以上にしてください。${code('/lock')} で支払いをすべて止められます。`,
  limitsUnreadable: (found) => line`${code(found)} は上限として読めません。こう書いてください。`,
  limitsInDirectChat: () =>
    line`上限は二人だけのところで変えられます。私に直接メッセージをください。今はこうなっています。`,
  cancelRaises: () => '上限を今のままにする',
  raisesCancelled: () => line`取り消しました。上限は上がりません。今はこうなっています。`,
  noRaises: () => line`上がる予定の上限はありません。今はこうなっています。`,

  spendingProblem: (problem) => {
    switch (problem.code) {
      case 'wallet_locked':
        return problem.until === null
          ? line`支払いはロックされているので、何も送っていません。${code('/unlock')} すると${SPENDING_WAIT_HOURS}時間後に使えます。`
          : line`支払いは ${time(problem.until)} までロックされているので、何も送っていません。`;
      case 'passkey_needed':
        return line`このお金を送るにはパスキーが必要なため、何も送っていません。お金のページから送れます。`;
      case 'over_tip_limit':
        return line`このウォレットから一人に送れるのは ${usdc(problem.limit)} までなので、何も送っていません。`;
      case 'over_day_limit':
        return line`一日の上限 ${usdc(problem.limit)} を超えるので、何も送っていません。UTC の午前0時までの残りは ${usdc(problem.left)} です。`;
    }
  },
  spendingWasOver: () =>
    line`送ろうとしたとき上限を超えていたので、何も送っていません。今なら送れます。もう一度書いてください。`,

  askOne: ({ recipient, amount, fee, note, walletName }) => {
    const kept = walletName === null ? '' : `（${named(walletName)} として預けた分から）`;
    return [
      line`${strong(named(recipient))} に ${usdc(amount)} を送りますか${kept}？`,
      ...(fee === 0n ? [] : [line`ほかに手数料が ${people(fee)} USDC かかります。`]),
      ...(note === null ? [] : [line`ひとこと：${strong(note)}`]),
    ];
  },
  neverTipped: () => line`この名前にここから送るのは初めてです。本当にその人ですか？送る前に確かめてください。`,
  openProfile: (name) => `${named(name)} を見る`,

  holdsMuch: (most) =>
    line`チャットに置くには多めです。ここには ${usdc(most)} までにしましょう。残りは ${code('/withdraw')} で自分のアドレスに送れます。`,

  locked: () =>
    line`ロックしました。どのチャットでも、あなたのウォレットからは支払われません。${code('/withdraw')} は使えます。`,
  unlocksAt: (at) =>
    line`${time(at)} からまた使えます。心当たりがなければ ${code('/lock')} でロックしたままにできます。`,
  notLocked: () => line`ロックされているものはありません。`,
  isLocked: (until) =>
    until === null ? line`支払いはロックされています。` : line`支払いは ${time(until)} までロックされています。`,

  undo: () => '取り消す',
  undone: (amount, recipient) =>
    line`取り消しました：${strong(named(recipient))} への ${usdc(amount)}。ウォレットに戻る途中です。`,
  undoTooLate: (recipient) =>
    line`間に合いませんでした。${strong(named(recipient))} がすでに受け取ったか、受け取り始めています。`,
  undoLater: () => line`今は取り消せませんでした。お金は失われません。1分後にもう一度押してください。`,
};
