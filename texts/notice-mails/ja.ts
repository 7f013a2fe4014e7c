import { HOLDER_WAIT_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import type { NoticeMailTexts } from './en.ts';
import { goingBackJa } from '../going-back/ja.ts';

export const noticeMailJa: NoticeMailTexts = {
  locale: 'ja',
  waits: {
    subject: (sum) => `${sum} があなたを待っています`,
    again: (sum) => `${sum} がまだあなたを待っています`,
    lead: ({ to, sum, from, on }) =>
      `${from === null ? '' : `${from} から、`}${to} 宛てに ${sum}（USDC：デジタルのドル）が送られました。${goingBackJa.sentence({ if: 'you_do_nothing', to: 'sender', on })}`,
    button: '確認する',
    first: '費用はかかりません。戻る前に一度だけお知らせし、その後はメールを送りません。',
    only: '費用はかかりません。この件でメールをお送りするのは今回だけです。',
    last: 'お知らせはこれが最後です。',
    never: '今後このようなメールを受け取りたくない場合は、こちらを一度クリックしてください。',
  },
  address: {
    subject: 'お金の送り先が変わろうとしています',
    lead: (to, from) =>
      `${to} 宛てのメールを読める人から、お金を別のアドレスに送るよう依頼がありました。${from} からは次の送り先になります。`,
    before: 'それまでは、これまでどおり次の送り先です。',
    fine: 'ご自身の依頼であれば、何もする必要はありません。',
    stop: (from) =>
      `心当たりがなければ、${from} までに止められます。このページでもう一度受け取りの手続きをし、今の送り先を選んでください。その後、メールのパスワードを変更してください。他の人があなたのメールを読める状態です。`,
    button: 'このページで止める',
  },
  purse: {
    subject: 'あなたのお金について変更があります',
    holder: (to, at, isGuarded) =>
      isGuarded
        ? `${to} 宛てにお預かりしているお金に、別のブラウザまたはチャットからログインがありました。${at} からは、そこから出金を依頼できるようになります。パスキーがなければ、実際の出金はさらに ${WITHOUT_PASSKEY_HOURS} 時間後です。`
        : `${to} 宛てにお預かりしているお金に、別のブラウザまたはチャットからログインがありました。${at} からは、そこから送れるようになります。`,
    passkeyAdded: (to, at) =>
      `${to} 宛てにお預かりしているお金にパスキーが追加されました。${at} からは、送金や出金にこのパスキーを使います。`,
    passkeyEnds: (to, at) => `${to} 宛てにお預かりしているお金のパスキーが削除される予定です。${at} まで有効です。`,
    leaves: (to, sum, at) => `${to} 宛てにお預かりしているお金のうち ${sum} が、${at} に出金される予定です。`,
    leavesNow: (to, sum, at) =>
      `${to} 宛てにお預かりしているお金のうち ${sum} を出金しています。${at} からは、同じ送り先へいくらでもすぐに送れるようになります。`,
    fine: 'ご自身の操作であれば、何もする必要はありません。',
    stop: '心当たりがなければ、こちらで止めてください。',
    button: '心当たりがないので止める',
    why: `心当たりのない変更を止められるよう、このような変更には ${HOLDER_WAIT_HOURS} 時間以上の待ち時間があります。このお知らせは、このお金を扱える全員に送っています。`,
  },
  closing: {
    subject: 'このサービスは終了します。お金を出金してください',
    lead: (to, sum) =>
      `このサービスは終了します。${to} 宛てにお預かりしているお金が、まだ ${sum} あります。ご自身のアドレスへ出金してください。`,
    free: '費用はかかりません。メールでお送りするコードでログインできます。',
    button: '出金する',
  },
};
