import { formatUsdcForPeople } from '../../core/money.ts';
import type { walletPageEn } from './en.ts';
import { whyFailedJa } from '../withdrawals/ja.ts';
import { PROOF_FRESH_MINUTES } from '../rules/rules.ts';

const people = formatUsdcForPeople;

export const walletPageJa: typeof walletPageEn = {
  balance: (amount, place) => `${place}: ${people(amount)} USDC`,
  balanceUnknown: (place) => `${place}: 今は確認できません。1分後にこのページを読み込み直してください。`,

  openChat: 'チャットを開く',

  depositTitle: '入金する',
  depositIntro:
    '送金に使うアプリで、いずれかのコードを読み取ってください。送るのは USDC だけにし、アドレスごとに決まったネットワークを使ってください。それ以外は失われるおそれがあります。',
  depositAt: (place) => `${place} の USDC`,
  qrCode: (place) => `${place} のあなたのアドレスの QR コード`,

  network: 'ネットワーク',
  address: 'アドレス',
  addressHint: 'USDC を受け取れる、ウォレットや取引所のアドレス。',
  amount: '金額（USDC）',
  amountHint: '2.50 のような数字。',
  next: '送る前に確認する',
  receiveIntro:
    'ここへは USDC だけを、アドレスごとに決まったネットワークで送ってください。それ以外は失われるおそれがあります。',
  receivePlay: 'ここに届くのはお試し用のお金です。本物のお金は絶対に送らないでください。誰にも取り戻せません。',
  history: '最近の出金',
  othersIntro:
    'ほかのログインも、すべてこの名前の持ち主だと確認されています。心当たりのないものがあれば、ほかのログインをすべて取り消してください。ご自身のログインなら、名前をもう一度確認すれば使えます。',
  onlyHere: '今後はこのブラウザだけにする',
  proveFirst: `安全のため、過去 ${PROOF_FRESH_MINUTES} 分以内にログインしている必要があります。このブラウザでその名前でもう一度ログインし、このページに戻ってください。`,
  proveAgain: '名前をもう一度確認する',

  reviewTitle: '送る前の確認',
  reviewHeading: (amount) => `$${people(amount)} を出金しますか？`,
  reviewAmount: '金額',
  reviewCost: '手数料',
  reviewNoCost: 'なし（こちらで負担します）',
  reviewFrom: '送り元',
  reviewTo: '送り先のアドレス',
  reviewNetwork: 'ネットワーク',
  reviewWarning: 'アドレスをもう一度見比べてください。間違ったアドレスに送ったお金は取り戻せません。',
  confirm: (amount) => `$${people(amount)} を出金する`,

  progressTitle: '出金',
  toAddress: '送り先',
  states: {
    waiting: '準備しています',
    later: '後で送ります',
    sending: '送っています',
    paid: '届きました',
    failed: '送れませんでした',
  },
  waitingNote: '数分かかることがあります。このページを閉じても自動で進み、二重に送られることはありません。',
  failedNote: (failure) => `${whyFailedJa(failure)}お金は元の場所にあります。`,
  transaction: '取引',
  seeTransaction: '取引を見る',
  refreshNote: (seconds) => `このページは ${seconds} 秒ごとに自動で読み込み直されます。`,

  problemTitle: 'うまくいきませんでした',
  formOver: 'このページはすでに使われたか、あなたのものではありません。お金のページからやり直してください。',
  notFound: 'そのページはありません。',
  foreign: 'このサービスのページから送信されたものではないため、何も行っていません。',
  tooFast: '操作が少し早すぎました。1分お待ちください。',
  somethingWrong: 'こちらで問題が起きました。お金のページを読み込み直すと、何が送られたか確認できます。',
};
