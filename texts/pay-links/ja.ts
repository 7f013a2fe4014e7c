import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { line, strong } from '../../core/view.ts';
import type { payLinkEn, payPageEn } from './en.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('ja');

const people = (amount: MicroUsdc): string => formatUsdcForPeople(amount);

export const payLinkJa: typeof payLinkEn = {
  payByLink: (total) => `${people(total)} USDC を支払う`,
  linkOffer: ({ total, recipient, minutes, isAsked }) =>
    line`${isAsked ? '' : 'または、'}どのウォレットやアプリからでも ${strong(named(recipient))} に ${strong(`${people(total)} USDC`)} を支払えます。下のボタンは ${String(minutes)} 分間、1 回だけ使えます。開いた人は誰でもあなたの代わりに支払えます。`,
  addAndSend: () => 'お試し用のお金をもらって送る',
  sendNow: () => '今すぐ送る',
  linkInUse: () =>
    line`リンクでの支払いが始まっているため、重ねて支払うことはしません。支払われなかったときは、もう一度チップを入力してください。`,
  goesOnThere: () => line`送金中です。結果はチップを入力したところに表示されます。`,
  noLink: () => line`ここでは支払いリンクは使えません。`,
};

export const payPageJa: typeof payPageEn = {
  title: (total) => `${people(total)} USDC を支払う`,
  titlePaid: (total) => `支払い済み: ${people(total)} USDC`,
  titleClosed: (total) => `受付終了：${people(total)} USDC`,
  forWhom: (recipient) => `${recipient} へ`,
  gets: (recipient, amount) => `${recipient} が受け取る額: ${people(amount)} USDC`,
  more: (count) => `ほか ${count} 人`,
  details: '受け取る人の一覧',
  fee: (fee) => `別に手数料 ${people(fee)} USDC`,
  ourAddress: (recipient) =>
    `ウォレットには私たちのアドレスが表示されますが、お金は ${recipient} のものです。私たちが届け、あなたには控えが出ます。`,
  reward: (author) => `${author} の投稿へのリワード`,
  rewardAddress: (recipient) =>
    `ウォレットには私たちのアドレスが表示されますが、お金は ${recipient} のものです。私たちが届け、リワードのページに表示されます。`,
  until: '支払える期限',
  timeLeft: '残り',

  withWallet: '自分のウォレットで支払う',
  walletIntro: '何に署名するかはウォレットに表示されます。ネットワーク手数料はかかりません。',
  noWallet:
    'このブラウザにはウォレットがありません。ウォレットのアプリでこのページを開くか、好きなアプリから支払ってください。',
  onlyWallet:
    'このブラウザにはウォレットがありません。ウォレットのアプリ、またはウォレットのあるブラウザでこのページを開いてください。',
  newcomer: 'USDC をまだお持ちでない方へ',
  newcomerNote: (places) =>
    `USDC はデジタルのドルで、取り扱いのあるウォレットのアプリや取引所で購入します。こちらでは販売していません。このページで支払うには、${places} で USDC を送れるものが必要です。`,
  payWith: (wallet) => `${wallet} で支払う`,
  walletAsks: 'ウォレットの画面を確認してください。',
  walletRefused: 'ウォレットが署名しなかったので、何も支払われていません。',
  otherChain: 'ウォレットを正しいネットワークに切り替えられなかったので、何も支払われていません。',
  openIn: (wallet) => `${wallet} で開く`,

  inApp: '別のアプリの中のブラウザで開いています。ここからはウォレットを使えません。',
  openBrowser: 'ふだんのブラウザで開く',
  copyLink: 'または、このアドレスをブラウザにコピーしてください:',

  playWallet: 'お試し用ウォレットで支払う',
  playIntro:
    'お試し用のお金が入った、このページのためのウォレットです。あなた自身のウォレットを求めることはありません。',
  payPlay: 'お試し用ウォレットで支払う',

  anyApp: 'どのアプリからでも支払う',
  anyAppIntro: '取引所や別の端末のウォレットから、ちょうどこの額の USDC をこのアドレスに送ってください。',
  showAddress: 'アドレスと額を表示',
  on: (place) => `${place} で`,
  amount: 'ちょうどこの額 (USDC)',
  address: 'アドレス',
  copy: 'コピー',
  copied: 'コピーしました',
  qrCode: (place) => `${place} のアドレスの QR コード`,
  qrPayment: (place) => `${place} のアドレスと額の QR コード`,
  exactly:
    '最後の桁までこの額を送ってください。それで何の支払いか分かります。少しだけ多くなっていますが、その分も相手に届きます。取引所が手数料を差し引く場合は、その分を足してください。ちょうどこの額が届く必要があります。',
  onlyUsdc:
    'USDC のみ、アドレスの上に書かれたネットワークのみ、1回だけです。ウォレットでも重ねて支払わないでください。お金が戻る場合は、このリンクを求めた人のウォレットに入ります。',
  arrives: '届いたら、このページとチャットでお知らせします。',

  notConfirmed: 'まだ確認されていません',
  notConfirmedNote: '先に、コミュニティのモデレーターがチャットで確認する必要があります。',
  paying: '支払いを処理しています',
  payingNote: 'もう一度支払わないでください。このページは閉じてもかまいません。処理は続きます。',
  beingPaid: '支払いの処理中です',
  beingPaidNote: 'もう一度支払う必要はありません。このページは閉じてもかまいません。処理は続きます。',
  rewardOver: 'このリワードは終了しました',
  rewardOverNote: 'もう支払うことはできません。結果はチャットでご確認ください。',
  rewardOverInstead: 'それでも贈りたい場合は、チャットで新しいリワードを頼んでください。',
  paid: '支払いました',
  paidNote: (recipient) => `お金の状況は控えで確認できます。そのリンクを ${recipient} に送ってください。`,
  receipt: '控えを開く',
  receiptOf: (recipient) => `${recipient} の控え`,
  expired: 'このリンクの期限が切れました',
  expiredNote: 'もう支払わないでください。期限内に送られた分は届き、チャットでお知らせします。',
  expiredInstead: 'まだ支払いたい場合は、このリンクを受け取ったところで新しいリンクを頼んでください。',
  refresh: 'このあとの様子は、ページを再読み込みして確認してください。',

  refused: {
    insufficient_funds: 'そのウォレットには、このネットワークの USDC が足りません。何も引かれていません。',
    order_in_progress: 'すでに誰かが支払っています。それ以上は引かれていません。',
    not_confirmed: '確認がまだ足りません。何も引かれていません。',
    changed_payment:
      '戻ってきた内容が用意したものと違うか、時間がかかりすぎました。何も引かれていません。もう一度お試しください。',
    wallet_added:
      'ウォレットが支払いに独自の内容を追加しました。内容のわからないものは通せません。何も引かれていません。ウォレットでその追加機能をオフにするか、別のウォレットを使うか、ほかのアプリから支払ってください。',
    payer_not_allowed: 'そのアドレスからは支払えません。別のウォレットをお使いください。',
    link_over: 'このリンクの期限が切れました。何も引かれていません。',
    service_closing: 'このサービスは終了するため、送金はもうできません。何も引かれていません。',
    too_many_links:
      '同じ人のリンクがたくさん開かれたまま支払われていません。何も引かれていません。先にそのどれかを支払ってください。',
    rate_limited: '少し早すぎました。1 分後にもう一度お試しください。',
    other:
      'うまくいきませんでした。ウォレットに支払いが表示されていなければ、もう一度試すか、別の方法で支払ってください。',
  },
};
