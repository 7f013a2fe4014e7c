import type { TelegramTexts } from './en.ts';

export const telegramJa: TelegramTexts = {
  answeredPrivately: () => '個別のチャットでお答えしました。',
  openPrivately: () => 'これはあなただけへの内容です。個別のチャットを開いて「開始」を押すと表示されます。',
  openChat: () => 'チャットを開く',
  tooFast: () => '一度にたくさん届いたため、最後のものは実行していません。1分ほど待ってから、もう一度お試しください。',
  tooLate: () => 'これを書かれたとき不在だったため、何もしていません。必要でしたら、もう一度送ってください。',
  anonymous: () =>
    'グループの名前で書き込んでいるので、どなたかわかりません。管理者の匿名設定をオフにして、もう一度お試しください。',

  commands: {
    tip: 'お金を送る: /tip @alice 1',
    pay: 'どのウォレットやアプリからでも送金：/pay x:alice 1',
    request: 'メンバーにお金をお願いする：/request @name 5 lunch',
    drop: '時間内に押した人に配る',
    top: 'ここで多くの人に感謝を送った人を見る',
    balance: '残高を見る',
    deposit: '入金する',
    withdraw: '自分のアドレスへ送る',
    wallet: '支払いに使うものを選ぶ',
    limits: 'チップで使える額',
    lock: '支払いをすべて止める',
    unlock: 'また支払えるようにする',
    history: '送ったチップを見る',
    claim: '届いているお金を受け取る',
    link: '自分の別の名前を確認する',
    block: 'だれかからの受け取りを止める',
    privacy: 'あなたについて知っていること',
    language: 'お話しする言語を選ぶ',
    help: '使い方',
    treasury: 'このグループのお金',
    reward: 'Farcaster の投稿に反応した人にリワードを送る',
    settings: 'このグループでの送金の設定',
  },
};
