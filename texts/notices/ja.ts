import { code, line } from '../../core/view.ts';
import type { NoticeTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');
const withdraw = code('/withdraw');
const treasury = code('/treasury');

export const noticesJa: NoticeTexts = {
  locale: 'ja',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`出金の依頼がありました：${walletName === null ? '' : `${nameForPayer(walletName, 'ja')} 名義の残高から、`}${sum} を ${time} に ${place} で ${address} へ送ります。`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`出金の依頼がありました：${walletName === null ? '' : `${nameForPayer(walletName, 'ja')} 名義の残高から、`}${sum} を ${place} で ${address} へすぐに送ります。${time} からは、このアドレスへいくらでもすぐに送れるようになります。`,
  notYou: () =>
    line`心当たりがなければ、それまでにここで ${cancel} と書いて取り消し、${lock} で支払いを止めてください。`,
  added: ({ time, walletName, isGuarded }) =>
    isGuarded
      ? line`別の場所から${walletName === null ? 'ここのウォレット' : ` ${nameForPayer(walletName, 'ja')} 名義の残高`}にログインがありました。そこから出金を依頼できるのは ${time} からで、パスキーがなければ実際の出金はさらに ${WITHOUT_PASSKEY_HOURS} 時間後です。`
      : line`別の場所から${walletName === null ? 'ここのウォレット' : ` ${nameForPayer(walletName, 'ja')} 名義の残高`}にログインがありました。そこから送金や出金ができるのは ${time} からです。`,
  addedNotYou: () => line`心当たりがなければ、それまでにここで ${wallet} と書き、そのログインを終了してください。`,
  treasuryAddress: ({ place, address, time }) =>
    line`あなたがお金の使い道の決定に関わったコミュニティで、送り先のアドレスが新しく設定されました。${time} から、資金は ${place} の ${address} に送れるようになります。`,
  treasuryNotYou: (stop) =>
    line`心当たりがなければ、ほかのメンバーに確認してください。モデレーターなら誰でも、それまでにグループで ${stop} と書いて止められます。`,
  passkeyAdded: ({ time, walletName }) =>
    line`${walletName === null ? 'ここのウォレット' : `${nameForPayer(walletName, 'ja')} 名義の残高`}にパスキーが追加されました。${time} からは、送金や出金にこのパスキーを使います。パスキーなしの出金には ${WITHOUT_PASSKEY_HOURS} 時間かかります。`,
  passkeyEnds: ({ time, walletName }) =>
    line`${walletName === null ? 'ここのウォレット' : `${nameForPayer(walletName, 'ja')} 名義の残高`}のパスキーが削除される予定です。${time} まで有効です。`,
  passkeyNotYou: () => line`心当たりがなければ、ここで ${wallet} と書いて止めてください。`,
  closing: ({ sum, walletName }) =>
    line`このサービスは終了します。${walletName === null ? 'あなたのお金' : `${nameForPayer(walletName, 'ja')} 名義の残高`} ${sum} がまだここにあります。${withdraw} に金額とご自身のアドレスを付けて書き、出金してください。`,
  closingTreasury: ({ sum }) =>
    line`このサービスは終了します。あなたがお金の使い道の決定に関わったコミュニティの ${sum} がまだここにあります。グループで ${treasury} と書いて出金してください。`,
};
