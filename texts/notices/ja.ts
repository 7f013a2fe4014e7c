import { code, line } from '../../core/view.ts';
import type { NoticeTexts } from './en.ts';

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');

export const noticesJa: NoticeTexts = {
  locale: 'ja',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`出金の依頼がありました：${walletName === null ? '' : `${walletName} 名義の残高から、`}${sum} を ${time} に ${place} で ${address} へ送ります。`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`出金の依頼がありました：${walletName === null ? '' : `${walletName} 名義の残高から、`}${sum} を ${place} で ${address} へすぐに送ります。${time} からは、このアドレスへいくらでもすぐに送れるようになります。`,
  notYou: () => line`心当たりがなければ、それまでにここで ${cancel} と書き、${lock} で支払いを止めてください。`,
  added: ({ time, walletName }) =>
    line`別の場所から${walletName === null ? 'ここのウォレット' : ` ${walletName} 名義の残高`}にサインインがありました。今は見るだけで、送金や出金ができるのは ${time} からです。`,
  addedNotYou: () => line`心当たりがなければ、それまでにここで ${wallet} と書いて終了させてください。`,
};
