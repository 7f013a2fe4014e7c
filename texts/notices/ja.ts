import { code, line } from '../../core/view.ts';
import type { NoticeTexts } from './en.ts';

const cancel = code('/withdraw cancel');
const lock = code('/lock');

export const noticesJa: NoticeTexts = {
  locale: 'ja',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`出金の依頼がありました：${walletName === null ? '' : `${walletName} 名義の残高から、`}${sum} を ${time} に ${place} で ${address} へ送ります。`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`出金の依頼がありました：${walletName === null ? '' : `${walletName} 名義の残高から、`}${sum} を ${place} で ${address} へすぐに送ります。${time} からは、このアドレスへいくらでもすぐに送れるようになります。`,
  notYou: () => line`心当たりがなければ、それまでにここで ${cancel} と書き、${lock} で支払いを止めてください。`,
};
