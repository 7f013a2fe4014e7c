import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { tipsEn } from './en.ts';
import { TIP_MAX, TIP_MIN } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('ja');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const countPeople = (count: number): string => `${count} 人`;
const listed = (names: readonly string[], more: number): string =>
  more === 0 ? names.map(named).join('、') : `${names.map(named).join('、')}、ほか ${more} 人`;

const RESULTS: Record<WireStatus, string> = {
  queued: '送っています',
  pending_claim: '受け取り待ち',
  paid: '届きました',
  held: '保留中',
  refunded: '戻りました',
};

const fromWallet = (name: string | null): string => (name === null ? '' : `${named(name)} 名義の残高から `);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : `（ほかに手数料 ${people(fee)} USDC）`);

export const tipsJa: typeof tipsEn = {
  thinking: () => line`少々お待ちください…`,
  askingPrice: () => line`料金を確認しています…`,
  paying: ({ amount, fee, recipient, walletName }) =>
    line`${fromWallet(walletName)}${strong(named(recipient))} に ${usdc(amount)} を支払っています${withFee(fee)}…`,
  stillPaying: ({ amount, recipient }) =>
    line`${strong(named(recipient))} に ${usdc(amount)} をまだ支払っています。二重に引かれることはありません。`,
  payingLater: ({ amount, recipient }) => [
    line`${strong(named(recipient))} への ${usdc(amount)} の支払いに、いつもより時間がかかっています。`,
    line`閉じても大丈夫です。続けて試し、結果はここでお知らせします。二重に引かれることはありません。`,
  ],
  sent: ({ amount, fee, recipient, walletName }) =>
    line`${fromWallet(walletName)}${strong(named(recipient))} に ${usdc(amount)} を送りました${withFee(fee)}。`,
  tryAgain: () => 'もう一度試す',
  nothingToSend: (amount) =>
    amount === 0n
      ? line`まだ送れるお金がありません。入金のしかたは ${code('/deposit')} で見られます。`
      : line`残高は ${usdc(amount)} で、チップは最低 ${strong(`${TIP_MIN} USDC`)} です。入金のしかたは ${code('/deposit')} で見られます。`,
  tooMuchAtOnce: (amount) =>
    line`${usdc(amount)} になりますが、一度に送れるチップは ${strong(`${TIP_MAX} USDC`)} までです。`,
  buttonIsOver: () => line`このボタンはもう使えません。コマンドをもう一度入力すると、新しいボタンが出ます。`,
  somethingWrong: () => line`こちらで問題が起きました。お金は引かれていません。もう一度お試しください。`,

  selfTip: (name) => line`${strong(named(name))} はあなた自身です。ほかの人に送ってください。`,
  ownBotTip: () => line`それは私です。チップはいりませんので、ほかの人に送ってください。`,
  botTip: (name) => line`${strong(named(name))} はボットなので、お金を受け取れません。人に送ってください。`,
  nobodyByName: (name) =>
    line`このグループで ${strong(name)} という人を最近見ていないため、何も送っていません。その人のメッセージに ${code('/tip 1')} と返信するか、先にここで ${code('/help')} と書いてもらってください。`,
  namesInGroups: (name, platform) =>
    line`${strong(name)} がだれなのか ${platform} からはわからないため、何も送っていません。私もいる ${platform} のグループで、その人のメッセージに ${code('/tip 1')} と返信してください。`,

  people: countPeople,

  askSeveral: ({ count, amount, fee, note, walletName }) => {
    const kept = walletName === null ? '' : `${named(walletName)} 名義の残高から、`;
    const question = line`${kept}${strong(countPeople(count))}に合計 ${usdc(amount)} を送りますか？`;
    const total = line`手数料 ${people(fee)} USDC を含めて ${usdc(sumUsdc([amount, fee]))} です。`;
    return [question, ...(fee === 0n ? [] : [total]), ...(note === null ? [] : [line`ひとこと：${strong(note)}`])];
  },
  part: ({ amount, names, more }) =>
    names.length + more === 1
      ? line`${strong(named(names[0] ?? ''))}: ${people(amount)} USDC`
      : line`一人 ${people(amount)} USDC: ${listed(names, more)}`,
  unevenSplit: (extra) => [muted(`割り切れないので、はじめの人たちは ${people(extra)} USDC 多くなります。`)],
  namedTwice: (names, more) => [muted(`何度か書かれていた名前は一度だけ数えました：${listed(names, more)}`)],
  askedFor: (minutes) => [muted(`${minutes} 分以内に確定してください。それまでは何も送られません。`)],
  confirmSeveral: (total) => `${people(total)} USDC を送る`,
  cancel: () => 'やめる',

  cancelled: () => line`取りやめました。お金は引かれていません。`,
  cardExpired: (minutes) =>
    line`${String(minutes)} 分以内に確定されなかったので、何も送りませんでした。まだ送りたいときは、もう一度入力してください。`,
  askAtRate: ({ typed, amount, rate, source }) =>
    line`${people(typed.amount)} ${typed.currency} は今 ${strong(`${people(amount)} USDC`)} です（1 ${typed.currency} = ${people(rate)} USDC${source === null ? '' : `、${source}`}）。これを送りますか？`,
  payAtRate: () => 'このレートで送る',
  rateHolds: (seconds) => [muted(`押すまでは何も送られません。このレートは ${seconds} 秒間有効です。`)],
  rateIsOver: () => line`このレートはもう無効なので、何も送りませんでした。もう一度書くと新しいレートになります。`,
  allEach: () => line`その金額を送れるのは一人だけです。みんなで分けますか？`,
  oneWasRefused: () => line`そのため、誰にも支払っていません。その名前を除くと、こうなります。`,

  lineResults: ({ status, names, more }) => line`${RESULTS[status]}: ${strong(listed(names, more))}`,
  moreReceipts: (count) => [muted(`残りの明細 ${count} 件は、履歴で見られます。`)],

  undoWaiting: () => '受け取り待ちを取り消す',
  undoneFor: ({ amount, names, more }) =>
    line`取り消しました：${strong(listed(names, more))} への ${usdc(amount)}。あなたのウォレットに戻る途中です。`,
  undoTooLateFor: (names, more) =>
    line`${strong(listed(names, more))} にはもう届いたか、受け取りが始まっているので、取り消せません。`,

  notYourButton: () => line`このボタンを押せるのは、頼んだ本人だけです。あなたもチップを送れます。`,

  tipped: ({ recipient, total, tips, people }) => {
    const from = `${String(people)} 人`;
    const many = tips > people ? `${from}（${String(tips)} 回）` : from;
    return line`この投稿で、${many}から ${strong(named(recipient))} に ${strong(`${formatUsdcForPeople(total)} USDC`)} のチップが贈られました。`;
  },
  rushTitle: ({ tips, people: count, sum }) =>
    line`${countPeople(count)}から ${String(tips)} 件のチップ、合計 ${usdc(sum)}：`,
  rushLine: (giver, recipient, amount) => line`${giver} → ${named(recipient)} · ${people(amount)} USDC`,
  rushMore: (count) => [muted(`ほか ${count} 件`)],
  rushCall: (names, more) =>
    line`${strong(listed(names, more))} さん：ここで届いたものがあります。${code('/claim')} と入力すると受け取れます。`,
  takenBackAll: () => line`この投稿へのチップは取り消されました。`,
  openReceipt: () => '明細を開く',
};
