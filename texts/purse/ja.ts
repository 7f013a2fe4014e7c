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
  closing: 'このサービスは終了するため、送金はもうできません。ここに保管しているお金を出金してください。',
  of: (name) => `${name} のお金`,
  ofChat: 'このチャットのお金',
  leaving: (sum) => `このうち ${sum} はこれから出金されます。`,
  unknown: '今は一部を確認できません。1分後にこのページを読み込み直してください。',
  waits: (sum) => `ほかに受け取り待ちのお金が ${sum} あります。`,
  collect: '受け取る',
  keeper: (operator) =>
    `${operator} がお預かりしています。銀行口座ではなく、保険による補償もありません。ふだん持ち歩く程度の額にしてください。`,

  signInTitle: 'お金を確認する',
  signInLead: 'このブラウザで見られるお金はありません。お金のあて先の名前でログインしてください。',
  signInOther: '別の名前でログイン',
  signInWith: (platform) => `${platform} でログイン`,
  signInNew: 'まだ受け取ったことがない場合は、もらったリンクを開き、「ここに置いておく」を選んでください。',

  looksTitle: '今は見ることだけできます',
  looksUntil: 'ここにログインする前から、別のブラウザかチャットで保管されています。{time} からは、ここからも送れます。',
  looksUntilGuarded: `ここにログインする前から、別のブラウザかチャットで保管され、パスキーで保護されています。パスキーでログインすると、すぐに送れます。パスキーなしで出金を依頼できるのは {time} からで、実際の出金はさらに ${WITHOUT_PASSKEY_HOURS} 時間後です。`,
  unseenTitle: 'まだ見ることはできません',
  unseenUntil:
    'この名前はここで半年間使われていなかったため、持ち主が変わった可能性があります。保管されているお金を見たり送ったりできるのは {time} からです。それまでは、以前から保管している人がこのログインを終了できます。',
  newcomerTitle: (count) => (count === 1 ? 'ほかのログインがありました' : `ほかに ${count} 件のログインがありました`),
  newcomerUntil: 'そこから送れるのは {time} からです。心当たりがなければ、ログインを終了してください。',
  newcomerUntilGuarded: `そこから出金を依頼できるのは {time} からで、パスキーがなければ実際の出金はさらに ${WITHOUT_PASSKEY_HOURS} 時間後です。心当たりがなければ、ログインを終了してください。`,
  endNewcomers: '自分ではない：ログインを終了',

  lockedTitle: '送金はロックされています',
  lockedNote: `ロックを解除するまで、ここから送ることはできません。知らないうちに他人に解除されないよう、解除には ${UNLOCK_HOURS} 時間かかります。`,
  unlock: 'ロックを解除する',
  lockedUntil: '{time} から、また送れるようになります。',

  passkeyOffer: 'パスキーで保護する',
  passkeyOfferNote: `送金や出金のときに、指紋認証、顔認証、または画面ロックでの確認が必要になります。チャットからは送れなくなります。パスキーがなくても出金はできますが、${WITHOUT_PASSKEY_HOURS} 時間かかります。`,
  addPasskey: 'パスキーを追加',
  passkeys: (count) => `パスキー ${count} 個`,
  passkeyMore: `さらに追加するパスキーは、最初のパスキーを使わずに追加できるため、${WITHOUT_PASSKEY_HOURS} 時間後に有効になります。`,
  passkeySince: '{time} に追加',
  passkeyFrom: '{time} から有効',
  passkeyUntil: '{time} まで有効',
  passkeyWaitTitle: 'パスキーが追加されました',
  passkeyWaitNote: '{time} からは、送金や出金にこのパスキーを使います。心当たりがなければ、追加を止めてください。',
  passkeyEndTitle: 'パスキーが削除される予定です',
  passkeyEndNote: '{time} に無効になります。心当たりがなければ、削除を止めてください。',
  stopPasskey: '心当たりがないので止める',
  endPasskey: '削除する',
  endWithout: `パスキーなしで削除（${WITHOUT_PASSKEY_HOURS} 時間後）`,
  passkeyFailed:
    'うまくいきませんでした。変更も送金も行われていません。ここか、パスキーのある端末でもう一度お試しください。',
  passkeyMany: 'これ以上パスキーを追加できません。先に1つ削除してください。',
  passkeyAsked: '次に、お使いの端末でパスキーの使用を求められます。',
  passkeyNeeded: `このお金を送るにはパスキーが必要です。パスキーのある端末から送ってください。パスキーがなくても出金はできますが、${WITHOUT_PASSKEY_HOURS} 時間かかります。`,
  withoutPasskey: 'パスキーなしの場合、出金は早くても {time} になります。',
  sendWithout: 'パスキーなしで続ける',
  signInPasskey: 'パスキーでログイン',

  outTitle: 'いつものブラウザで続ける',
  outNote:
    '今は別のアプリの中で開いているため、パスキーを追加できません。スマートフォンのブラウザで開けば、指紋認証、顔認証、または画面ロックでこのお金を保護できます。',
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
    'たった今ご自分で作ったリンクの場合だけ続けてください。ほかの人から送られたリンクでは、絶対に続けないでください。',
  movedHere: 'ここで続ける',
  movedScript: 'このリンクには JavaScript が必要ですが、このブラウザでは動いていません。',
  movedOver:
    'このリンクはもう使えないか、一部が欠けています。今お金を見られる場所で、新しいリンクを作ってください。何も変わっていません。',

  linkTitle: (account) => `${account} と連携する`,
  linkOnly:
    'たった今ご自分のチャットで開いたリンクの場合だけ続けてください。ほかの人から送られたリンクでは、絶対に続けないでください。',
  linkHere: (account) => `${account} のお金をここで見る`,
  linkHereNote: (isGuarded) =>
    `このブラウザですぐに見ることができ、${HOLDER_WAIT_HOURS} 時間後に送れるようになります。${isGuarded ? `パスキーで保護されている分は、パスキーがないと送れません。パスキーなしで出金するには、さらに ${WITHOUT_PASSKEY_HOURS} 時間かかります。` : ''}`,
  linkThere: (name, account) => `${account} で使えるようにする：${name}`,
  linkThereNote: (isGuarded) =>
    isGuarded
      ? `そのアカウントでは、すぐに見ることができます。パスキーで保護されているため、送ることはできません。${HOLDER_WAIT_HOURS} 時間後から出金を依頼でき、実際の出金はさらに ${WITHOUT_PASSKEY_HOURS} 時間後です。ほかのログイン先にもお知らせします。`
      : `そのアカウントでは、すぐに見ることができ、${HOLDER_WAIT_HOURS} 時間後に送れるようになります。ほかのログイン先にもお知らせします。`,
  linkOther: '別の名前で保管しているお金は、このブラウザでその名前でログインすると、ここに表示されます。',
  linkOver: 'このリンクはもう使えません。チャットで新しいリンクを取得してください：/link',

  places: (count) => `${count} か所でログイン中`,
  thisBrowser: 'このブラウザ',
  otherBrowser: '別のブラウザ',
  account: (platform) => `${platform} のアカウント`,
  since: '{time} から',
  laterFrom: '送れるのは {time} から',
  laterFromGuarded: '出金を依頼できるのは {time} から',
  leave: 'ここでログアウト',
  signOut: 'ログアウト',
  signOutTitle: 'このブラウザからログアウトしますか？',
  signOutNote: 'ここに保管しているお金はそのままです。同じ名前でまたログインできます。',
  signOutLast: (hours, isSeen, isGuarded) =>
    isGuarded
      ? `今、ほかにこのお金を送れるログイン先はありません。パスキーでログインすれば、すぐに送れます。名前だけでログインすると、${isSeen ? `すぐに見られますが、出金を依頼できるのは ${hours} 時間後からです` : `見たり出金を依頼したりできるのは ${hours} 時間後からです`}。実際の出金は、依頼からさらに ${WITHOUT_PASSKEY_HOURS} 時間後です。`
      : `今、ほかにこのお金を送れるログイン先はありません。名前だけで再びログインすると、${isSeen ? `すぐに見られますが、送れるのは ${hours} 時間後からです` : `見たり送ったりできるのは ${hours} 時間後からです`}。`,
  signOutHanded:
    '別のログインが待機中で、{time} から送れるようになります。その前にここからログアウトすると、送れるのはそのログインだけになります。心当たりがなければ、先にお金の欄の「自分ではない：ログインを終了」を押してください。ご自身の場合は、その時刻の後にログアウトしてください。',
  signOutCallsOff: (sum) =>
    `このブラウザで依頼した ${sum} の出金は、まだ行われていません。ログアウトすると取り消され、お金はここに残ります。`,
  signOutPlay: 'このチャットのお試し用のお金はなくなります。',
  leaveLast: '今、ほかにこのお金を送れるログイン先がないため、このブラウザ全体でログアウトするまで、ここに残ります。',

  sendTitle: '送る',
  sendPlatform: '相手が使っているサービス',
  sendName: 'そのサービスでの名前',
  sendNameHint: 'alice など。メールなら alice@example.com。',
  sendAmount: '金額（ドル）',
  sumOther: 'その他',
  sumAll: '全額',
  sumMissing: '金額を選ぶか、入力してください。',
  sendNote: 'ひとこと（任意）',
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
  undoneNote: 'お金をここに戻しています。',
  takeBack: '取り戻す',
  takeBackNote: 'まだ誰も受け取っていません。',
  goingNote: '数秒かかります。このページを閉じても自動で進み、二重に送られることはありません。',
  sentNote: '相手がまだここで受け取ったことがなければ、控えを送ってください。受け取り方が書いてあります。',
  openReceipt: '控えを開く',

  takeOut: '出金する',
  takeOutFree: (isGuarded) =>
    isGuarded
      ? `出金は無料です。USDC に対応したご自分のアプリや取引所に送られます。パスキーを使えば、通常、一日 ${AT_ONCE_DOLLARS} まではすぐに出金でき、それを超える分は ${KNOWN_AFTER_HOURS}〜${WITHDRAWAL_WAIT_MAX_HOURS} 時間かかることがあります。パスキーなしでは、金額にかかわらず ${WITHOUT_PASSKEY_HOURS} 時間かかります。`
      : `出金は無料です。USDC に対応したご自分のアプリや取引所に送られます。通常、一日 ${AT_ONCE_DOLLARS} まではすぐに出金でき、それを超える分は ${KNOWN_AFTER_HOURS}〜${WITHDRAWAL_WAIT_MAX_HOURS} 時間かかることがあります。`,
  takeOutIntro: (places) =>
    `ご自分のウォレットか、取引所の口座に送ります。送り先のアドレスが必要です。アドレスは、ウォレットのアプリや取引所の「受け取る」または「入金」に、USDC（${places}）用として表示されます。そこでも同じネットワークを選んでください。ほかのネットワークでは、お金が失われるおそれがあります。`,
  takeOutCost: '手数料はこちらで負担するため、費用はかかりません。',
  takeOutWait: (isGuarded) =>
    `各ネットワークで最初に使うアドレスへは、一日 ${AT_ONCE_DOLLARS} まですぐに出金できます。それを超える分と、ほかの新しいアドレスへの分は ${KNOWN_AFTER_HOURS} 時間後（ほかのチャットやメールでお知らせできない場合は最長 ${WITHDRAWAL_WAIT_MAX_HOURS} 時間後）になり、その間はほかのログイン先にも表示され、取り消すこともできます。その後はそのアドレスへいくらでもすぐに出金できます。${isGuarded ? `以上はパスキーを使う場合です。パスキーなしでは、金額やアドレスにかかわらず ${WITHOUT_PASSKEY_HOURS} 時間かかります。` : ''}`,
  noAddress: 'ウォレットや取引所のアドレスではありません。「受け取る」または「入金」からコピーしてください。',

  statement: '入出金明細',
  statementAll: 'すべての明細',
  statementNewest: (count) => `最新の ${count} 件です。それ以前の分は表にあります。`,
  statementEmpty: 'まだ明細はありません。',
  statementPutIn: '外部からの入金は、{time} 以降の分を載せています。',
  statementValues: (currency) =>
    `${currency} の金額は、その日（UTC）のレートでの価値です。レートが分からない日は表示されません。`,
  statementFile: '表として保存（CSV）',
  kinds: { received: '受け取り', deposited: '入金', returned: '返金', sent: '送金', out: '出金' },
  feeOf: (sum) => `手数料 ${sum}`,
  reference: (reference) => `番号 ${reference}`,
};
