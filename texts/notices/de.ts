import { code, line } from '../../core/view.ts';
import type { NoticeTexts } from './en.ts';

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');

export const noticesDe: NoticeTexts = {
  locale: 'de',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`Eine Auszahlung wurde angefragt: ${sum}${walletName === null ? '' : ` von dem, was du als ${walletName} aufbewahrst,`} gehen am ${time} auf ${place} an ${address}.`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`Eine Auszahlung wurde angefragt: ${sum}${walletName === null ? '' : ` von dem, was du als ${walletName} aufbewahrst,`} gehen sofort auf ${place} an ${address}. Ab ${time} kann jeder Betrag sofort an diese Adresse gehen.`,
  notYou: () => line`Warst das nicht du, schreib hier vorher ${cancel}, und ${lock}, um alle Ausgaben zu sperren.`,
  added: ({ time, walletName }) =>
    line`Jemand hat sich von einem anderen Ort aus angemeldet, bei ${walletName === null ? 'deiner Wallet hier' : `dem, was du als ${walletName} aufbewahrst`}. Ansehen geht ab jetzt, senden oder auszahlen ab ${time}.`,
  addedNotYou: () => line`Warst das nicht du, schreib hier vorher ${wallet} und beende es.`,
};
