import { HOLDER_WAIT_HOURS, SMALL_TIP } from '../rules/rules.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { accountEn } from './en.ts';
import { claimPagesJa } from '../claim-pages/ja.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('ja');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const days = new Intl.DateTimeFormat('ja-JP', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const STATES: Record<WireStatus, string> = {
  queued: '送っています',
  pending_claim: '受け取り待ち',
  paid: '届きました',
  held: '保留中',
  refunded: '戻りました',
};

export const accountJa: typeof accountEn = {
  historyTitle: () => line`最近送ったチップです。`,
  historyLine: ({ number, sentAt, amount, recipient, status }) =>
    line`${String(number)}. ${strong(named(recipient))} へ ${usdc(amount)}、${STATES[status]}（${days.format(sentAt)}）`,
  historyReceipt: (number, recipient) => `${String(number)}. ${named(recipient)}`,
  historyCsv: () => 'すべてを CSV で受け取る',
  noHistory: () => line`まだチップを送っていません。`,

  askLanguage: () => line`どの言語でお話ししましょうか？`,
  asMyApp: () => 'アプリの設定に合わせる',
  speaksNow: (language) => line`これからは ${strong(language)} でお話しします。`,
  speaksAsApp: () => line`これからは、アプリの言語に合わせてお話しします（対応している場合）。`,
  noSuchLanguage: () => line`その言語は話せません。次の中から選んでください。`,

  waitsForYou: (total) =>
    line`${usdc(total)} があなたの受け取りを待っています。ここに保管すればすぐにチップに使え、${code('/withdraw')} でアドレスへ送ることもできます。`,
  nothingWaits: () =>
    line`このアカウントあてに届いているものはありません。別の名前あてのチップだと聞いたときは、その名前で受け取ってください。`,
  receiveHere: () => 'チップを自動でここに入れる',
  keepHere: (total) => `${people(total)} USDC をここに保管する`,
  kept: () => line`完了しました。1分以内に、ここのウォレットに入ります。これからのチップは自動で入ります。`,
  keptNoRoom: () =>
    line`完了しました。今はこれ以上お預かりできないため、一部が待っています。人に送るか出金すると自動で届きます。このままの場合、送り主へ戻ります。`,
  collectElsewhere: () =>
    line`ページを開き、その名前の持ち主であることを確認して、お金の行き先を選んでください。1分ほどで終わります。`,
  collectWhich: () => line`どの名前あてにチップをもらいましたか？お金はその名前で受け取ります。`,
  collectAs: (name) => `${named(name)} として受け取る`,
  claimRefused: () => line`今は受け取れません。${code('/claim')} と入力すると、もう一度確認できます。`,
  claimUnreachable: () =>
    line`今、サービスにつながりません。お金は失われていませんので、1分後にもう一度お試しください。`,

  linkWhich: () => line`どの名前あてのお金を、ここのウォレットに入れますか？このように書いてください。`,
  linkKeep: (name) =>
    line`ページを開き、${strong(named(name))} の持ち主であることを確認して、${strong(claimPagesJa.keep)} を選んでください。その名前に届いたお金を、このチャットからチップに使えるようになります。`,
  linkChat: () =>
    line`お金のページにログインしているブラウザで開いてください。そこでこのチャットと連携すると、お互いのお金を見ることができ、パスキーで保護されていなければ ${HOLDER_WAIT_HOURS} 時間後には送れるようになります。`,
  openPage: () => 'ページを開く',

  smallAreQuiet: () => line`${SMALL_TIP} USDC 未満のチップ：1 件ごとではなく、1 日 1 回まとめてお知らせします。`,
  smallAreHeard: () => line`${SMALL_TIP} USDC 未満のチップ：1 件ごとにお知らせします。`,
  quietSmall: () => '1 日 1 回にまとめる',
  ringSmall: () => '1 件ごとに知らせる',
  declinedTip: () => line`完了しました。お金は送った人に戻ります。`,
  noteFrom: (giver, amount) => line`${giver} さんが ${usdc(amount)} に添えたメモ：`,
  readsNotes: () => line`完了しました。この人が書いたことは、次のチップからすぐに表示されます。`,

  blockWhom: () => line`最近あなたに送ってきた人です。ブロックしても相手には知らされません：`,
  giver: (number, name, isBlocked) => line`${String(number)}. ${strong(name)}${isBlocked ? '（ブロック中）' : ''}`,
  blockGiver: (number) => `${number} をブロック`,
  allowGiver: (number) => `${number} のブロックを解除`,
  nobodyGave: () => line`まだだれからも届いていません。`,
  blockedGiver: () =>
    line`完了しました。ここで証明したどの名前あてでも、この人からはもう届きません。受け取り待ちのお金は戻ります。`,
  allowedGiver: () => line`完了しました。この人からまた受け取れます。`,

  privacy: () => [
    line`私が知っているのは、あなたがここから送ったチップとそのひとこと、それに言語とウォレットの設定です。`,
    line`すべてをファイルで受け取ることも、完了したチップの記録を消すこともできます。消すと、そのチップのその後はお知らせできません。`,
    [muted('ウォレット、出金、明細、支払いの帳簿は残ります。誰のお金かを示すものだからです。')],
  ],
  exportJson: () => 'ファイルで受け取る',
  eraseNow: () => 'チップの記録を今すぐ消す',
  erased: (count) => line`チップの記録を ${String(count)} 件消しました。お金とその帳簿はそのままです。`,
  optOut: () => '自分へのチップをすべて断る',
  optedOut: () =>
    line`設定しました。受け取りを待っていたお金は送った人に戻り、このアカウントには誰もチップを送れません。${code('/claim')} で元に戻せます。`,
  linkLasts: (minutes) => [muted(`このリンクはあなた専用で、${String(minutes)} 分間使えます。`)],
};
