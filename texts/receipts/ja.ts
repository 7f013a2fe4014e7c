import { code, line } from '../../core/view.ts';
import type { ReceiptTexts } from './en.ts';

const anotherDay = (what: string): string =>
  `${what}には上限があり、今日の分に達しました。空きのある日（UTC）になると、自動で続きます。`;

export const receiptJa: ReceiptTexts = {
  received: (recipient, sum) => line`${recipient} に ${sum} が届きました。`,
  collected: (recipient, sum) => line`${recipient} が ${sum} を受け取りました。`,
  onItsWay: (recipient, sum) => line`${sum} を ${recipient} に送っています。`,
  waits: (recipient, sum) => line`${sum} は ${recipient} の受け取り待ちです。`,
  hasToWait: (recipient, sum) => line`${recipient} への ${sum} は、まだ送れません。`,
  isChecked: (recipient, sum) => line`${recipient} への ${sum} は確認中です。`,
  cameBack: (recipient, sum) => line`${recipient} への ${sum} は、あなたに戻りました。`,
  paidTwice: (recipient, sum) =>
    line`${recipient} へのリンクは二度支払われました。余分の ${sum} は、ここのあなたのウォレットに入りました。ほかの人が送ったものなら、その人のお金です。`,

  passing: {
    payer_limit: () => anotherDay('一人が一日に送れる金額'),
    recipient_limit: (recipient) => anotherDay(`${recipient} が一日に受け取れる金額`),
    no_token_account: (recipient) =>
      `${recipient} のウォレットは、まだ USDC を受け取れません。そこに USDC 口座が開かれるか、こちらで開けるようになると、自動で続きます。`,
    account_quota: (recipient) =>
      `${recipient} のウォレットには新しい USDC 口座が必要ですが、一日に開ける数には限りがあります。空きのある日（UTC）に自動で続きます。長く待っているものと金額の大きいものが先です。`,
  },
  untilChecked: () => '送る前に、このサービスの運営者が確認します。それまでお金は安全に保管されます。',

  sendThemThis: () => line`次のメッセージを相手に送ってください。`,
  messageForThem: (sum, url) => line`${sum}（デジタルの米ドル）を送りました。受け取りはこちらから: ${url}`,
  sendReceipt: () => line`明細のリンクを相手に送ってください。そこから受け取れます。`,
  collectHere: (recipient) => line`${recipient} さん：ここで ${code('/claim')} と入力すると受け取れます。`,
  note: (text) => line`「${text}」`,

  somethingFrom: (giver) => line`${giver} さんからの送金があります …`,
  sentYou: (giver, sum) => line`${giver} さんが ${sum} を送りました。`,
  sentThem: (giver, recipient, sum) => line`${giver} さんが ${recipient} さんに ${sum} を送りました。`,
  community: () => 'コミュニティ',
  rewarded: (sum, author) => line`${author} さんの投稿への反応に対して、コミュニティから ${sum} の報酬が届きました。`,
  smallTips: (people, sum) => line`今日は ${String(people)} 人から ${sum} が届きました。`,
  notice: {
    keep_tip: () => '受け取る',
    decline_tip: () => '受け取らない',
    read_note: () => 'メモを読む',
    block_giver: () => 'この人からはもう受け取らない',
    quiet_small: () => '少額は 1 日 1 回',
    readAlways: () => 'この人のメモを今後も表示',
  },

  returned: {
    not_collected: (recipient) => `${recipient} は期限までに受け取りませんでした。`,
    taken_back: () => '受け取られる前に、あなたが取り消しました。',
    declined: (recipient) => `${recipient} は受け取りを断りました。`,
    wind_down: () => 'このサービスは終了するため、受け取られていないお金をお返しします。',
    not_paid_out: () => '支払いができなかったため、お返しします。',
    opted_out: (recipient) => `${recipient} はお金の受け取りを望んでいません。`,
    not_found: (recipient) => `${recipient} は存在しないので、受け取れる人がいませんでした。`,
    no_answer: (recipient) => `${recipient} が誰なのか、時間内に確認できませんでした。`,
    had_another_owner: (recipient) =>
      `${recipient} は以前ほかの人の名前だったので、誰に送りたかったのか確認できませんでした。`,
    newer_than_payment: (recipient) => `今 ${recipient} を使っている人は、お支払いの後にその名前を手に入れました。`,
  },

  openReceipt: () => '明細を開く',

  receiptNumber: (number) => `明細 ${number}`,
  collectEachHere: () => line`このチャットの参加者は、ここで ${code('/claim')} と入力すると受け取れます。`,
  sendEachReceipt: () => line`明細のリンクをそれぞれの相手に送ってください。そこから受け取れます。`,
};
