import {
  AT_ONCE_DOLLARS,
  HOLDER_WAIT_HOURS,
  WITHDRAWAL_WAIT_MAX_HOURS,
  WITHOUT_PASSKEY_HOURS,
} from '../rules/rules.ts';
import { KNOWN_AFTER_HOURS, UNLOCK_HOURS, type purseEn } from './en.ts';

const plurals = new Intl.PluralRules('de');
const is = (count: number, one: string, others: string): string => (plurals.select(count) === 'one' ? one : others);

export const purseDe: typeof purseEn = {
  title: 'Dein Geld',
  closing:
    'Dieser Dienst schließt und nimmt keine Zahlungen mehr an. Bitte nimm heraus, was hier für dich aufbewahrt wird.',
  of: (name) => `Aufbewahrt für ${name}`,
  ofChat: 'Das Geld dieses Chats',
  leaving: (sum) => `${sum} davon sollen noch ausgezahlt werden.`,
  unknown: 'Ein Teil ist gerade nicht zu sehen. Lade diese Seite in einer Minute neu.',
  waits: (sum) => `${sum} warten noch auf dich.`,
  collect: 'Abholen',
  keeper: (operator) =>
    `${operator} bewahrt es für dich auf. Es ist kein Bankkonto und nicht versichert: Lass hier nur, was du auch im Geldbeutel tragen würdest.`,

  signInTitle: 'Dein Geld ansehen',
  signInLead:
    'Für diesen Browser wird hier nichts aufbewahrt. Melde dich mit dem Namen an, an den das Geld gesendet wurde:',
  signInOther: 'Mit einem anderen Namen anmelden',
  signInWith: (platform) => `Mit ${platform} anmelden`,
  signInNew: 'Noch nie etwas abgeholt? Öffne den Link, den du bekommen hast, und wähle „Hier aufbewahren“.',

  looksTitle: 'Du kannst es jetzt ansehen',
  looksUntil:
    'Es wurde an einem anderen Ort aufbewahrt, bevor du dich hier angemeldet hast. Ab {time} kannst du es auch aus diesem Browser senden.',
  looksUntilGuarded: `Es wurde an einem anderen Ort aufbewahrt, bevor du dich hier angemeldet hast, und ein Passkey schützt es. Meldest du dich mit ihm an, kannst du es sofort senden. Ohne ihn kannst du es ab {time} auszahlen, was dann noch ${WITHOUT_PASSKEY_HOURS} Stunden dauert.`,
  unseenTitle: 'Du siehst es erst später',
  unseenUntil:
    'Ein halbes Jahr lang hat niemand diesen Namen hier benutzt, er könnte also jemand Neuem gehören. Deshalb kannst du erst ab {time} ansehen und senden, was dafür aufbewahrt wird. Wer es vorher aufbewahrt hat, kann diese Anmeldung bis dahin beenden.',
  newcomerTitle: (count) => is(count, 'Jemand anderes hat sich angemeldet', `${count} andere haben sich angemeldet`),
  newcomerUntil: 'Von dort kann es ab {time} gesendet werden. Warst das nicht du, dann beende es.',
  newcomerUntilGuarded: `Von dort kann es ab {time} ausgezahlt werden, was ohne den Passkey noch ${WITHOUT_PASSKEY_HOURS} Stunden dauert. Warst das nicht du, dann beende es.`,
  endNewcomers: 'Nicht ich: beenden',

  lockedTitle: 'Senden ist gesperrt',
  lockedNote: `Von hier geht nichts weg, bis du entsperrst. Das dauert ${UNLOCK_HOURS} Stunden, damit niemand Fremdes es unbemerkt tun kann.`,
  unlock: 'Entsperren',
  lockedUntil: 'Ab {time} lässt es sich wieder senden.',

  passkeyOffer: 'Mit einem Passkey sichern',
  passkeyOfferNote: `Dann muss dein Fingerabdruck, dein Gesicht oder die Displaysperre zustimmen, bevor Geld hinausgeht. Chats können von hier nichts mehr senden, und ohne den Passkey kannst du noch auszahlen, was dann ${WITHOUT_PASSKEY_HOURS} Stunden dauert.`,
  addPasskey: 'Passkey hinzufügen',
  passkeys: (count) => is(count, '1 Passkey', `${count} Passkeys`),
  passkeyMore: `Ein weiterer gilt nach ${WITHOUT_PASSKEY_HOURS} Stunden, weil er ohne den ersten hinzukommt.`,
  passkeySince: 'Hinzugefügt am {time}',
  passkeyFrom: 'gilt ab {time}',
  passkeyUntil: 'gilt bis {time}',
  passkeyWaitTitle: 'Ein Passkey wurde hinzugefügt',
  passkeyWaitNote: 'Ab {time} geht Geld mit ihm hinaus. Warst das nicht du, halte es auf.',
  passkeyEndTitle: 'Ein Passkey soll entfernt werden',
  passkeyEndNote: 'Ab {time} gilt er nicht mehr. Warst das nicht du, halte es auf.',
  stopPasskey: 'Das war ich nicht: aufhalten',
  endPasskey: 'Entfernen',
  endWithout: `Entfernen, ohne ihn zu benutzen, in ${WITHOUT_PASSKEY_HOURS} Stunden`,
  passkeyFailed:
    'Das hat nicht geklappt, und es wurde nichts geändert oder gesendet. Versuch es noch einmal, hier oder dort, wo du den Passkey hast.',
  passkeyMany: 'Mehr Passkeys gehen nicht. Entferne zuerst einen.',
  passkeyAsked: 'Als Nächstes fragt dein Gerät nach deinem Passkey.',
  passkeyNeeded: `Dieses Geld geht mit seinem Passkey hinaus. Sende es dort, wo du ihn hast. Ohne ihn kannst du es auszahlen, was ${WITHOUT_PASSKEY_HOURS} Stunden dauert.`,
  withoutPasskey: 'Ohne den Passkey geht es frühestens am {time} hinaus.',
  sendWithout: 'Ohne den Passkey weiter',
  signInPasskey: 'Mit einem Passkey anmelden',

  outTitle: 'Im eigenen Browser weitermachen',
  outNote:
    'Du bist in einer anderen App, und dort lässt sich kein Passkey hinzufügen. Im Browser deines Handys können Fingerabdruck, Gesicht oder Displaysperre dieses Geld sichern.',
  outAsk: 'Link holen',
  outLink: (minutes) =>
    `Dieser Link meldet dich dort an und hier ab. Er funktioniert einmal, in den nächsten ${minutes} Minuten.`,
  outOpen: 'Meinen Browser öffnen',
  outOrPaste: 'Oder kopiere den Link und füge ihn in deinem Browser ein:',
  outPaste: 'Kopiere den Link und füge ihn in deinem Browser ein:',
  outCopy: 'Link kopieren',
  outOver: 'Läuft die Zeit ab, ist dein Geld sicher, und du kannst hier einen neuen Link holen.',
  outKey: 'Dieser Link ist ein Schlüssel zu deinem Geld',
  outSecret: 'Gib ihn niemandem: Wer ihn öffnet, kann dieses Geld senden.',
  movedTitle: 'Dein Geld in diesem Browser',
  movedOnly:
    'Mach nur weiter, wenn du diesen Link gerade selbst geholt hast. Tu es nie für jemanden, der dir den Link geschickt hat.',
  movedHere: 'Hier weitermachen',
  movedScript: 'Dieser Link braucht Skripte, und in diesem Browser laufen keine.',
  movedOver:
    'Dieser Link gilt nicht mehr, oder ein Teil davon fehlt. Hol dir einen neuen, wo du dein Geld jetzt siehst. Es hat sich nichts geändert.',

  linkTitle: (account) => `${account} verbinden`,
  linkOnly:
    'Tu das nur, wenn du den Link gerade in deinem eigenen Chat geöffnet hast. Tu es nie für jemanden, der dir den Link geschickt hat.',
  linkHere: (account) => `Das Geld von ${account} hier ansehen`,
  linkHereNote: (isGuarded) =>
    `Dieser Browser kann es sofort ansehen und ${HOLDER_WAIT_HOURS} Stunden später senden.${isGuarded ? ` Wo ein Passkey es schützt, geht das Senden nur mit ihm; ohne ihn dauert das Auszahlen noch ${WITHOUT_PASSKEY_HOURS} Stunden.` : ''}`,
  linkThere: (name, account) => `${account} damit senden lassen: ${name}`,
  linkThereNote: (isGuarded) =>
    isGuarded
      ? `Das Konto kann es sofort ansehen. Ein Passkey schützt es, darum kann das Konto es nicht senden: ${HOLDER_WAIT_HOURS} Stunden später kann es von dort ausgezahlt werden, was noch ${WITHOUT_PASSKEY_HOURS} Stunden dauert. Deine anderen Geräte und Chats erfahren davon.`
      : `Das Konto kann es sofort ansehen und ${HOLDER_WAIT_HOURS} Stunden später senden. Deine anderen Geräte und Chats erfahren davon.`,
  linkOther:
    'Geld, das für einen anderen Namen aufbewahrt wird, erscheint hier, sobald du dich in diesem Browser damit angemeldet hast.',
  linkOver: 'Dieser Link gilt nicht mehr. Hol dir im Chat einen neuen: /link',

  places: (count) => `Aktive Anmeldungen: ${count}`,
  thisBrowser: 'Dieser Browser',
  otherBrowser: 'Ein anderer Browser',
  account: (platform) => `Dein Konto bei ${platform}`,
  since: 'seit {time}',
  laterFrom: 'kann ab {time} senden',
  laterFromGuarded: 'kann ab {time} auszahlen',
  leave: 'Hier abmelden',
  signOut: 'Abmelden',
  signOutTitle: 'In diesem Browser abmelden?',
  signOutNote: 'Was hier für dich aufbewahrt wird, bleibt, wo es ist. Mit demselben Namen kommst du wieder hinein.',
  signOutLast: (hours, isSeen, isGuarded) =>
    isGuarded
      ? `Von keinem anderen Ort aus kann man es jetzt senden. Mit deinem Passkey kommst du wieder und kannst es sofort senden. Kommst du nur mit dem Namen wieder, ${isSeen ? 'siehst du es sofort und kannst es' : 'kannst du es erst'} ${hours} Stunden später ${isSeen ? '' : 'sehen und '}auszahlen, was dann noch ${WITHOUT_PASSKEY_HOURS} Stunden dauert.`
      : `Von keinem anderen Ort aus kann man es jetzt senden. Kommst du nur mit dem Namen wieder, ${isSeen ? 'siehst du es sofort und kannst es' : 'kannst du es erst'} ${hours} Stunden später ${isSeen ? '' : 'sehen und '}senden.`,
  signOutHanded:
    'Jemand anderes wartet darauf hineinzukommen und kann es ab {time} senden. Meldest du dich hier vorher ab, kann nur noch diese Person das. Bist das nicht du, dann drücke bei deinem Geld zuerst „Nicht ich: beenden“; bist du es, melde dich nach dieser Zeit ab.',
  signOutCallsOff: (sum) =>
    `${sum}, die du in diesem Browser auszahlen wolltest, sind noch nicht weg. Das wird dann abgebrochen und bleibt hier.`,
  signOutPlay: 'Das Spielgeld dieses Chats ist dann weg.',
  leaveLast:
    'Von keinem anderen Ort aus kann man es jetzt senden. Es bleibt hier, bis du dich in diesem Browser abmeldest.',

  sendTitle: 'Senden',
  sendPlatform: 'Bei welchem Dienst ist die Person?',
  sendName: 'Name der Person dort',
  sendNameHint: 'Etwa alice, oder alice@example.com für eine E-Mail.',
  sendAmount: 'Betrag in Dollar',
  sumOther: 'Anderer',
  sumAll: 'Alles',
  sumMissing: 'Wähle einen Betrag oder gib einen ein.',
  sendNote: 'Nachricht, wenn du magst',
  sendNext: 'Prüfen',
  reviewTitle: (sum, name) => `${sum} an ${name} senden?`,
  to: 'An',
  amount: 'Betrag',
  fee: 'Gebühr',
  total: 'Zusammen',
  note: 'Nachricht',
  confirm: (sum) => `${sum} senden`,
  back: 'Zurück zu deinem Geld',
  tooLittle: (needed, held) => `Mit der Gebühr sind das ${needed}, vorhanden sind ${held}. Es wurde nichts gesendet.`,
  sentTitle: (sum, name) => `${sum} an ${name}`,
  sentStates: { going: 'Unterwegs', sent: 'Gesendet', failed: 'Nicht gesendet', undone: 'Zurückgenommen' },
  undoneNote: 'Es ist auf dem Weg zurück zu deinem Geld hier.',
  takeBack: 'Zurücknehmen',
  takeBackNote: 'Noch hat es niemand abgeholt.',
  goingNote:
    'Das dauert ein paar Sekunden. Du kannst diese Seite schließen: Es geht von selbst weiter und kann nicht doppelt gesendet werden.',
  sentNote: 'Hat die Person hier noch nie etwas abgeholt, dann schick ihr den Beleg: Darin steht, wie es geht.',
  openReceipt: 'Beleg öffnen',

  takeOut: 'Auszahlen',
  takeOutFree: (isGuarded) =>
    isGuarded
      ? `Das Auszahlen ist kostenlos. Das Geld geht an eine eigene App oder Börse, die USDC annimmt. Mit dem Passkey sind bis zu ${AT_ONCE_DOLLARS} am Tag sofort möglich; mehr kann ${KNOWN_AFTER_HOURS} bis ${WITHDRAWAL_WAIT_MAX_HOURS} Stunden dauern. Ohne ihn dauert jeder Betrag ${WITHOUT_PASSKEY_HOURS} Stunden.`
      : `Das Auszahlen ist kostenlos. Das Geld geht an eine eigene App oder Börse, die USDC annimmt. Bis zu ${AT_ONCE_DOLLARS} am Tag sind sofort möglich; mehr kann ${KNOWN_AFTER_HOURS} bis ${WITHDRAWAL_WAIT_MAX_HOURS} Stunden dauern.`,
  takeOutIntro: (places) =>
    `Es geht auf eine eigene Wallet oder Börse und braucht eine Adresse dort. Eine Wallet-App oder Börse zeigt deine unter „Empfangen“ oder „Einzahlen“, für USDC auf ${places}. Wähle dort dasselbe Netzwerk: In einem anderen kann das Geld verloren gehen.`,
  takeOutCost: 'Das kostet dich nichts: Wir zahlen dafür.',
  takeOutWait: (isGuarded) =>
    `An die erste Adresse, die du in einem Netzwerk verwendest, gehen bis zu ${AT_ONCE_DOLLARS} am Tag sofort. Mehr, oder etwas an eine andere neue Adresse, geht nach ${KNOWN_AFTER_HOURS} Stunden, oder nach bis zu ${WITHDRAWAL_WAIT_MAX_HOURS}, wenn wir dich in einem anderen Chat oder per E-Mail nicht erreichen; bis dahin siehst du es überall, wo du sonst angemeldet bist, und kannst es abbrechen. Danach ist die Adresse bekannt, und jeder Betrag geht sofort dorthin.${isGuarded ? ` Das alles gilt mit dem Passkey: Ohne ihn dauert jeder Betrag ${WITHOUT_PASSKEY_HOURS} Stunden, an jede Adresse.` : ''}`,
  noAddress: 'Das ist keine Adresse einer Wallet oder Börse. Kopiere sie dort unter „Empfangen“ oder „Einzahlen“.',

  statement: 'Umsätze',
  statementAll: 'Alle Umsätze',
  statementNewest: (count) => `Das sind die neuesten ${count}. Die Tabelle hat mehr.`,
  statementEmpty: 'Noch keine Umsätze.',
  statementPutIn: 'Was von anderswo eingezahlt wurde, steht hier ab dem {time}.',
  statementValues: (currency) =>
    `Werte in ${currency}: was der Betrag an seinem Tag (UTC) wert war, soweit der Kurs dieses Tages bekannt ist.`,
  statementFile: 'Als Tabelle speichern (CSV)',
  kinds: {
    received: 'Erhalten',
    deposited: 'Eingezahlt',
    returned: 'Zurückgekommen',
    sent: 'Gesendet',
    out: 'Ausgezahlt',
  },
  feeOf: (sum) => `Gebühr ${sum}`,
  reference: (reference) => `Nr. ${reference}`,
};
