import {
  AT_ONCE_DOLLARS,
  HOLDER_WAIT_HOURS,
  WITHDRAWAL_WAIT_MAX_HOURS,
  WITHOUT_PASSKEY_HOURS,
} from '../rules/rules.ts';
import { KNOWN_AFTER_HOURS, UNLOCK_HOURS, type purseEn } from './en.ts';

/** Japanese counts without plurals. */
export const purseJa: typeof purseEn = {
  title: 'あなたのお金',
  closing: 'このサービスは終了するため、送金はもうできません。ここに保管しているお金を引き出してください。',
  of: (name) => `${name} のお金`,
  ofChat: 'このチャットのお金',
  unknown: '今は一部を確認できません。1分後にこのページを読み込み直してください。',
  waits: (sum) => `ほかに ${sum} があなたを待っています。`,
  collect: '受け取る',
  keeper: (operator) =>
    `${operator} があなたのために保管しています。銀行口座ではなく、保険もありません。ふだん持ち歩く程度の額にしてください。`,

  signInTitle: 'お金を確認する',
  signInLead: 'このブラウザで保管しているお金はありません。お金が送られた名前でログインしてください。',
  signInOther: '別の名前でログイン',
  signInWith: (platform) => `${platform} でログイン`,
  signInNew: 'まだ受け取ったことがない場合は、もらったリンクを開き、「ここに置いておく」を選んでください。',

  looksTitle: '今は見ることができます',
  looksUntil: 'ログインする前から、別の場所で保管されていました。このブラウザから送れるのは {time} からです。',
  looksUntilGuarded: `ログインする前から、別の場所で保管され、パスキーで保護されています。パスキーでログインすると、すぐに送れます。パスキーなしで引き出せるのは {time} からで、さらに ${WITHOUT_PASSKEY_HOURS} 時間かかります。`,
  unseenTitle: 'まだ見ることはできません',
  unseenUntil:
    'この名前は半年間使われていなかったため、持ち主が変わった可能性があります。保管されているお金を見たり送ったりできるのは {time} からです。それまでは、以前から保管している人がこのログインを終了できます。',
  newcomerTitle: (count) => (count === 1 ? 'ほかのログインがありました' : `ほかに ${count} 件のログインがありました`),
  newcomerUntil: 'そこから送れるのは {time} からです。心当たりがなければ終了してください。',
  newcomerUntilGuarded: `そこから引き出せるのは {time} からで、パスキーがなければさらに ${WITHOUT_PASSKEY_HOURS} 時間かかります。心当たりがなければ終了してください。`,
  endNewcomers: '自分ではない：終了する',

  lockedTitle: '送金はロックされています',
  lockedNote: `ロックを解除するまで、ここから送ることはできません。他人に気づかれずに解除されないよう、解除には${UNLOCK_HOURS}時間かかります。`,
  unlock: 'ロックを解除する',
  lockedUntil: '{time}から、また送れるようになります。',

  passkeyOffer: 'パスキーで守る',
  passkeyOfferNote: `お金を出すときに、指紋、顔、画面ロックのいずれかでの確認が必要になります。チャットからは送れなくなり、パスキーなしで出すには ${WITHOUT_PASSKEY_HOURS} 時間かかります。`,
  addPasskey: 'パスキーを追加',
  passkeys: (count) => `パスキー ${count} 個`,
  passkeyMore: `次のパスキーは最初のものを使わずに追加するため、${WITHOUT_PASSKEY_HOURS} 時間後に有効になります。`,
  passkeySince: '{time} に追加',
  passkeyFrom: '{time} から有効',
  passkeyUntil: '{time} まで有効',
  passkeyWaitTitle: 'パスキーが追加されました',
  passkeyWaitNote: '{time} からは、このパスキーでお金を出せます。心当たりがなければ止めてください。',
  passkeyEndTitle: 'パスキーが削除されようとしています',
  passkeyEndNote: '{time} に無効になります。心当たりがなければ止めてください。',
  stopPasskey: '心当たりがないので止める',
  endPasskey: '削除する',
  endWithout: `使わずに削除する（${WITHOUT_PASSKEY_HOURS} 時間後）`,
  passkeyFailed:
    'うまくいきませんでした。何も変わっておらず、何も送っていません。ここか、パスキーのある端末でもう一度お試しください。',
  passkeyMany: 'これ以上パスキーを追加できません。先に1つ削除してください。',
  passkeyAsked: '次に、端末でパスキーの確認があります。',
  passkeyNeeded: `このお金はパスキーで送ります。パスキーのある端末で送ってください。パスキーがなくても引き出せますが、${WITHOUT_PASSKEY_HOURS} 時間かかります。`,
  withoutPasskey: 'パスキーなしの場合、早くて {time} に出金されます。',
  sendWithout: 'パスキーなしで続ける',
  signInPasskey: 'パスキーでログイン',

  outTitle: 'いつものブラウザで続ける',
  outNote:
    '今は別のアプリの中で開いているため、パスキーを追加できません。スマートフォンのブラウザで開けば、指紋、顔、画面ロックのいずれかでこのお金を守れます。',
  outAsk: 'リンクを作る',
  outLink: (minutes) =>
    `このリンクを開くと、そちらでログインし、ここではログアウトします。使えるのは一度だけ、これから ${minutes} 分間です。`,
  outOpen: 'ブラウザを開く',
  outOrPaste: 'または、リンクをコピーしてブラウザに貼り付けてください。',
  outPaste: 'リンクをコピーして、ブラウザに貼り付けてください。',
  outCopy: 'リンクをコピー',
  outOver: '時間が過ぎてもお金は無事で、ここで新しいリンクを作れます。',
  outKey: 'このリンクはお金を動かせる鍵です',
  outSecret: 'ほかの人に渡さないでください。開いた人がこのお金を送れてしまいます。',
  movedTitle: 'このブラウザでお金を見る',
  movedOnly:
    'ご自分で今作ったリンクの場合だけ続けてください。ほかの人から送られたリンクでは、絶対に続けないでください。',
  movedHere: 'ここで続ける',
  movedScript: 'このリンクには JavaScript が必要ですが、このブラウザでは動いていません。',
  movedOver:
    'このリンクは使えないか、一部が欠けています。今お金を見られる場所で、新しいリンクを作ってください。何も変わっていません。',

  linkTitle: (account) => `${account} とつなぐ`,
  linkOnly:
    'ご自分のチャットで今開いたリンクの場合だけ続けてください。ほかの人から送られたリンクでは、絶対に行わないでください。',
  linkHere: (account) => `${account} のお金をここで見る`,
  linkHereNote: (isGuarded) =>
    `このブラウザですぐに見ることができ、${HOLDER_WAIT_HOURS} 時間後に送れるようになります。${isGuarded ? `パスキーで保護されている分は、パスキーがないと送れません。パスキーなしで引き出すには、さらに ${WITHOUT_PASSKEY_HOURS} 時間かかります。` : ''}`,
  linkThere: (name, account) => `${account} で使えるようにする：${name}`,
  linkThereNote: (isGuarded) =>
    isGuarded
      ? `そのアカウントはすぐに見ることができます。パスキーで保護されているため、送ることはできません。${HOLDER_WAIT_HOURS} 時間後から引き出しを依頼でき、それにはさらに ${WITHOUT_PASSKEY_HOURS} 時間かかります。ほかの場所にもお知らせします。`
      : `そのアカウントはすぐに見ることができ、${HOLDER_WAIT_HOURS} 時間後に送れるようになります。ほかの場所にもお知らせします。`,
  linkOther: '別の名前で保管しているお金は、このブラウザでその名前にログインすると、ここに表示されます。',
  linkOver: 'このリンクは使えません。チャットで新しいリンクを取得してください：/link',

  places: (count) => `${count} か所でログイン中`,
  thisBrowser: 'このブラウザ',
  otherBrowser: '別のブラウザ',
  account: (platform) => `${platform} のアカウント`,
  since: '{time} から',
  laterFrom: '送れるのは {time} から',
  laterFromGuarded: '引き出せるのは {time} から',
  leave: 'ここでログアウト',
  signOut: 'ログアウト',
  signOutTitle: 'このブラウザからログアウトしますか？',
  signOutNote: 'ここに保管しているお金はそのままです。同じ名前でまたログインできます。',
  signOutLast: (hours, isSeen, isGuarded) =>
    isGuarded
      ? `今ほかに送れる場所はありません。パスキーでログインすれば、すぐに送れます。名前だけでログインすると、${isSeen ? `すぐに見られ、${hours} 時間後から引き出せます` : `見たり引き出したりできるのは ${hours} 時間後からです`}。引き出しにはさらに ${WITHOUT_PASSKEY_HOURS} 時間かかります。`
      : `今ほかに送れる場所はありません。名前だけで再びログインすると、${isSeen ? `すぐに見られ、${hours} 時間後に送れるようになります` : `見たり送ったりできるのは ${hours} 時間後からです`}。`,
  signOutHanded:
    'ほかのログインが待っていて、{time} から送れるようになります。その前にここからログアウトすると、送れるのはそのログインだけになります。心当たりがなければ、先にお金の欄の「自分ではない：終了する」を押してください。ご自身の場合は、その時刻の後にログアウトしてください。',
  signOutCallsOff: (sum) =>
    `このブラウザから出金を申し込んだ ${sum} は、まだ出ていません。ログアウトすると取り消され、ここに残ります。`,
  signOutPlay: 'このチャットのお試し用のお金はなくなります。',
  leaveLast: '今ほかに送れる場所がないため、このブラウザからログアウトするまでここに残ります。',

  sendTitle: '送る',
  sendPlatform: '相手が使っているサービス',
  sendName: 'そこでの名前',
  sendNameHint: 'alice など。メールなら alice@example.com。',
  sendAmount: '金額（ドル）',
  sumOther: 'その他',
  sumAll: '全額',
  sumMissing: '金額を選ぶか、入力してください。',
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
  sentStates: { going: '送っています', sent: '送りました', failed: '送れませんでした', undone: '取り戻しました' },
  undoneNote: 'ここに保管しているお金に戻る途中です。',
  takeBack: '取り戻す',
  takeBackNote: 'まだ誰も受け取っていません。',
  goingNote: '数秒かかります。このページを閉じても自動で進み、二重に送られることはありません。',
  sentNote: '相手がまだここで受け取ったことがなければ、控えを送ってください。受け取り方が書いてあります。',
  openReceipt: '控えを開く',

  takeOut: '出金する',
  takeOutFree: (isGuarded) =>
    isGuarded
      ? `出金は無料です。USDC に対応したご自分のアプリや取引所に送られます。パスキーを使えば、通常、一日 ${AT_ONCE_DOLLARS} まではすぐに、それを超える分は ${KNOWN_AFTER_HOURS}〜${WITHDRAWAL_WAIT_MAX_HOURS} 時間かかることがあります。パスキーなしでは、金額にかかわらず ${WITHOUT_PASSKEY_HOURS} 時間かかります。`
      : `出金は無料です。USDC に対応したご自分のアプリや取引所に送られます。通常、一日 ${AT_ONCE_DOLLARS} まではすぐに、それを超える分は ${KNOWN_AFTER_HOURS}〜${WITHDRAWAL_WAIT_MAX_HOURS} 時間かかることがあります。`,
  takeOutIntro: (places) =>
    `自分のウォレットや取引所に送ります。そこのアドレスが必要です。ウォレットのアプリや取引所の「受け取る」または「入金」で、USDC（${places}）用のものが表示されます。そこでも同じネットワークを選んでください。ほかのネットワークでは、お金が失われるおそれがあります。`,
  takeOutCost: '費用はかかりません。こちらで負担します。',
  takeOutWait: (isGuarded) =>
    `各ネットワークで最初に使うアドレスへは、一日 ${AT_ONCE_DOLLARS} まですぐに出金できます。それを超える分と、ほかの新しいアドレスへの分は ${KNOWN_AFTER_HOURS} 時間後（ほかのチャットやメールでお知らせできない場合は最長 ${WITHDRAWAL_WAIT_MAX_HOURS} 時間後）になり、その間はほかのログイン先にも表示され、取り消すこともできます。その後はそのアドレスへいくらでもすぐに出金できます。${isGuarded ? `以上はパスキーを使う場合です。パスキーなしでは、金額やアドレスにかかわらず ${WITHOUT_PASSKEY_HOURS} 時間かかります。` : ''}`,
  noAddress: 'ウォレットや取引所のアドレスではありません。「受け取る」または「入金」からコピーしてください。',

  statement: '入出金明細',
  statementAll: 'すべての明細',
  statementNewest: (count) => `最新の ${count} 件です。表にはさらにあります。`,
  statementEmpty: 'まだ明細はありません。',
  statementPutIn: '外からの入金は、{time} 以降の分を載せています。',
  statementValues: (currency) =>
    `${currency} の金額は、その日（UTC）のレートでの価値です。レートが分からない日は表示されません。`,
  statementFile: '表として保存（CSV）',
  kinds: { received: '受け取り', deposited: '入金', returned: '返金', sent: '送金', out: '出金' },
  feeOf: (sum) => `手数料 ${sum}`,
  reference: (reference) => `番号 ${reference}`,
};
