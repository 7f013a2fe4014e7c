import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { rewardsEn } from './en.ts';
import {
  REWARD_CARD_HOURS,
  REWARD_DEFAULT,
  REWARD_MAX,
  REWARD_MIN,
  REWARD_NAMES_MAX,
  TIP_MAX,
  TIP_MIN,
} from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (plus ${people(fee)} USDC Gebühr)`);
const time = momentIn('de');

const WHY = new Map([
  ['author', 'hat es geschrieben'],
  ['creator', 'hat darum gebeten'],
  ['excluded', 'ausgeschlossen'],
  ['opted_out', 'will keine Zahlungen'],
  ['nameless', 'ohne Namen'],
  ['no_weight', 'tat nur, was nichts zählt'],
  ['max_recipients', `mehr als ${REWARD_NAMES_MAX} Leute`],
  ['share_too_small', `weniger als ${TIP_MIN} USDC`],
]);

export const rewardsDe: typeof rewardsEn = {
  rewardAsk: (facts, { needed, confirmed }) => {
    const { by, author, budget, fee, costMax, count, weights, top, leftOut } = facts;
    const { like, comment, repost } = weights;
    const left = leftOut.reduce((sum, one) => sum + one.count, 0);
    const why = leftOut.map((one) => `${one.count} ${WHY.get(one.reason) ?? one.reason}`).join(', ');
    return [
      line`${strong(by)} möchte belohnen, wer auf einen Beitrag von ${strong(author)} reagiert hat: ${usdc(budget)}${withFee(fee)} für ${strong(String(count))} Leute, aus der Kasse dieser Gemeinschaft.`,
      ...(costMax === 0n
        ? []
        : [
            line`Sind die freien Transaktionen des Tages aufgebraucht, kommen bis zu ${usdc(costMax)} für die Kosten dazu.`,
          ]),
      line`Ein Like zählt ${String(like)}, ein Kommentar ${String(comment)}, ein Repost ${String(repost)}.`,
      ...top.map(({ name, amount }, index) => line`${String(index + 1)}. ${name} · ${people(amount)} USDC`),
      ...(count > top.length ? [line`und ${String(count - top.length)} weitere`] : []),
      ...(left === 0 ? [] : [line`Nicht dabei: ${strong(String(left))} (${why})`]),
      line`So lässt du jemanden aus: ${code('/reward without alice')}`,
      needed === 1
        ? line`Jemand aus der Moderation, der nicht darum gebeten hat, muss in ${REWARD_CARD_HOURS} Stunden bestätigen. Eine Ablehnung beendet es.`
        : line`Zwei aus der Moderation, die nicht darum gebeten haben, müssen in ${REWARD_CARD_HOURS} Stunden bestätigen. Eine Ablehnung beendet es.`,
      ...(confirmed.length === 0 ? [] : [line`Bestätigt von ${strong(confirmed.join(', '))}`]),
    ];
  },
  rewardConfirm: (done, needed) => `Bestätigen ${done}/${needed}`,
  rewardReject: () => 'Ablehnen',
  rewardPage: () => 'Wer was bekommt',
  rewardCsv: () => 'Als CSV',
  rewardPost: () => 'Der Beitrag',
  rewardTell: () => 'Auf Farcaster Bescheid sagen',
  rewardTelling: (called, author) =>
    line`${called} danke für das, was ihr mit dem Beitrag von ${author} gemacht habt. Ihr habt einen Anteil; so bekommt ihr ihn:`,

  rewardPaying: ({ budget, count, author }) =>
    line`Zahle ${usdc(budget)} an ${strong(String(count))} Leute für einen Beitrag von ${strong(author)}…`,
  rewardPaid: ({ budget, author }, counts) => {
    const parts: [number, string][] = [
      [counts?.paid ?? 0, 'bezahlt'],
      [counts?.onTheWay ?? 0, 'unterwegs'],
      [counts?.waiting ?? 0, 'warten aufs Abholen'],
      [counts?.held ?? 0, 'angehalten'],
      [counts?.refunded ?? 0, 'zurückgekommen'],
    ];
    const said = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
    return [
      line`Belohnt: ${usdc(budget)} für einen Beitrag von ${strong(author)}.`,
      ...(said.length === 0 ? [] : [line`${said.join(', ')}`]),
    ];
  },
  rewardPaidElsewhere: () => [muted('Jemand anderes hat bezahlt: Aus der Kasse ging nichts.')],
  rewardPaidByLink: () => [muted('Über den Link bezahlt: Aus der Kasse ging nichts.')],
  rewardUnfunded: () =>
    line`Bestätigt ist es, aber in keinem Netz hat die Kasse genug dafür. Zahlt mit ${code('/treasury deposit')} ein und bestätigt noch einmal, oder jemand bezahlt mit einer Wallet über den Knopf unten.`,
  rewardRejected: ({ budget, author }, by) =>
    line`${strong(by)} hat die Belohnung von ${usdc(budget)} für einen Beitrag von ${strong(author)} abgelehnt. Nichts wurde bewegt.`,
  rewardExpired: ({ budget, author }) =>
    line`Die Belohnung von ${usdc(budget)} für einen Beitrag von ${strong(author)} ist vorbei: Nicht genug haben sie rechtzeitig bestätigt. Nichts wurde bewegt.`,
  rewardUnpaid: ({ budget, author }) =>
    line`Die Belohnung von ${usdc(budget)} für einen Beitrag von ${strong(author)} ist vorbei: Sie war bestätigt, und niemand hat sie rechtzeitig bezahlt. Nichts wurde bewegt.`,
  rewardReplaced: ({ author }, by) =>
    line`${strong(by)} hat jemanden ausgelassen: Eine andere Karte für den Beitrag von ${strong(author)} steht an der Stelle von dieser.`,
  rewardFailed: ({ budget, author }, reason) => [
    line`Die Belohnung von ${usdc(budget)} für einen Beitrag von ${strong(author)} wurde nicht bezahlt, und nichts wurde bewegt.`,
    whyNot(reason),
  ],

  rewardProblem: (problem) => {
    switch (problem.code) {
      case 'elsewhere':
        return line`Schreib ${code('/reward')} auf dem Server oder in der Gruppe, deren Geld es ist.`;
      case 'small_group':
        return line`Diese Gruppe hat noch keine Kasse: Zeigt in den Einstellungen der Gruppe zuerst neuen Mitgliedern den Verlauf.`;
      case 'nothing_said':
        return line`${code('/reward')} verteilt Geld aus der Kasse dieser Gemeinschaft an alle, die auf einen Beitrag auf Farcaster reagiert haben. Dafür braucht es den Link zum Beitrag; ein Betrag kann folgen, sonst sind es ${REWARD_DEFAULT} USDC. Ich zeige, wer was bekäme, bevor etwas bezahlt wird:`;
      case 'unreadable':
        return line`${code(problem.found)} kann ich nicht lesen. So geht es:`;
      case 'not_a_post':
        return line`${code(problem.found)} ist kein Link zu einem Beitrag auf Farcaster. So geht es:`;
      case 'not_a_name':
        return line`${code(problem.found)} kann ich nicht als Namen auf Farcaster lesen. So geht es:`;
      case 'budget':
        return line`${code(problem.found)} lässt sich nicht aufteilen. Von ${REWARD_MIN} bis ${REWARD_MAX} USDC geht es:`;
      case 'not_decider':
        return line`Das ist für alle, die hier moderieren.`;
      case 'standing_unknown':
        return line`Ich kann nicht herausfinden, wer diese Gemeinschaft leitet, also habe ich nichts getan. Ich muss hier Mitglied sein. Versuch es in einer Minute noch einmal.`;
      case 'busy':
        return line`Eine andere Belohnung wartet auf Bestätigung. Bestätigt oder lehnt erst die ab.`;
      case 'nothing_open':
        return line`Hier wartet keine Belohnung auf Bestätigung. So entsteht eine:`;
      case 'card_over':
        return line`Über diese Belohnung ist schon entschieden.`;
      case 'being_paid':
        return line`Gerade bezahlt es jemand mit einer Wallet. Drück in einer Minute noch einmal.`;
      case 'own':
        return problem.at === null
          ? line`Du hast selbst um diese Belohnung gebeten, also muss jemand anderes aus der Moderation sie bestätigen.`
          : line`Du hast selbst um diese Belohnung gebeten. Bis ${time(problem.at)} können andere sie ablehnen, danach kannst du sie bestätigen.`;
      case 'refused':
        return whyNot(problem.reason);
      case 'unreachable':
        return line`Ich kann diesen Beitrag gerade nicht lesen, also habe ich nichts getan. Versuch es in einer Minute noch einmal.`;
      case 'missing':
        return line`In der Kasse sind ${usdc(problem.most)}, und das hier braucht ${usdc(problem.needed)} auf einem Netzwerk. ${code('/treasury deposit')} zeigt, wie man einzahlt.`;
      case 'balance_unknown':
        return line`Ich kann gerade nicht herausfinden, was in der Kasse ist. Versuch es in einer Minute noch einmal.`;
    }
  },
};

function whyNot(reason: string): Paragraph {
  switch (reason) {
    case 'content_not_found':
      return line`Diesen Beitrag finde ich nicht. Vielleicht ist er gelöscht; der Link aus der App klappt am besten.`;
    case 'no_engagement':
      return line`Auf diesen Beitrag hat noch niemand reagiert, der belohnt werden könnte.`;
    case 'budget_too_small':
      return line`Das ist zu wenig: Alle müssen mindestens ${TIP_MIN} USDC bekommen.`;
    case 'budget_too_large':
      return line`Das ist zu viel: Jeder kann höchstens ${TIP_MAX} USDC bekommen.`;
    case 'insufficient_funds':
      return line`In der Kasse ist nicht genug. ${code('/treasury deposit')} zeigt, wie man einzahlt.`;
    case 'receiver_opted_out':
      return line`Jemand auf der Liste will keine Zahlungen mehr. Eine neue Karte lässt ihn aus.`;
    case 'distribution_expired':
      return line`Die Zeit dafür ist vorbei.`;
    case 'distribution_rejected':
      return line`Es wurde abgelehnt.`;
    case 'took_too_long':
      return line`Es hat zu lange gedauert.`;
    case 'service_closing':
      return line`Dieser Dienst schließt und nimmt keine Zahlungen mehr an.`;
    case 'service_paused':
      return line`Zahlungen sind gerade angehalten.`;
    case 'unreachable':
      return line`Ich konnte den Dienst nicht erreichen.`;
    default:
      return line`Der Grund: ${code(reason)}`;
  }
}
