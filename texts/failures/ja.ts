import { formatUsdcForPeople } from '../../core/money.ts';
import { code, line, strong, type Paragraph } from '../../core/view.ts';
import type { failuresEn } from './en.ts';
import { UNSETTLED_TIPS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('ja');

const NOTHING_CHARGED = 'お金は引かれていません。';

const tooLate = (recipient: string): Paragraph =>
  line`${strong(named(recipient))} へのチップが時間内に通らなかったので、取りやめました。${NOTHING_CHARGED}まだ送りたいときは、もう一度入力してください。`;
const notPayable = (recipient: string): Paragraph =>
  line`${strong(named(recipient))} のような名前には、まだここから送れません。${NOTHING_CHARGED}`;

const TEXTS: Record<string, (recipient: string) => Paragraph> = {
  receiver_not_found: (recipient) =>
    line`${strong(named(recipient))} が見つかりませんでした。つづりを確かめて、もう一度お試しください。${NOTHING_CHARGED}`,
  receiver_opted_out: (recipient) =>
    line`${strong(named(recipient))} はチップを受け取らない設定です。${NOTHING_CHARGED}`,
  declined: (recipient) =>
    line`このサービスでは ${strong(named(recipient))} にチップを送れません。${NOTHING_CHARGED}詳しくはサポートにお問い合わせください。`,
  invalid_receiver: (recipient) =>
    line`${strong(named(recipient))} は、そのサービスでは使えない形の名前です。${NOTHING_CHARGED}`,
  platform_unavailable: notPayable,
  not_found: notPayable,
  service_paused: () => line`送金は今、少しの間止まっています。${NOTHING_CHARGED}数分後にもう一度お試しください。`,
  service_closing: () =>
    line`このサービスは終了するため、送金はもうできません。${NOTHING_CHARGED}ここに保管しているお金は ${code('/withdraw')} で出金できます。`,
  rate_limited: () => line`少し速すぎました。${NOTHING_CHARGED}1分後にもう一度お試しください。`,
  fee_required: () =>
    line`今日は無料で運べる分を超えたので、このチップにはネットワークの小さな手数料がかかります。${NOTHING_CHARGED}手数料込みで送るには、もう一度入力してください。`,
  unreachable: () => line`今、支払いの窓口につながりません。${NOTHING_CHARGED}1分後にもう一度お試しください。`,
  too_many_unsettled_payments: () =>
    line`あなたのチップが ${UNSETTLED_TIPS} 件、まだ届く途中です。${NOTHING_CHARGED}どれかが届くまでお待ちください。`,
  took_too_long: tooLate,
  payment_expired: tooLate,
  link_expired: (recipient) =>
    line`期限までにリンクで ${strong(named(recipient))} に支払った人がいなかったので、リンクは終わりました。${NOTHING_CHARGED}まだ送りたいときは、もう一度入力してください。`,
  network_off: () =>
    line`支払いに使うつもりだったネットワークは、ここでは使えなくなりました。${NOTHING_CHARGED}残高は ${code('/balance')} で見られます。`,
  price_not_agreed: () => line`請求された金額が知っているものと違ったので、支払いませんでした。${NOTHING_CHARGED}`,
  unreadable_price: () => line`支払いの窓口から、読み取れない返事が来ました。${NOTHING_CHARGED}`,
  not_signed: () => line`こちらで問題が起きたので、支払いませんでした。${NOTHING_CHARGED}`,
};

// A map, because reasons come from outside: "constructor" is no reason.
const FAILURES = new Map(Object.entries(TEXTS));

export const failuresJa: typeof failuresEn = {
  failure: (reason, recipient) =>
    FAILURES.get(reason)?.(recipient) ??
    // For words that we do not know it cannot be promised that nothing moved; the balance says.
    line`${strong(named(recipient))} へのチップは断られました（${code(reason)}）。残高は ${code('/balance')} で見られます。`,

  missing: (needed, balance, missing) =>
    line`必要なのは ${strong(`${formatUsdcForPeople(needed)} USDC`)}、今あるのは ${formatUsdcForPeople(balance)} なので、${strong(`${formatUsdcForPeople(missing)} USDC`)} 足りません。${NOTHING_CHARGED}`,
  wasMissing: () => line`支払おうとしたとき、残高が足りませんでした。${NOTHING_CHARGED}`,
  howToAdd: () => line`入金のしかたは ${code('/deposit')} で見られます。`,
};
