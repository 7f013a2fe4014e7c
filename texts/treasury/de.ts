import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { treasuryEn } from './en.ts';
import { TREASURY_CARD_HOURS, TREASURY_WAIT_HOURS } from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('de');

export const treasuryDe: typeof treasuryEn = {
  treasuryTitle: () => line`Was diese Gemeinschaft für Belohnungen hat:`,
  treasuryHolds: ({ place, amount }) =>
    amount === null ? line`Auf ${place}: gerade nicht erreichbar.` : line`Auf ${place}: ${usdc(amount)}`,
  treasuryAddress: ({ place, active, waiting }) => [
    ...(active === null
      ? line`Keine Adresse für Auszahlungen auf ${place}.`
      : line`Auszahlungen auf ${place} gehen an ${code(active)}.`),
    ...(waiting === null ? [] : line` Ab ${time(waiting.at)}: ${code(waiting.address)}`),
  ],
  treasuryHow: () => [
    line`Einzahlen kann jeder: ${code('/treasury deposit')}. Alle können nachlesen, was kam und ging: ${code('/treasury statement')}.`,
    line`Damit Geld hinausgehen kann, nennt der Eigentümer mit ${code('/treasury address 0x…')} eine Adresse. Nach ${TREASURY_WAIT_HOURS} Stunden fragt ${code('/treasury withdraw 5 base')} hier nach, und der Eigentümer und noch jemand aus der Moderation drücken auf Bestätigen.`,
    [
      muted(
        'Werde ich entfernt, bleibt das Geld, wo es ist, und nichts kann hinaus. Ladet mich wieder ein, und alles ist wie zuvor.',
      ),
    ],
  ],
  treasuryDeposit: (addresses) => [
    line`Dieses Geld ist für die Belohnungen der Gemeinschaft. Wer einzahlt, gibt es her.`,
    ...addresses.flatMap(({ place, address }) => [line`${strong(`USDC auf ${place}`)}:`, line`${code(address)}`]),
    line`Nur USDC: Alles andere könnte verloren gehen. Aus deiner Wallet hier:`,
  ],
  treasuryGive: (amount, place) =>
    line`${usdc(amount)} auf ${strong(place)} dieser Gemeinschaft geben? Wer einzahlt, verschenkt es.`,
  treasuryGiveNow: (amount) => `${people(amount)} USDC geben`,
  treasuryStatement: () => 'Auszug als CSV',
  treasuryStatementSays: () =>
    line`Was hinausging, steht dort mit seiner Transaktion. Bei dem, was kam, stimmt der Betrag genau, und die Zeit ist die, zu der ich es gesehen habe: Ich sehe jede Stunde nach, und was dazwischen zusammenkam, ist eine Zeile.`,

  treasuryAddressSet: ({ place, address, by, at }) => [
    line`${strong(by)} möchte, dass Auszahlungen dieser Gemeinschaft auf ${strong(place)} hierhin gehen:`,
    line`${code(address)}`,
    line`Sie gilt ab ${time(at)}. Bis dahin können alle, die hier moderieren, sie stoppen.`,
  ],
  cancelTreasuryAddress: (place) => `Diese Adresse auf ${place} stoppen`,
  treasuryAddressCancelled: ({ place, address, by }) =>
    line`Die Adresse ${code(address)} auf ${place} gilt nicht: ${strong(by)} hat sie gestoppt.`,
  treasuryAddressDropped: (place) => line`Erledigt. Diese Adresse auf ${strong(place)} gilt nicht mehr.`,

  treasuryAsk: ({ amount, place, address, by }, confirmed) => [
    line`${strong(by)} möchte ${usdc(amount)} vom Geld dieser Gemeinschaft auf ${strong(place)} auszahlen, an:`,
    line`${code(address)}`,
    line`Der Eigentümer und noch jemand aus der Moderation müssen innerhalb von ${TREASURY_CARD_HOURS} Stunden bestätigen; der Eigentümer allein, wenn sonst niemand moderiert. Ein Ablehnen beendet es.`,
    ...(confirmed.length === 0 ? [] : [line`Bestätigt von ${strong(confirmed.join(', '))}`]),
  ],
  treasuryConfirm: (amount) => `${people(amount)} USDC bestätigen`,
  treasuryReject: () => 'Ablehnen',
  treasuryRejected: ({ amount, place }, by) =>
    line`${strong(by)} hat die Auszahlung von ${usdc(amount)} auf ${place} abgelehnt. Nichts wurde bewegt.`,
  treasuryExpired: ({ amount, place }) =>
    line`Die Auszahlung von ${usdc(amount)} auf ${place} ist vorbei: Es haben nicht rechtzeitig genug bestätigt, oder ihre Adresse gilt nicht mehr. Nichts wurde bewegt.`,

  treasuryProblem: (problem) => {
    switch (problem.code) {
      case 'elsewhere':
        return line`Schreib ${code('/treasury')} in dem Server oder der Gruppe, um deren Geld es geht.`;
      case 'small_group':
        return line`Telegram gäbe dieser Gruppe eine andere Nummer, wenn sie wächst, und ihr Geld bliebe zurück. Zeigt neuen Mitgliedern in den Einstellungen der Gruppe den Chatverlauf: Dann hat sie ihre letzte Nummer und kann eine Kasse haben.`;
      case 'unreadable':
        return line`Ich kann ${code(problem.found)} nicht lesen. Das geht:`;
      case 'not_owner':
        return line`Wohin das Geld der Gemeinschaft geht, legt nur der Eigentümer fest.`;
      case 'not_moderator':
        return line`Das dürfen nur die, die hier moderieren.`;
      case 'no_owner':
        return line`Diese Gemeinschaft gehört gerade niemandem, also bleibt ihr Geld, wo es ist, bis sie jemandem gehört.`;
      case 'standing_unknown':
        return line`Ich kann nicht feststellen, wer diese Gemeinschaft leitet, also habe ich nichts getan. Ich muss hier Mitglied sein. Versuch es in einer Minute noch einmal.`;
      case 'which_network':
        return line`Auf welchem Netzwerk?`;
      case 'no_address':
        return line`Auf ${problem.place} gibt es keine Adresse für Auszahlungen. Der Eigentümer nennt sie, und nach ${TREASURY_WAIT_HOURS} Stunden gilt sie:`;
      case 'address_waits':
        return line`Die Adresse auf ${problem.place} gilt ab ${time(problem.at)}. Bis dahin kann nichts hinaus.`;
      case 'busy':
        return line`Eine andere Auszahlung wartet auf Bestätigung. Bestätigt diese erst oder lehnt sie ab:`;
      case 'address_over':
        return line`Da ist nichts zu stoppen: Diese Adresse gilt schon, oder sie gilt nicht mehr.`;
      case 'card_over':
        return line`Über diese Auszahlung ist schon entschieden.`;
      case 'limited':
        return line`Zu viele Auszahlungen auf einmal, also ist nichts geschehen. Wartet, bis eine angekommen ist, oder macht morgen weiter.`;
    }
  },
};
