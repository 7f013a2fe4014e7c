import type { ClaimMethod } from '../../core/platforms/row.ts';
import { AT_ONCE_DOLLARS, WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS } from '../rules/rules.ts';
import type { ClaimPageTexts } from './en.ts';
import type { GoesBackIf } from '../going-back/en.ts';
import { goingBackDe } from '../going-back/de.ts';

const goesBack = (condition: GoesBackIf, on: string): string =>
  goingBackDe.sentence({ if: condition, to: 'sender', on });

const yours = (method: ClaimMethod, title: string): string => {
  if (method === 'email') return 'deine E-Mail-Adresse';
  return method === 'domain' ? 'deine Website' : `deinen Namen bei ${title}`;
};

export const claimPagesDe: ClaimPageTexts = {
  problem: (title) => `Problem: ${title}`,
  collect: 'Abholen',
  description: 'Hol Geld ab, das an deinen Namen geschickt wurde. Es kostet nichts.',
  collectFor: (person) => `Geld für ${person} abholen`,
  collectYours: (method, title) => `Geld für ${yours(method, title)} abholen`,
  startAgain: 'Neu anfangen',
  next: 'Weiter',
  and: ' und ',

  nameHeading: (method, title) => `Geld für ${yours(method, title)}`,
  nameLabel: (method, title) => {
    if (method === 'email') return 'Deine E-Mail-Adresse';
    return method === 'domain' ? 'Deine Website' : `Dein Name bei ${title}`;
  },
  mayWait: 'Vielleicht wartet Geld auf dich.',
  sentBy: (sender, to) => `Von ${sender} an ${to} gesendet.`,

  promise: 'Es kostet nichts. Wir fragen nie nach einer Karte, einem Passwort oder geheimen Wörtern.',
  goesBackOn: (day) => goingBackDe.sentence({ if: 'you_do_nothing', to: null, on: day }),
  moneyFor: (person) => `Geld für ${person}`,
  sameForAll: (person) =>
    `Vielleicht wartet Geld auf ${person}. Das erfährt nur, wer nachweist, ${person} zu sein; zum Schutz aller ist diese Seite für jeden Namen gleich.`,
  stateOfReceipt: (receipt) => `So steht es um das Geld auf ${receipt}. Vielleicht wartet noch mehr.`,
  receiptYouCameFrom: 'dem Beleg, von dem du kommst',
  notCollected: (duration) => `Es wartet ${duration}; was bis dahin niemand abholt, geht zurück.`,
  notOffered: 'Für solche Namen lässt sich hier nichts abholen.',
  notOfferedNote: 'Es geht nichts verloren: Was niemand abholt, geht an den Absender zurück.',
  whereTo: 'Wohin soll das Geld?',
  keep: 'Hier aufbewahren',
  keepHint: (operator) =>
    `${operator} bewahrt es unbefristet für dich auf. Es sind USDC, digitale Dollar. Du kannst es jederzeit an eine eigene App oder Börse auszahlen, die solche Dollar annimmt. Das Auszahlen ist kostenlos: Bis zu ${AT_ONCE_DOLLARS} am Tag sind sofort möglich, mehr kann zu deiner Sicherheit ${WITHDRAWAL_WAIT_HOURS} bis ${WITHDRAWAL_WAIT_MAX_HOURS} Stunden dauern. Das ist kein Bankkonto und nicht versichert.`,
  keepHintPlay: (operator) =>
    `${operator} bewahrt es unbefristet für dich auf. Es sind USDC, digitale Dollar. Du kannst es jederzeit weitersenden oder an eine eigene App oder Börse auszahlen, die solche Dollar annimmt. Das Auszahlen ist kostenlos: Bis zu ${AT_ONCE_DOLLARS} am Tag sind sofort möglich, mehr kann zu deiner Sicherheit ${WITHDRAWAL_WAIT_HOURS} bis ${WITHDRAWAL_WAIT_MAX_HOURS} Stunden dauern. Das ist kein Bankkonto und nicht versichert.`,
  keepMost: (most) => `Für eine Person bewahren wir höchstens ${most} auf.`,
  haveAddress: 'An meine eigene App oder Börse senden',
  yourAddress: 'Deine Adresse dort',
  addressHint: (places) => `Von einer Wallet oder Börse, die USDC auf ${places} annimmt.`,
  whichNetwork: 'Netzwerk',
  sendThere: 'Dorthin senden',
  copyAddress:
    'Was dorthin gegangen ist, lässt sich nicht zurückholen. Kopiere die Adresse lieber, statt sie abzutippen.',
  wallet: {
    use: '{wallet} verwenden',
    asks: 'Deine Wallet fragt dich jetzt.',
    refused: 'Deine Wallet hat keine Adresse genannt. Füge sie stattdessen ein.',
    filled: 'Das ist die Adresse deiner Wallet.',
  },
  dontWant: 'Ich möchte es nicht',
  howToProve: {
    oauth: ({ title }) =>
      `Danach meldest du dich auf der Seite von ${title} selbst an, damit niemand anderes es nehmen kann. Was du dort eingibst, sieht nur ${title}.`,
    siwf: () => 'Danach bestätigst du in deiner Farcaster-App, damit niemand anderes es nehmen kann.',
    email: ({ person }) => `Danach schicken wir einen Code an ${person}, damit niemand anderes es nehmen kann.`,
    domain: ({ person }) => `Danach veröffentlichst du eine Zeile auf ${person}, damit niemand anderes es nehmen kann.`,
    chat: ({ title }) => `Das wird direkt in ${title} abgeholt. Dort sieht unser Bot, dass du es bist.`,
  },
  mailProves: 'Der Link in der Mail zeigt, dass du es bist: Gleich siehst du den Betrag und bestätigst.',

  step: (step, of) => `Schritt ${step} von ${of}`,
  sumFrom: (sum, sender) => `${sum} von ${sender}`,
  showYou: (person) => `Zeig, dass du ${person} bist`,
  showName: 'Zeig, dass der Name dir gehört.',
  willStay: 'Danach bleibt dein Geld hier für dich.',
  willGoBack: 'Danach geht das Geld an den Absender zurück.',
  willGoTo: (addresses) => `Danach geht dein Geld an ${addresses}.`,
  timeUntil: (time) => `Dafür ist Zeit bis ${time}; danach fängst du einfach neu an.`,
  waitingForProof: 'Wir warten auf deinen Nachweis',
  loadAgain: 'Lade diese Seite gleich noch einmal, oder fang neu an.',
  signInWith: (title) => `Mit ${title} anmelden`,
  signInAs: (person) =>
    `Melde dich als ${person} an. Du kommst von selbst hierher zurück. Wir erfahren dort deinen Namen und können sonst nichts tun.`,

  typeCode: 'Gib den Code aus der Mail ein',
  codeOver: 'Dieser Code gilt nicht mehr',
  openMail: 'Öffne den Link in der Mail',
  codeWentTo: (digits, minutes, address) => `Er hat ${digits} Ziffern, gilt ${minutes} Minuten und ging an ${address}.`,
  askForAnother: (address) => `Lass dir einen neuen schicken; er geht an ${address}.`,
  goesTo: (address) => `Sie ging an ${address}.`,
  triesLeft: (count) => (count === 1 ? 'Du hast noch einen Versuch.' : `Du hast noch ${count} Versuche.`),
  mailWasSent: (time, minutes) =>
    `Eine Mail wurde gesendet: ${time}. Der Link darin gilt ${minutes} Minuten in jedem Browser und fragt dich dort, wohin das Geld soll. Schau auch im Spam nach.`,
  orOpenLink: (minutes) =>
    `Oder öffne den Link darin: Er gilt ${minutes} Minuten in jedem Browser und fragt dich dort, wohin das Geld soll.`,
  localMail: (link) => `Auf diesem Rechner liegen alle Mails in ${link}.`,
  localMailbox: 'diesem Postfach',
  code: 'Code',
  anotherCode: 'Neuen Code senden',

  farcaster: 'Bestätige in deiner Farcaster-App',
  farcasterAs: (person) =>
    `Öffne sie auf dem Handy mit deinem Konto und melde dich als ${person} an. Es wird nichts gepostet und nichts bezahlt.`,
  openFarcaster: 'Farcaster öffnen',
  otherDevice: 'Ist die App auf einem anderen Gerät? Halte seine Kamera hierhin, oder öffne dort diesen Link:',
  farcasterQr: 'Ein Code, der Farcaster auf deinem Handy öffnet',
  goesOn: 'Diese Seite geht von selbst weiter, sobald du bestätigt hast.',
  saidYes: 'Ich habe bestätigt',

  siteIsYours: (site) => `Zeig, dass ${site} dir gehört`,
  publish: 'Veröffentliche diese Zeile und drück dann den Knopf:',
  onePlace: 'Einer der beiden Orte genügt:',
  dnsRecord: 'Ein DNS-Eintrag vom Typ TXT mit dem Namen',
  textFile: 'Eine Textdatei unter',
  localSite: (link) => `Auf diesem Rechner veröffentlichst du für jede Website in ${link}.`,
  localOne: 'dieser einen',
  checkNow: 'Jetzt prüfen',
  dnsTakesTime: 'Eine Änderung im DNS ist oft erst nach einigen Minuten zu sehen. Du kannst prüfen, so oft du willst.',
  copy: 'Kopieren',
  copied: { link: 'Link kopiert', line: 'Zeile kopiert', name: 'Name kopiert', address: 'Adresse kopiert' },

  youAre: (person) => `Du bist ${person}`,
  lastLook: 'Ein letzter Blick, bevor etwas geschieht.',
  laterStays: 'Alles, was dir ab jetzt geschickt wird, gehört dir und bleibt hier.',
  laterGoes: 'Alles, was dir ab jetzt geschickt wird, geht an:',
  goesBack: (sum) => `${sum} gehen an den Absender zurück.`,
  staysHere: (sum) => `${sum} gehören dann dir und bleiben hier.`,
  goesHere: (sum) => `${sum} gehen an:`,
  onNetwork: (address, place) => `${address} auf ${place}`,
  nothingWaits: 'Gerade wartet nichts auf dich.',
  nothingWaitsNote: 'Vielleicht ist es schon abgeholt, oder es ging an den Absender zurück.',
  otherAddress: 'Ging es an eine andere Adresse von dir, fang mit dieser neu an.',
  cameInOn: (sum, place) => `${sum} davon kam auf ${place} an.`,
  broughtOver:
    'Das geht an dieselbe Adresse, sobald wir es hinüberbringen können, und wartet so lange hier. Du willst es sofort? Fang neu an und bewahre es hier auf, oder gib dort eine Adresse an.',
  confirmKeep: (sum) => `${sum} hier aufbewahren`,
  confirmSend: (sum) => `${sum} dorthin senden`,
  neverAgain: 'Nie wieder: Niemand soll hier Geld an diesen Namen senden können.',
  sendBack: 'Zurücksenden',
  notRight: 'Stimmt etwas nicht? Neu anfangen',

  collectedBy: (person) => `Abgeholt von ${person}`,
  follows: 'Zeigt den Weg des Geldes, bis es da ist.',
  waitsForAddress: 'Es wartet auf eine Adresse',
  isYours: 'Es gehört dir',
  onItsWay: 'Unterwegs zu dir',
  allSet: 'Alles erledigt',
  yoursAndWaits: 'Es gehört dir und wartet auf eine Adresse, die es aufnehmen kann',
  waitsForRoom: 'Es wartet auf Platz',
  yoursNoRoom: 'Es gehört dir und wartet: Mehr können wir gerade nicht für dich aufbewahren',
  yoursAndStays: 'Es gehört dir und bleibt hier für dich',
  arrived: 'Es ist angekommen',
  wentBack: 'Es ging zurück',
  goingBack: 'Es geht zurück',
  wentBackNote: (sum) =>
    `Keine deiner Adressen konnte ${sum} rechtzeitig aufnehmen, deshalb geht das Geld an den Absender zurück. Bitte ihn, es noch einmal zu senden, und bewahre es dann hier auf.`,
  partWentBack: (sum) =>
    `Weitere ${sum} gehen an den Absender zurück: Keine deiner Adressen konnte sie rechtzeitig aufnehmen.`,
  takenBack: (sum) => `${sum} gehen an den Absender zurück: Er hat sie zurückgenommen, oder du wolltest sie nicht.`,
  newAddressFrom: (time) =>
    `Hier stand schon eine andere Adresse. Zu deiner Sicherheit gilt die neue erst ab ${time}; bis dahin geht Geld an die alte.`,
  sentAs: (parts, places, day) =>
    `Gesendet wurden ${parts}, und deine Adresse ist auf ${places}. Wir können es gerade nicht hinüberbringen und tun es von selbst, sobald es geht. ${goesBack('nothing_changes', day)}`,
  noRoom: (sum, most, day) =>
    `Wir bewahren hier höchstens ${most} für dich auf, und weitere ${sum} passen nicht dazu. Sende etwas weiter oder zahle etwas aus, dann kommt von selbst, was hineinpasst; oder gib eine eigene Adresse an. ${goesBack('nothing_changes', day)}`,
  noneKept: (sum, day) =>
    `Wir nehmen zurzeit kein weiteres Geld in Verwahrung, darum warten ${sum}. Gib eine eigene Adresse an, um es zu bekommen. ${goesBack('nothing_changes', day)}`,
  sumOn: (sum, place) => `${sum} auf ${place}`,
  fewSeconds: 'Das dauert ein paar Sekunden. Du kannst diese Seite schließen.',
  nextArrives: 'Was dir ab jetzt geschickt wird, kommt von selbst an.',
  moreArrives: 'Was dir noch geschickt wird, kommt von selbst an.',
  progress: 'Der Weg deines Geldes',
  proven: 'Bestätigt',
  waiting: 'Wartet',
  sent: 'Unterwegs',
  there: 'Angekommen',
  returned: 'Zurück',
  sendOn: 'Weitersenden',
  seeMoney: 'Dein Geld ansehen',
  giveAddress: (places) => `Adresse auf ${places} angeben`,
  receipts: 'Belege',
  receiptFor: (sum) => `Der Beleg über ${sum}`,
  followsPayment: 'Diese Seite zeigt von selbst, wie es weitergeht.',
  reloads: 'Diese Seite lädt sich von selbst neu, bis das Geld da ist.',

  timeOver: 'Die Zeit dafür ist um',
  timeOverNote: 'Es ist nichts geschehen und nichts verloren: Was wartet, wartet weiter.',
  didNotWork: 'Das hat nicht geklappt',
  stillWaits: 'Was wartet, wartet weiter.',
  nothingMoved: 'Es ist nichts geschehen und nichts verloren.',
  itGoesBack: 'Es geht zurück',
  itGoesBackNote: 'Das Geld geht an den Absender zurück.',
  returnToSender: 'Zurück an den Absender',
  wasWaiting: 'Was wartete, geht von selbst an den Absender zurück.',
  changedMind: (link) =>
    `Hast du „nie wieder“ gewählt, kann ab jetzt niemand hier Geld an diesen Namen senden. Anders überlegt? ${link}, und es geht wieder.`,
  collectOnce: 'Hol einmal etwas ab',
  startHere: 'Hier anfangen',
  otherBrowser: 'Das wurde in einem anderen Browser begonnen.',
  letUsStart: 'Fangen wir hier an',
  otherBrowserNote:
    'Das wurde in einem anderen Browser begonnen, und nur dort geht es weiter. Es geht nichts verloren, wenn du hier neu anfängst.',
  openLinkAgain: 'Öffne den Link, den du bekommen hast, noch einmal, oder geh zur Startseite.',
  toStartPage: 'Zur Startseite',
  linkOver: 'Dieser Link gilt nicht mehr, oder er wurde in einem anderen Browser benutzt.',

  refusals: {
    wrong_state: 'Diese Anmeldung wurde nicht hier oder in einem anderen Fenster begonnen. Fang sie neu an.',
    wrong_callback: 'Die Antwort auf die Anmeldung war unvollständig. Fang sie neu an.',
    wrong_issuer: 'Die Antwort auf die Anmeldung kam von jemand anderem. Fang sie neu an.',
    denied_by_user: 'Du hast der Anmeldung nicht zugestimmt, deshalb ist nichts nachgewiesen.',
    replayed: 'Diese Anmeldung wurde schon benutzt, oder sie dauerte zu lange. Fang sie neu an.',
    expired: 'Die Zeit für diesen Nachweis ist um. Fang neu an.',
    wrong_message: 'Unterschrieben wurde etwas anderes, als wir erbeten hatten. Fang neu an.',
    wrong_signature: 'Die Unterschrift gehört nicht zu diesem Konto.',
    wrong_account: 'Du hast dich als jemand anderes angemeldet als die Person, für die das Geld ist.',
    wrong_code: 'Das ist nicht der Code aus der Mail.',
    too_many_tries: 'Das war ein Versuch zu viel. Lass dir einen neuen Code schicken.',
    not_published: 'Der Text ist noch nicht da. Eine Änderung im DNS ist oft erst nach einigen Minuten zu sehen.',
  },
  signInAsThen: (person) => `Melde dich als ${person} an, dann klappt es.`,
  noAnswer: 'Die andere Seite hat nicht geantwortet. Versuch es gleich noch einmal.',
  notProven: 'Das ließ sich nicht nachweisen. Es ist nichts geschehen.',
};
