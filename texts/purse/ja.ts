import { AT_ONCE_DOLLARS, KNOWN_AFTER_HOURS, type purseEn } from './en.ts';

/** Japanese counts without plurals. */
export const purseJa: typeof purseEn = {
  title: 'あなたのお金',
  of: (name) => `${name} のお金`,
  ofChat: 'このチャットのお金',
  unknown: '今は一部を確認できません。1分後にこのページを読み込み直してください。',
  waits: (sum) => `ほかに ${sum} があなたを待っています。`,
  collect: '受け取る',
  keeper: (operator) =>
    `${operator} があなたのために保管しています。銀行口座ではなく、保険もありません。財布に入れて持ち歩く程度の額にしてください。`,

  signInTitle: 'お金を確認する',
  signInLead: 'このブラウザで保管しているお金はありません。お金が送られた名前でサインインしてください。',
  signInOther: '別の名前でサインイン',
  signInWith: (platform) => `${platform} でサインイン`,
  signInNew: 'まだ受け取ったことがない場合は、もらったリンクを開き、「Keep it here」を選んでください。',

  looksTitle: '今は見ることができます',
  looksUntil: 'サインインする前から、別の場所で保管されていました。このブラウザから送れるのは {time} からです。',
  newcomerTitle: (count) =>
    count === 1 ? 'ほかのサインインがありました' : `ほかに ${count} 件のサインインがありました`,
  newcomerUntil: '今は見るだけで、送れるのは {time} からです。心当たりがなければ終了してください。',
  endNewcomers: '自分ではない：終了する',

  places: (count) => `${count} か所でサインイン中`,
  thisBrowser: 'このブラウザ',
  otherBrowser: '別のブラウザ',
  account: (platform) => `${platform} のアカウント`,
  since: '{time} から',
  laterFrom: '送れるのは {time} から',
  leave: 'ここでサインアウト',
  leaveLast: 'サインインしているのはここだけなので、サインアウトすると入れなくなります。',

  sendTitle: '誰かに送る',
  sendPlatform: '相手の名前はどこのものですか？',
  sendName: 'そこでの名前',
  sendNameHint: 'alice など。メールなら alice@example.com。',
  sendAmount: '金額（ドル）',
  sendNote: 'ひとこと（なくてもかまいません）',
  sendNext: '送る前に確認する',
  reviewTitle: (sum, name) => `${name} に ${sum} を送りますか？`,
  to: '宛先',
  amount: '金額',
  fee: '手数料',
  total: '合計',
  note: 'ひとこと',
  confirm: (sum) => `${sum} を送る`,
  back: 'お金のページに戻る',
  tooLittle: (needed, held) => `手数料込みで ${needed} 必要ですが、残高は ${held} です。何も送っていません。`,
  sentTitle: (sum, name) => `${name} へ ${sum}`,
  sentStates: { going: '送っています', sent: '送りました', failed: '送れませんでした' },
  goingNote: '数秒かかります。このページを閉じても自動で進み、二重に送られることはありません。',
  sentNote: '相手がまだここで受け取ったことがなければ、領収書を送ってください。受け取り方が書いてあります。',
  openReceipt: '領収書を開く',

  takeOut: '自分のウォレットや取引所へ出金する',
  takeOutIntro:
    'アドレスが必要です。ウォレットのアプリや取引所の「受け取る」または「入金」で、USDC 用のものが表示されます。どのネットワークのものかは、こちらで判別します。',
  takeOutCost: '費用はかかりません。こちらで負担します。',
  takeOutWait: `ここで初めて使うアドレスへは、毎日 ${AT_ONCE_DOLLARS} まですぐに出金できます。それを超える分は ${KNOWN_AFTER_HOURS} 時間後になり、その間はほかのサインイン先にも表示され、取り消すこともできます。その後はそのアドレスへいくらでもすぐに出金できます。`,
  noAddress: 'ウォレットや取引所のアドレスではありません。「受け取る」または「入金」からコピーしてください。',

  statement: '入出金',
  statementEmpty: 'まだありません。',
  statementFile: '表として保存（CSV）',
  kinds: { received: '受け取り', sent: '送金', out: '出金' },
  feeOf: (sum) => `手数料 ${sum}`,
  reference: (reference) => `番号 ${reference}`,
};
