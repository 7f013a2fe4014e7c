import type { ClaimMethod } from '../../core/platforms/row.ts';
import { AT_ONCE_DOLLARS, WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS } from '../rules/rules.ts';
import type { ClaimPageTexts } from './en.ts';
import type { GoesBackIf } from '../going-back/en.ts';
import { goingBackJa } from '../going-back/ja.ts';

const goesBack = (condition: GoesBackIf, on: string): string =>
  goingBackJa.sentence({ if: condition, to: 'sender', on });

const yours = (method: ClaimMethod, title: string): string => {
  if (method === 'email') return 'あなたのメールアドレス';
  return method === 'domain' ? 'あなたのウェブサイト' : `${title} でのあなたの名前`;
};

export const claimPagesJa: ClaimPageTexts = {
  problem: (title) => `問題があります：${title}`,
  collect: '受け取り',
  description: 'あなたの名前あてに届いたお金を受け取れます。費用はかかりません。',
  collectFor: (person) => `${person} さんあてのお金を受け取る`,
  collectYours: (method, title) => `${yours(method, title)}あてのお金を受け取る`,
  startAgain: '最初からやり直す',
  next: '次へ',
  and: 'と ',

  nameHeading: (method, title) => `${yours(method, title)}あてのお金`,
  nameLabel: (method, title) => yours(method, title),
  mayWait: 'あなたあてのお金が届いているかもしれません。',
  sentBy: (sender, to) => `${sender} から ${to} あてに送られました。`,

  promise: '費用はかかりません。カード、パスワード、秘密の言葉をお聞きすることは決してありません。',
  goesBackOn: (day) => goingBackJa.sentence({ if: 'you_do_nothing', to: null, on: day }),
  moneyFor: (person) => `${person} さんあてのお金`,
  sameForAll: (person) =>
    `${person} さんあてのお金が届いているかもしれません。お伝えするのは ${person} さん本人と確認できた方だけです。プライバシーを守るため、このページはどの名前でも同じです。`,
  stateOfReceipt: (receipt) => `これは${receipt}のお金の状況です。ほかにも届いているかもしれません。`,
  receiptYouCameFrom: '先ほどご覧になった控え',
  notCollected: (duration) => `${duration}待っても受け取られないお金は、送り主に戻ります。`,
  notOffered: 'ここでは、このような名前あてのお金は受け取れません。',
  notOfferedNote: 'お金がなくなることはありません。受け取られなければ送り主に戻ります。',
  whereTo: 'どこで受け取りますか？',
  keep: 'ここに置いておく',
  keepHint: (operator) =>
    `${operator} が期限なしでお預かりします。USDC というデジタルのドルです。このドルに対応したご自分のアプリや取引所へ、いつでも出金できます。出金は無料です。通常、一日 ${AT_ONCE_DOLLARS} まではすぐに出金でき、それを超える分は安全のため ${WITHDRAWAL_WAIT_HOURS}〜${WITHDRAWAL_WAIT_MAX_HOURS} 時間かかることがあります。銀行口座ではなく、保険による補償もありません。`,
  keepHintPlay: (operator) =>
    `${operator} が期限なしでお預かりします。USDC というデジタルのドルです。いつでも人に送ったり、このドルに対応したご自分のアプリや取引所へ出金したりできます。出金は無料です。通常、一日 ${AT_ONCE_DOLLARS} まではすぐに出金でき、それを超える分は安全のため ${WITHDRAWAL_WAIT_HOURS}〜${WITHDRAWAL_WAIT_MAX_HOURS} 時間かかることがあります。銀行口座ではなく、保険による補償もありません。`,
  keepMost: (most) => `お一人につき ${most} までお預かりします。`,
  haveAddress: '自分のアプリや取引所に送る',
  yourAddress: 'アプリや取引所のアドレス',
  addressHint: (places) => `${places} で USDC を受け取れる、ウォレットまたは取引所のアドレスです。`,
  whichNetwork: 'ネットワーク',
  sendThere: 'そこへ送る',
  copyAddress: '送った後は取り戻せません。アドレスは入力せず、コピーして貼り付けてください。',
  wallet: {
    use: '{wallet} を使う',
    asks: 'ウォレットが確認を求めています。',
    refused: 'ウォレットからアドレスを取得できませんでした。貼り付けてください。',
    filled: 'これはあなたのウォレットのアドレスです。',
  },
  dontWant: '受け取らない',
  howToProve: {
    oauth: ({ title }) =>
      `次に ${title} 自身のページでログインします。ほかの人が受け取れないようにするためです。そこで入力した内容は ${title} にしか見えません。`,
    siwf: () => '次に Farcaster アプリで承認します。ほかの人が受け取れないようにするためです。',
    email: ({ person }) => `次に ${person} へコードを送ります。ほかの人が受け取れないようにするためです。`,
    domain: ({ person }) => `次に ${person} に 1 行だけ掲載します。ほかの人が受け取れないようにするためです。`,
    chat: ({ title }) => `これは ${title} の中で受け取れます。ボットがご本人であることを確認します。`,
  },
  mailProves: 'メールのリンクでご本人と確認できました。次に金額を見て確定します。',

  step: (step, of) => `ステップ ${step}／${of}`,
  sumFrom: (sum, sender) => `${sender} から ${sum}`,
  showYou: (person) => `${person} さんであることを確認します`,
  showName: 'その名前があなたのものか確認します。',
  willStay: '届いているお金はここに置いておきます。',
  willGoBack: '届いているお金は送り主に戻ります。',
  willGoTo: (addresses) => `届いているお金は ${addresses} に送られます。`,
  timeUntil: (time) => `この手続きの期限：${time}（過ぎたら、もう一度始められます）`,
  waitingForProof: '確認を待っています',
  loadAgain: '少し待ってから再読み込みするか、最初からやり直してください。',
  signInWith: (title) => `${title} でログイン`,
  signInAs: (person) =>
    `${person} さんとしてログインしてください。終わると自動でここに戻ります。こちらに分かるのはお名前だけで、アカウントの操作は一切できません。`,

  typeCode: 'メールのコードを入力してください',
  codeOver: 'そのコードは使えなくなりました',
  openMail: 'メールのリンクを開いてください',
  codeWentTo: (digits, minutes, address) => `コードは ${digits} けたで、${minutes} 分間使えます。送り先：${address}`,
  askForAnother: (address) => `新しいコードを送ってください。送り先：${address}`,
  goesTo: (address) => `送り先：${address}`,
  triesLeft: (count) => `あと ${count} 回入力できます。`,
  mailWasSent: (time, minutes) =>
    `メールを送りました（${time}）。メールのリンクはどのブラウザでも ${minutes} 分間使え、開いた先で受け取り方を選べます。迷惑メールもご確認ください。`,
  orOpenLink: (minutes) =>
    `メールのリンクを開いてもかまいません。どのブラウザでも ${minutes} 分間使え、開いた先で受け取り方を選べます。`,
  localMail: (link) => `このパソコンでは、すべてのメールが${link}に入ります。`,
  localMailbox: 'このメールボックス',
  code: 'コード',
  anotherCode: 'コードをもう一度送る',

  farcaster: 'Farcaster アプリで承認してください',
  farcasterAs: (person) =>
    `アカウントのあるスマートフォンでアプリを開き、${person} さんとしてログインしてください。投稿も支払いも行われません。`,
  openFarcaster: 'Farcaster を開く',
  otherDevice: 'アプリが別の端末にありますか？その端末のカメラで読み取るか、このリンクを開いてください。',
  farcasterQr: 'スマートフォンで Farcaster を開くコード',
  goesOn: '承認すると、このページは自動で次に進みます。',
  saidYes: '承認しました',

  siteIsYours: (site) => `${site} があなたのものか確認します`,
  publish: '次の行を掲載してから、ボタンを押してください。',
  onePlace: '次のどちらかで十分です。',
  dnsRecord: '次の名前の DNS レコード（TXT）',
  textFile: '次の場所のテキストファイル',
  localSite: (link) => `このパソコンでは、どのウェブサイトの分も${link}に掲載できます。`,
  localOne: 'このローカルサイト',
  checkNow: '確認する',
  dnsTakesTime: 'DNS の変更が反映されるまで数分かかることがあります。何度でも確認できます。',
  copy: 'コピー',
  copied: {
    link: 'リンクをコピーしました',
    line: '行をコピーしました',
    name: '名前をコピーしました',
    address: 'アドレスをコピーしました',
  },

  youAre: (person) => `${person} さんですね`,
  lastLook: 'お金が動く前の最後の確認です。',
  laterStays: 'これから届くお金はあなたのものになり、ここでお預かりします。',
  laterGoes: 'これから届くお金の送り先：',
  goesBack: (sum) => `${sum} は送り主に戻ります。`,
  staysHere: (sum) => `${sum} はあなたのものになり、ここでお預かりします。`,
  goesHere: (sum) => `${sum} の送り先：`,
  onNetwork: (address, place) => `${address}（${place}）`,
  nothingWaits: '今、あなたあてのお金はありません。',
  nothingWaitsNote: 'すでに受け取られたか、送り主に戻ったのかもしれません。',
  otherAddress: '別のアドレスあてだった場合は、そのアドレスで最初からやり直してください。',
  cameInOn: (sum, place) => `このうち ${sum} は ${place} で届いています。`,
  broughtOver:
    '送れるようになり次第、同じアドレスに届きます。それまではここで待ちます。すぐに受け取りたい場合は、最初からやり直して、ここに置いておくか、そちらのアドレスを入力してください。',
  confirmKeep: (sum) => `${sum} をここに置いておく`,
  confirmSend: (sum) => `${sum} をそこへ送る`,
  neverAgain: '今後は受け取らない（だれもこの名前あてにお金を送れなくなります）',
  sendBack: '送り主に戻す',
  notRight: '違いますか？最初からやり直す',

  collectedBy: (person) => `${person} さんが受け取りました`,
  follows: 'お金が届くまでの状況です。',
  waitsForAddress: 'アドレスを待っています',
  isYours: 'あなたのお金です',
  onItsWay: 'お届け中です',
  allSet: '完了しました',
  yoursAndWaits: 'あなたのお金です。受け取れるアドレスを待っています',
  waitsForRoom: '空きを待っています',
  yoursNoRoom: 'あなたのお金です。今はこれ以上お預かりできないため、待っています',
  yoursAndStays: 'あなたのお金です。ここに置いてあります',
  arrived: '届きました',
  wentBack: '送り主に戻りました',
  goingBack: '送り主に戻しています',
  wentBackNote: (sum) =>
    `期限までに ${sum} を受け取れるアドレスがなかったため、送り主に戻ります。もう一度送ってもらい、次は「ここに置いておく」を選んでください。`,
  partWentBack: (sum) => `ほかの ${sum} は、期限までに受け取れるアドレスがなかったため、送り主に戻ります。`,
  takenBack: (sum) => `${sum} は送り主に戻ります。送り主が取り戻したか、あなたが辞退したためです。`,
  newAddressFrom: (time) =>
    `以前に別のアドレスが登録されていたため、安全のため新しいアドレスが有効になるのは ${time} からです。それまでは前のアドレスに届きます。`,
  sentAs: (parts, places, day) =>
    `${parts} で送られましたが、あなたのアドレスは ${places} のものです。今は移せませんが、できるようになり次第自動で送ります。${goesBack('nothing_changes', day)}`,
  noRoom: (sum, most, day) =>
    `こちらでお預かりできるのは ${most} までで、あと ${sum} が入りません。人に送るか出金すると、入る分が自動で届きます。ご自分のアドレスを入力することもできます。${goesBack('nothing_changes', day)}`,
  noneKept: (sum, day) =>
    `今は新しいお金をお預かりしていないため、${sum} が待っています。受け取るには、ご自分のアドレスを入力してください。${goesBack('nothing_changes', day)}`,
  sumOn: (sum, place) => `${place} の ${sum}`,
  fewSeconds: '数秒かかります。このページは閉じてもかまいません。',
  nextArrives: 'これから届くお金は自動で届きます。',
  moreArrives: '今後届くお金も自動で届きます。',
  progress: 'お金の状況',
  proven: '本人確認',
  waiting: '待機中',
  sent: '送金中',
  there: '到着',
  returned: '返金',
  sendOn: '人に送る',
  seeMoney: 'お金を見る',
  giveAddress: (places) => `${places} のアドレスを入力する`,
  receipts: '控え',
  receiptFor: (sum) => `${sum} の控え`,
  followsPayment: 'このページは支払いの状況を自動で表示します。',
  reloads: 'お金が届くまで、このページは自動で再読み込みされます。',

  timeOver: '時間切れです',
  timeOverNote: 'お金は動いておらず、なくなってもいません。届いているお金はそのままです。',
  didNotWork: 'うまくいきませんでした',
  stillWaits: '届いているお金はそのままです。',
  nothingMoved: 'お金は動いておらず、なくなってもいません。',
  itGoesBack: '送り主に戻ります',
  itGoesBackNote: 'お金は送り主に戻ります。',
  returnToSender: '送り主へ返送',
  wasWaiting: '届いていたお金は、自動で送り主に戻ります。',
  changedMind: (link) =>
    `「今後は受け取らない」を選んだ場合、これからはだれもこの名前あてにお金を送れません。気が変わったら、${link}と元に戻ります。`,
  collectOnce: '一度受け取りを行う',
  startHere: 'ここから始める',
  otherBrowser: '別のブラウザで始められた手続きです。',
  letUsStart: 'ここから始めましょう',
  otherBrowserNote:
    'この手続きは別のブラウザで始められたため、続きはそのブラウザでしか行えません。ここで最初から始めても、お金がなくなることはありません。',
  openLinkAgain: '届いたリンクをもう一度開くか、トップページに進んでください。',
  toStartPage: 'トップページへ',
  linkOver: 'このリンクは期限切れか、別のブラウザで使われました。',

  refusals: {
    wrong_state:
      'このログインはここで始められたものではないか、別のウィンドウで始められています。もう一度始めてください。',
    wrong_callback: 'ログインの応答が不完全でした。もう一度始めてください。',
    wrong_issuer: 'ログインの応答が別のところから届きました。もう一度始めてください。',
    denied_by_user: 'ログインが承認されなかったため、確認できませんでした。',
    replayed: 'このログインはすでに使われたか、時間がかかりすぎました。もう一度始めてください。',
    expired: '確認の時間が切れました。もう一度始めてください。',
    wrong_message: '署名された内容が、お願いしたものと違います。もう一度始めてください。',
    wrong_signature: '署名がこのアカウントのものではありません。',
    wrong_account: 'ログインしたアカウントが、このお金のあて先の方と違います。',
    wrong_code: 'メールのコードと違います。',
    too_many_tries: '入力できる回数を超えました。新しいコードを送ってください。',
    not_published: 'まだ掲載が確認できません。DNS の変更が反映されるまで数分かかることがあります。',
  },
  signInAsThen: (person) => `${person} さんとしてログインすると受け取れます。`,
  noAnswer: '相手先から応答がありませんでした。少し待ってからもう一度お試しください。',
  notProven: '確認できませんでした。お金は動いていません。',
};
