import { code, line } from '../../core/view.ts';
import type { ReceiptTexts } from './en.ts';

const anotherDay = (what: string): string =>
  `${what}, ist begrenzt, und die Grenze für heute ist erreicht. Es geht von selbst weiter, sobald an einem Tag (nach UTC) wieder Platz ist.`;

export const receiptDe: ReceiptTexts = {
  received: (recipient, sum) => line`${recipient} hat ${sum} bekommen.`,
  collected: (recipient, sum) => line`${recipient} hat ${sum} abgeholt.`,
  onItsWay: (recipient, sum) => line`${sum} sind unterwegs zu ${recipient}.`,
  waits: (recipient, sum) => line`${sum} warten auf ${recipient}.`,
  hasToWait: (recipient, sum) => line`${sum} für ${recipient} müssen noch warten.`,
  isChecked: (recipient, sum) => line`${sum} für ${recipient} werden geprüft.`,
  cameBack: (recipient, sum) => line`${sum} für ${recipient} sind zu dir zurückgekommen.`,
  paidTwice: (recipient, sum) =>
    line`Dein Link für ${recipient} wurde zweimal bezahlt. Was zu viel kam, ${sum}, ging in deine Wallet hier; hat es jemand anderes gesendet, gehört es ihm.`,

  passing: {
    payer_limit: () => anotherDay('Was eine Person an einem Tag senden kann'),
    recipient_limit: (recipient) => anotherDay(`Was ${recipient} an einem Tag bekommen kann`),
    no_token_account: (recipient) =>
      `Die Wallet von ${recipient} kann noch keine USDC aufnehmen. Es geht von selbst weiter, sobald dort ein USDC-Konto eröffnet ist oder wir eines eröffnen können.`,
    account_quota: (recipient) =>
      `Die Wallet von ${recipient} braucht ein neues USDC-Konto, und wir eröffnen nur so viele am Tag. Es geht von selbst weiter, sobald an einem Tag (UTC) Platz ist; was am längsten wartet und größere Beträge kommen zuerst.`,
  },
  untilChecked: () =>
    'Wer diesen Dienst betreibt, muss sich das erst ansehen, bevor es hinausgeht. Bis dahin ist das Geld aufgehoben.',

  sendThemThis: () => line`Schick diese Nachricht weiter:`,
  messageForThem: (sum, url) =>
    line`Ich habe dir ${sum} geschickt, digitale Dollar. Hier kannst du sie abholen: ${url}`,
  sendReceipt: () => line`Schick den Beleg weiter: Dort lässt sich das Geld abholen.`,
  collectHere: (recipient) => line`${recipient}: Mit ${code('/claim')} kannst du das Geld hier abholen.`,
  note: (text) => line`„${text}“`,

  somethingFrom: (giver) => line`${giver} hat dir etwas geschickt …`,
  sentYou: (giver, sum) => line`${giver} hat dir ${sum} geschickt.`,
  sentThem: (giver, recipient, sum) => line`${giver} hat ${recipient} ${sum} geschickt.`,
  community: () => 'Deine Gemeinschaft',
  rewarded: (sum, author) =>
    line`Eine Gemeinschaft hat dich mit ${sum} dafür belohnt, wie du auf einen Beitrag von ${author} reagiert hast.`,
  smallTips: (people, sum) =>
    line`Heute ${people === 1 ? 'hat dir 1 Person' : `haben dir ${String(people)} Personen`} ${sum} geschickt.`,
  notice: {
    keep_tip: () => 'Behalten',
    decline_tip: () => 'Nein danke',
    read_note: () => 'Notiz lesen',
    block_giver: () => 'Nichts mehr von dieser Person',
    quiet_small: () => 'Kleine einmal am Tag',
    readAlways: () => 'Künftig Notizen zeigen',
  },

  returned: {
    not_collected: (recipient) => `${recipient} hat es nicht rechtzeitig abgeholt.`,
    taken_back: () => 'Du hast es zurückgenommen, bevor es abgeholt wurde.',
    declined: (recipient) => `${recipient} wollte es nicht.`,
    wind_down: () => 'Dieser Dienst schließt und gibt zurück, was wartet.',
    not_paid_out: () => 'Es ließ sich nicht auszahlen und kommt deshalb zurück.',
    opted_out: (recipient) => `${recipient} möchte keine Zahlungen.`,
    not_found: (recipient) => `${recipient} gibt es nicht, also hätte es niemand abholen können.`,
    no_answer: (recipient) => `Es ließ sich nicht rechtzeitig klären, wer ${recipient} ist.`,
    had_another_owner: (recipient) =>
      `${recipient} war früher jemand anderes, deshalb ließ sich nicht klären, wen du meinst.`,
    newer_than_payment: (recipient) => `Wer jetzt ${recipient} ist, hat den Namen erst nach deiner Zahlung bekommen.`,
  },

  openReceipt: () => 'Beleg öffnen',

  receiptNumber: (number) => `Beleg ${number}`,
  collectEachHere: () => line`Mitglieder dieses Chats holen das Geld hier mit ${code('/claim')} ab.`,
  sendEachReceipt: () => line`Schick allen ihren Beleg: Dort lässt sich das Geld abholen.`,
};
