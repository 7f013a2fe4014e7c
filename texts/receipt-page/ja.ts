import type { ReceiptPageTexts } from './en.ts';
import type { GoesBackIf } from '../going-back/en.ts';
import { goingBackJa } from '../going-back/ja.ts';

const shortDays = new Intl.DateTimeFormat('ja-JP', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const minutes = new Intl.DateTimeFormat('ja-JP', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const goesBack = (condition: GoesBackIf, on: string | null): string =>
  goingBackJa.sentence({ if: condition, to: 'sender', on });

export const receiptPageJa: ReceiptPageTexts = {
  minute: (date) => `${minutes.format(date)}（UTC）`,
  shortDay: (date) => shortDays.format(date),
  postmark: '受取済',

  title: (sum, person) => `${person} さんへ ${sum}`,
  states: {
    undone: () => '支払いは成立しませんでした',
    unsettled: () => 'もう一度送っています',
    received: (person) => `${person} さんが受け取りました`,
    lookedUp: (person) => `${person} さんを確認しています`,
    onItsWay: (person) => `${person} さんへ送金中です`,
    goingBack: () => '送り主に返金中です',
    waiting: () => '受け取りを待っています',
    waitingForRoute: () => '届ける方法を待っています',
    held: () => '確認しています',
    returned: () => '送り主に返金されました',
  },
  passing: {
    payer_limit: '別の日を待っています',
    recipient_limit: '別の日を待っています',
    no_token_account: '口座の開設を待っています',
    account_quota: '別の日を待っています',
  },
  next: {
    undone: () => '支払いは行われていません。お金は送り主の手元にあり、もう一度送ることができます。',
    unsettled: () => '同じ支払いが自動でもう一度送られます。二重に支払われることはなく、何もする必要はありません。',
    received: ({ person }) =>
      `お金は ${person} さんに届きました。これ以上することはありません。このページは控えとして残ります。`,
    lookedUp: ({ person, asked, askedMinutes }) =>
      `${asked ?? 'ドメインの管理システム'}からまだ返事がないため、${person} さんがどなたか分かっていません。${askedMinutes} 分間確認を続けます。その名前の人がいないか、返事がないままの場合、お金は送り主に戻ります。`,
    onItsWay: ({ person }) => `お金は自動で ${person} さんに届きます。何もする必要はありません。`,
    goingBack: () => 'お金は自動で送り主に戻ります。',
    waiting: ({ person, until }) => `${person} さんが受け取れます。${goesBack('nobody_collects', until)}`,
    waitingForRoute: ({ person, until }) =>
      `このお金は ${person} さんのものですが、登録されたアドレスではまだ受け取れません。別のアドレスか、このアドレスに届ける方法を待っています。${goesBack('nothing_changes', until)}`,
    returned: () => 'お金は元の場所に戻りました。',
  },
  returnedBecause: {
    not_collected: () => '期限までに受け取られませんでした。',
    taken_back: () => '受け取られる前に、送り主が取り消しました。',
    not_found: ({ person }) => `${person} さんは見つからず、受け取れる人がいませんでした。`,
    no_answer: ({ person, asked, askedMinutes }) =>
      `${asked ?? 'ドメインの管理システム'}から ${askedMinutes} 分間返事がなく、${person} さんがどなたか確認できませんでした。`,
    had_another_owner: ({ person }) =>
      `${person} は以前は別の人の名前で、支払いの時点でどなただったか確認できませんでした。`,
    newer_than_payment: ({ person }) =>
      `今の ${person} さんは支払いの後にその名前になったため、別の人あてだったと考えられます。`,
    opted_out: ({ person }) => `${person} さんは支払いを受け取らない設定です。`,
    declined: ({ person }) => `${person} さんは受け取りを辞退しました。`,
    wind_down: () => 'このサービスは終了するため、受け取られていないお金をお返しします。',
    not_paid_out: () => '支払いができなかったため、お金をお返しします。',
  },
  certainty: {
    undone: () => '支払いは成立せず、何も引き落とされていません。',
    pending: (networkName) => `${networkName} で、この支払いが入っていたブロックが置き換えられました。`,
    settled: () => 'ブロックチェーンに記録済み。まだ確定していません。',
    final: () => '確定済み。ネットワーク上で取り消されることはもうありません。',
  },
  between: '',
  stop: '。',

  steps: 'お金の状況',
  sentStep: '送金',
  waitingStep: '受取待ち',
  receivedStep: '受け取り',
  returnedStep: '返金',
  stepStates: { done: '完了', now: '進行中', later: 'これから', failed: '行われませんでした' },

  from: (sender) => `${sender} から`,
  someoneCalled: (name) => `「${name}」と名乗る人`,
  someone: '匿名の方',
  forWhom: (person) => `${person} さんへ`,
  money: '金額は USDC（デジタルのドル）です。',
  note: '送り主からのメッセージ',
  collect: '受け取る',
  collectAgain: '別の方法を選ぶ',
  keptBy: (operator) => `それまでは ${operator} が預かります。`,
  askOperator: (operator) => `${operator} に、下の番号を添えて問い合わせる`,
  forSender: '送ったのはあなたですか？',
  passOn: '相手が受け取れるように、リンクを伝えましょう。',
  share: {
    share: '共有する',
    copy: 'リンクをコピー',
    copied: 'リンクをコピーしました',
    qr: 'コードで表示',
    qrLabel: 'スマートフォンでこのページを開くコード',
  },

  proof: '支払いの証明',
  state: '状態',
  recipient: 'あて先',
  network: 'ネットワーク',
  sent: '送金日時',
  settled: 'ブロックチェーンへの記録',
  number: '番号',
  transaction: 'トランザクション',
  transactionCopied: 'トランザクションをコピーしました',
  copy: 'コピー',
  seeOnChain: 'ブロックチェーンで見る',
  thisReceipt: 'このページ',
  follows: 'このページは支払いの状況を自動で表示します。',
  reloads: (seconds) => `支払いが完了するまで、このページは ${seconds} 秒ごとに再読み込みされます。`,
};
