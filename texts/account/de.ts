import { HOLDER_WAIT_HOURS, SMALL_TIP } from '../rules/rules.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { accountEn } from './en.ts';
import { claimPagesDe } from '../claim-pages/de.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('de');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const days = new Intl.DateTimeFormat('de-DE', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const STATES: Record<WireStatus, string> = {
  queued: 'unterwegs',
  pending_claim: 'wartet aufs Abholen',
  paid: 'angekommen',
  held: 'vorerst zurückgehalten',
  refunded: 'zurückgekommen',
};

export const accountDe: typeof accountEn = {
  historyTitle: () => line`Die letzten Trinkgelder, die du gesendet hast:`,
  historyLine: ({ number, sentAt, amount, recipient, status }) =>
    line`${String(number)}. ${usdc(amount)} an ${strong(named(recipient))}, ${STATES[status]} (${days.format(sentAt)})`,
  historyReceipt: (number, recipient) => `${String(number)}. ${named(recipient)}`,
  historyCsv: () => 'Alle als CSV-Datei',
  noHistory: () => line`Du hast noch kein Trinkgeld gesendet.`,

  askLanguage: () => line`Welche Sprache soll ich mit dir sprechen?`,
  asMyApp: () => 'Wie meine App',
  speaksNow: (language) => line`Ab jetzt spreche ich ${strong(language)} mit dir.`,
  speaksAsApp: () => line`Ab jetzt spreche ich die Sprache deiner App, wenn ich sie kann.`,
  noSuchLanguage: () => line`Die kann ich nicht. Such dir eine davon aus:`,

  waitsForYou: (total) =>
    line`${usdc(total)} warten auf dich. Behalte sie hier, dann kannst du damit gleich Trinkgeld geben, oder schick sie mit ${code('/withdraw')} an eine Adresse.`,
  nothingWaits: () =>
    line`Auf dieses Konto wartet nichts. Wenn du von einem Trinkgeld an einen anderen Namen von dir gehört hast, hol es unter dem Namen ab:`,
  receiveHere: () => 'Trinkgeld von selbst hier ankommen lassen',
  keepHere: (total) => `${people(total)} USDC hier behalten`,
  kept: () =>
    line`Erledigt. Es kommt innerhalb einer Minute in deiner Wallet hier an, und späteres Trinkgeld von selbst.`,
  keptNoRoom: () =>
    line`Erledigt. Ein Teil wartet: Mehr darf hier gerade nicht für dich aufbewahrt werden. Sende etwas weiter oder zahle etwas aus, dann kommt er von selbst; ändert sich nichts, geht er an den Absender zurück.`,
  collectElsewhere: () =>
    line`Öffne die Seite, weise nach, dass der Name dir gehört, und wähle, wohin das Geld soll. Das dauert eine Minute.`,
  collectWhich: () => line`Unter welchem Namen hast du Trinkgeld bekommen? Unter diesem holst du es ab:`,
  collectAs: (name) => `Als ${named(name)} abholen`,
  claimRefused: () => line`Das lässt sich gerade nicht abholen. Mit ${code('/claim')} kannst du noch einmal nachsehen.`,
  claimUnreachable: () =>
    line`Ich erreiche den Dienst gerade nicht. Verloren ist nichts: Bitte versuch es in einer Minute noch einmal.`,

  linkWhich: () => line`Welcher Name von dir soll in deine Wallet hier zahlen? Schreib ihn so:`,
  linkKeep: (name) =>
    line`Öffne die Seite, weise nach, dass ${strong(named(name))} dir gehört, und wähle ${strong(claimPagesDe.keep)}. Was Leute dorthin senden, kannst du dann aus diesem Chat als Trinkgeld geben.`,
  linkChat: () =>
    line`Öffne die Seite in dem Browser, in dem du dich bei deinem Geld anmeldest. Dort verbindest du ihn mit diesem Chat: Beide können dann sehen, was der andere hat, und es ${HOLDER_WAIT_HOURS} Stunden später senden, wenn kein Passkey es schützt.`,
  openPage: () => 'Seite öffnen',

  smallAreQuiet: () => line`Trinkgelder unter ${SMALL_TIP} USDC: eine Zeile am Tag statt einer Nachricht für jedes.`,
  smallAreHeard: () => line`Trinkgelder unter ${SMALL_TIP} USDC: eine Nachricht für jedes.`,
  quietSmall: () => 'Eine Zeile am Tag',
  ringSmall: () => 'Eine Nachricht für jedes',
  declinedTip: () => line`Erledigt. Es geht dorthin zurück, woher es kam.`,
  noteFrom: (giver, amount) => line`${giver} hat dir ${usdc(amount)} geschickt und dazu geschrieben:`,
  readsNotes: () => line`Erledigt. Was diese Person schreibt, kommt ab jetzt gleich mit.`,

  blockWhom: () => line`Diese Leute haben dir zuletzt etwas geschickt. Wen du blockierst, erfährt es nicht:`,
  giver: (number, name, isBlocked) => line`${String(number)}. ${strong(name)}${isBlocked ? ' (blockiert)' : ''}`,
  blockGiver: (number) => `${number} blockieren`,
  allowGiver: (number) => `${number} wieder zulassen`,
  nobodyGave: () => line`Dir hat noch niemand etwas geschickt.`,
  blockedGiver: () =>
    line`Erledigt. Von dort kommt nichts mehr bei dir an, unter keinem Namen, den du hier nachgewiesen hast. Was noch wartet, geht zurück.`,
  allowedGiver: () => line`Erledigt. Von dort kann dir wieder etwas geschickt werden.`,

  privacy: () => [
    line`Ich weiß, welche Trinkgelder du von hier gesendet hast, mit ihren Notizen, und wie du es haben willst: deine Sprache und deine Wallet.`,
    line`Du kannst alles als Datei bekommen oder die abgeschlossenen Trinkgelder löschen lassen. Dann melde ich nichts Neues mehr dazu.`,
    [muted('Wallets, Auszahlungen, Belege und die Bücher der Zahlungen bleiben: Sie sagen, wem das Geld gehört.')],
  ],
  exportJson: () => 'Als Datei bekommen',
  eraseNow: () => 'Meine Trinkgelder jetzt löschen',
  erased: (count) =>
    line`Gelöscht: ${count === 1 ? '1 Trinkgeld' : `${String(count)} Trinkgelder`}. Dein Geld und die Bücher darüber sind unberührt.`,
  optOut: () => 'Kein Trinkgeld mehr annehmen',
  optedOut: () =>
    line`Erledigt. Was auf dich gewartet hat, geht zurück, und niemand kann diesem Konto Trinkgeld geben. ${code('/claim')} macht das rückgängig.`,
  linkLasts: (minutes) => [muted(`Der Link ist nur für dich und gilt ${String(minutes)} Minuten.`)],
};
