import { code, line } from '../../core/view.ts';
import type { NoticeTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');
const withdraw = code('/withdraw');
const treasury = code('/treasury');

export const noticesDe: NoticeTexts = {
  locale: 'de',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`Eine Auszahlung wurde angefragt: ${sum}${walletName === null ? '' : ` von dem, was du als ${nameForPayer(walletName, 'de')} aufbewahrst,`} gehen am ${time} auf ${place} an ${address}.`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`Eine Auszahlung wurde angefragt: ${sum}${walletName === null ? '' : ` von dem, was du als ${nameForPayer(walletName, 'de')} aufbewahrst,`} gehen sofort auf ${place} an ${address}. Ab ${time} kann jeder Betrag sofort an diese Adresse gehen.`,
  notYou: () => line`Warst das nicht du, schreib hier vorher ${cancel}, und ${lock}, um alle Ausgaben zu sperren.`,
  added: ({ time, walletName, isGuarded }) =>
    isGuarded
      ? line`Jemand hat sich von einem anderen Ort aus angemeldet, bei ${walletName === null ? 'deiner Wallet hier' : `dem, was du als ${nameForPayer(walletName, 'de')} aufbewahrst`}. Auszahlen geht von dort ab ${time} und dauert ohne den Passkey noch ${WITHOUT_PASSKEY_HOURS} Stunden.`
      : line`Jemand hat sich von einem anderen Ort aus angemeldet, bei ${walletName === null ? 'deiner Wallet hier' : `dem, was du als ${nameForPayer(walletName, 'de')} aufbewahrst`}. Senden oder auszahlen geht von dort ab ${time}.`,
  addedNotYou: () => line`Warst das nicht du, schreib hier vorher ${wallet} und beende es.`,
  treasuryAddress: ({ place, address, time }) =>
    line`Eine Community, über deren Geld du mitentschieden hast, hat dafür eine neue Adresse: Ab ${time} kann Geld aus ihrer Kasse an ${address} auf ${place} gehen.`,
  treasuryNotYou: (stop) =>
    line`Wusstest du nichts davon, frag die anderen dort. Alle, die moderieren, können es vorher stoppen: mit ${stop} in der Gruppe.`,
  passkeyAdded: ({ time, walletName }) =>
    line`Zu ${walletName === null ? 'deiner Wallet hier' : `dem, was du als ${nameForPayer(walletName, 'de')} aufbewahrst,`} kam ein Passkey hinzu. Ab ${time} geht Geld mit ihm hinaus, und sonst nach ${WITHOUT_PASSKEY_HOURS} Stunden.`,
  passkeyEnds: ({ time, walletName }) =>
    line`Der Passkey ${walletName === null ? 'deiner Wallet hier' : `zu dem, was du als ${nameForPayer(walletName, 'de')} aufbewahrst,`} soll entfernt werden. Er gilt bis ${time}.`,
  passkeyNotYou: () => line`Warst das nicht du, schreib hier ${wallet} und halte es auf.`,
  closing: ({ sum, walletName }) =>
    line`Dieser Dienst schließt. Hier liegen noch ${sum} ${walletName === null ? 'von dir' : `, die du als ${nameForPayer(walletName, 'de')} aufbewahrst`}. Bitte zahl sie aus: Schreib ${withdraw} mit dem Betrag und einer Adresse von dir.`,
  closingTreasury: ({ sum }) =>
    line`Dieser Dienst schließt. Eine Community, über deren Geld du mitentschieden hast, hat hier noch ${sum}. Bitte zahlt sie dort aus: Schreib ${treasury} in der Gruppe.`,
};
