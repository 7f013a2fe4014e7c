import { HOLDER_WAIT_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import type { NoticeMailTexts } from './en.ts';
import { goingBackDe } from '../going-back/de.ts';

export const noticeMailDe: NoticeMailTexts = {
  locale: 'de',
  waits: {
    subject: (sum) => `${sum} warten auf dich`,
    again: (sum) => `${sum} warten noch auf dich`,
    lead: ({ to, sum, from, on }) =>
      `${from ?? 'Jemand'} hat ${sum} in USDC, einem digitalen Dollar, an ${to} gesendet. Das Geld wartet auf dich. ${goingBackDe.sentence({ if: 'you_do_nothing', to: 'sender', on })}`,
    button: 'Ansehen',
    first: 'Es kostet dich nichts. Wir erinnern dich einmal, bevor es zurückgeht, und schreiben danach nicht mehr.',
    only: 'Es kostet dich nichts. Das ist die einzige Mail dazu.',
    last: 'Das ist die einzige Erinnerung.',
    never: 'Du möchtest nie wieder so eine Mail? Ein Klick:',
  },
  address: {
    subject: 'Dein Geld soll an eine andere Adresse gehen',
    lead: (to, from) =>
      `Jemand, der Mails an ${to} lesen kann, hat uns gebeten, das Geld dafür an eine andere Adresse zu senden. Ab ${from} geht es hierhin:`,
    before: 'Bis dahin geht es wie bisher hierhin:',
    fine: 'Wenn du das wolltest, ist nichts zu tun.',
    stop: (from) =>
      `Wenn nicht, kannst du es bis ${from} aufhalten: Hol noch einmal ab, auf dieser Seite, und wähle den Ort, an den es jetzt geht. Ändere dann das Passwort deines Postfachs, denn jemand anderes kann deine Mails lesen.`,
    button: 'Auf dieser Seite aufhalten',
  },
  purse: {
    subject: 'Bei deinem Geld soll sich etwas ändern',
    holder: (to, at, isGuarded) =>
      isGuarded
        ? `Jemand hat sich in einem anderen Browser oder Chat bei dem Geld angemeldet, das für ${to} aufbewahrt wird. Ab ${at} kann es von dort ausgezahlt werden, was ohne den Passkey noch ${WITHOUT_PASSKEY_HOURS} Stunden dauert.`
        : `Jemand hat sich in einem anderen Browser oder Chat bei dem Geld angemeldet, das für ${to} aufbewahrt wird. Ab ${at} kann es von dort gesendet werden.`,
    passkeyAdded: (to, at) =>
      `Zu dem Geld, das für ${to} aufbewahrt wird, kam ein Passkey hinzu. Ab ${at} geht Geld mit ihm hinaus.`,
    passkeyEnds: (to, at) =>
      `Ein Passkey zu dem Geld, das für ${to} aufbewahrt wird, soll entfernt werden. Er gilt bis ${at}.`,
    leaves: (to, sum, at) => `${sum} von dem Geld, das für ${to} aufbewahrt wird, sollen am ${at} ausgezahlt werden.`,
    leavesNow: (to, sum, at) =>
      `${sum} von dem Geld, das für ${to} aufbewahrt wird, werden gerade ausgezahlt. Ab ${at} kann jeder Betrag sofort an denselben Ort gehen.`,
    fine: 'Wenn du das warst, ist nichts zu tun.',
    stop: 'Wenn nicht, halte es hier auf:',
    button: 'Das war ich nicht: aufhalten',
    why: `Darum wartet so eine Änderung ${HOLDER_WAIT_HOURS} Stunden oder länger. Wir schreiben das allen, die dieses Geld haben.`,
  },
  closing: {
    subject: 'Dieser Dienst schließt: Zahl dein Geld aus',
    lead: (to, sum) =>
      `Dieser Dienst schließt. Hier liegen noch ${sum}, die für ${to} aufbewahrt werden. Bitte zahl das Geld an eine Adresse von dir aus.`,
    free: 'Es kostet dich nichts. Du meldest dich mit einem Code an, den wir dir mailen.',
    button: 'Auszahlen',
  },
};
