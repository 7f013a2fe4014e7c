import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import {
  DROP_EXAMPLE,
  DROP_TIME_MAX,
  DROP_TIME_MIN,
  KNOWN_ANSWERS,
  KNOWN_DAYS,
  OWN_WAIT_MINUTES,
  TIP_MAX,
  TIP_MIN,
  TREASURY_DROP_EXAMPLE,
} from '../rules/rules.ts';
import type { dropsEn } from './en.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const who = (role: string | null): string =>
  role === null
    ? `Für alle, die seit ${KNOWN_DAYS} Tagen hier sind und denen auf ${KNOWN_ANSWERS} Nachrichten geantwortet wurde.`
    : `Für alle mit der Rolle ${role} und alle, die moderieren.`;

export const dropsDe: typeof dropsEn = {
  dropCard: ({ giver, amount, share, people, role, time, isTreasury }, taken) => [
    line`${giver} verteilt ${usdc(amount)}: je ${usdc(share)} für ${String(people)} Leute.`,
    line`Vergeben: ${strong(`${taken} von ${people}`)}. Es endet ${time} nach dem Beginn.`,
    [
      muted(
        `${who(role)} Ein Anteil pro Person. ${isTreasury ? 'Vor dem Zahlen bestätigt die Moderation die Liste.' : 'Vor dem Zahlen wird die Liste angesehen.'}`,
      ),
    ],
  ],
  dropCommunity: (place) => (place === 'start' ? 'Die Gemeinschaft' : 'die Gemeinschaft'),
  takeShare: () => 'Ich bin dabei',
  callOffDrop: () => 'Absagen',
  seeDropList: () => 'Liste ansehen',
  dropStage: (stage, { giver, amount, taken, hours, confirmed, quorum }) => {
    switch (stage) {
      case 'closed':
        return line`Geschlossen: ${strong(String(taken))} möchten einen Anteil an ${usdc(amount)}. ${giver} sieht die Liste an und zahlt innerhalb von ${String(hours)} Stunden.`;
      case 'listed':
        return line`Geschlossen: ${strong(String(taken))} möchten einen Anteil an ${usdc(amount)} aus der Kasse. Die Moderation bestätigt die Liste: bisher ${strong(`${confirmed} von ${quorum}`)}. Bezahlt wird innerhalb von ${String(hours)} Stunden oder gar nicht.`;
      case 'unpaid':
        return line`Die Verteilung von ${giver} über ${usdc(amount)} konnte nicht bezahlt werden. Niemandem wurde etwas abgebucht.`;
      case 'called_off':
        return line`${giver} hat die Verteilung von ${usdc(amount)} abgesagt. Niemand hat etwas bekommen.`;
      case 'nobody':
        return line`${giver} wollte ${usdc(amount)} verteilen. Niemand hat sich gemeldet.`;
      case 'lapsed':
        return line`${giver} hat die Verteilung von ${usdc(amount)} nicht rechtzeitig bezahlt. Niemand hat etwas bekommen.`;
    }
  },
  tookShare: ({ share, giver }) =>
    line`Du bist dabei: ${usdc(share)} für dich, sobald ${giver} die Liste angesehen und bezahlt hat.`,
  takeProblem: (problem, { role }) => {
    switch (problem) {
      case 'own':
        return [line`Das verteilst du selbst. Es ist für die anderen.`];
      case 'not_eligible':
        return [line`Das ist noch nicht für dich.`, line`${who(role)}`];
      case 'other_name':
        return [line`Du hast schon einen Anteil, unter einem anderen deiner Namen.`];
      case 'full':
        return [line`Alle Anteile sind vergeben.`];
      case 'over':
        return [line`Hier kann niemand mehr mitmachen.`];
      case 'unknown':
        return [line`Ich kann gerade nicht sehen, wer die Rolle hat. Drück gleich noch einmal.`];
      case 'takes_nothing':
        return [
          line`Du möchtest solche Zahlungen nicht, deshalb lasse ich dich aus. ${code('/privacy')} und ${code('/block')} zeigen es.`,
        ];
    }
  },
  dropList: (count, sum) =>
    line`${strong(String(count))} auf deiner Liste, zusammen ${usdc(sum)}. Bezahlt wird erst, wenn du drückst.`,
  dropListed: (number, name, amount) => line`${String(number)}. ${name}: ${usdc(amount)}`,
  dropStrikeHint: (isTreasury) => [
    muted(
      isTreasury
        ? 'Wen du streichst, bekommt nichts und erfährt es nicht. Der Anteil bleibt in der Kasse, und die Liste wird neu bestätigt.'
        : 'Wen du streichst, bekommt nichts und erfährt es nicht. Der Anteil bleibt bei dir.',
    ),
  ],
  payDrop: (sum) => `${formatUsdcForPeople(sum)} USDC zahlen`,
  confirmDrop: (sum) => `${formatUsdcForPeople(sum)} USDC bestätigen`,
  dropConfirmed: () => line`Bestätigt. Bezahlt wird, wenn noch jemand aus der Moderation bestätigt hat.`,
  strikeFromDrop: (number) => `${number} streichen`,
  explainDrops: () => [
    line`${code(DROP_EXAMPLE.command)} verteilt ${DROP_EXAMPLE.sum} USDC an bis zu ${DROP_EXAMPLE.people} Leute dieser Gruppe, die rechtzeitig drücken: je ${DROP_EXAMPLE.share}.`,
    line`Am Ende siehst du die Liste, streichst, wen du nicht möchtest, und zahlst. Was niemand genommen hat, bleibt bei dir.`,
    line`${code(TREASURY_DROP_EXAMPLE)} nimmt das Geld der Gemeinschaft: Wer moderiert, fragt danach, und andere aus der Moderation bestätigen die Liste.`,
  ],
  dropProblem: (problem, { least, most }) => {
    switch (problem) {
      case 'unreadable':
        return line`Schreib, wie viel, für wie viele und wie lange:`;
      case 'people':
        return line`Verteilen kannst du an ${String(least)} bis ${String(most)} Leute:`;
      case 'time':
        return line`Melden kann man sich ${DROP_TIME_MIN} bis ${DROP_TIME_MAX} lang:`;
      case 'share':
        return line`Jeder Anteil ist ${TIP_MIN} bis ${TIP_MAX} USDC:`;
      case 'elsewhere':
        return line`Das gehört in eine Gruppe. Schreib es dort.`;
      case 'no_role':
        return line`Zuerst legt die Moderation hier fest, welche Rolle mitmachen darf:`;
      case 'nobody_known':
        return line`Hier könnte noch niemand mitmachen: Ich muss ${KNOWN_DAYS} Tage lang sehen, wer schreibt, und das auch dürfen. Mach mich zum Administrator dieser Gruppe.`;
      case 'busy':
        return line`Du verteilst hier schon etwas. Bezahl es zuerst, oder sag es ab:`;
      case 'none':
        return line`Hier wartet keine Liste auf dich.`;
      case 'not_listed':
        return line`Dieser Name steht nicht auf deiner Liste:`;
      case 'empty':
        return line`Auf der Liste steht niemand mehr. Sag ab oder lass es: Bezahlt wird nichts.`;
      case 'changed':
        return line`Die Liste hat sich inzwischen geändert. Sieh sie noch einmal an:`;
      case 'too_little':
        return line`Dafür hast du zu wenig. Lade Geld auf und drück dann noch einmal:`;
      case 'not_decider':
        return line`Das ist für alle, die hier moderieren.`;
      case 'standing_unknown':
        return line`Ich kann nicht herausfinden, wer diese Gemeinschaft leitet, also habe ich nichts getan. Ich muss hier Mitglied sein. Versuch es in einer Minute noch einmal.`;
      case 'small_group':
        return line`Diese Gruppe hat noch keine Kasse: Zeigt in den Einstellungen der Gruppe zuerst neuen Mitgliedern den Verlauf.`;
      case 'own':
        return line`Du hast selbst darum gebeten, also muss jemand anderes aus der Moderation es bestätigen. Moderiert sonst niemand, kannst du etwas Kleines ${OWN_WAIT_MINUTES} Minuten nach dem Ende bestätigen.`;
      case 'has_share':
        return line`Du hast hier selbst einen Anteil, also bestätigen andere aus der Moderation.`;
      case 'treasury_short':
        return line`Dafür ist zu wenig in der Kasse. Einzahlen kann jeder:`;
    }
  },
};
