import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { AddressRefusal } from '../../core/payments/payout-address.ts';
import { AT_ONCE_DAILY_MAX } from '../../core/wallets/withdrawal-wait.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import { WITHDRAWALS_DAILY_MAX, WITHDRAWALS_OPEN_MAX } from '../../core/wallets/withdrawal-wait.ts';
import type { WithdrawalFailure } from '../../core/states.ts';
import type { withdrawalsEn } from './en.ts';
import { WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('de');

const ADDRESS_REFUSALS: Record<AddressRefusal, string> = {
  not_an_address:
    'Das ist keine Adresse. Auf Base sind es 0x und 40 Ziffern oder Buchstaben von a bis f, auf Solana 32 bis 44 Buchstaben und Ziffern.',
  wrong_checksum:
    'In dieser Adresse ist ein Tippfehler: Ihre Groß- und Kleinbuchstaben passen nicht zusammen. Bitte kopier sie noch einmal.',
  ours: 'Diese Adresse gehört zu diesem Dienst. Bitte nimm eine eigene.',
  nobody: 'Diese Adresse gehört niemandem: Geld, das dorthin geht, wäre verloren.',
  system: 'Diese Adresse ist ein Teil des Netzwerks, nicht die eines Menschen: Geld, das dorthin geht, wäre verloren.',
  token: 'Das ist die Adresse eines Tokens, nicht die eines Menschen.',
  token_account: 'Das ist ein Token-Konto. Bitte nimm die Adresse der Wallet, der es gehört.',
  special_account:
    'Dieses Konto ist für Staking oder für spätere Unterschriften da. Bitte nimm die Adresse der Wallet.',
  program: 'Diese Adresse gehört einem Programm, nicht der Wallet eines Menschen.',
  foreign_account: 'Das USDC-Konto dieser Wallet gehört inzwischen jemand anderem, und dort käme das Geld an.',
  blacklisted: 'Der Herausgeber von USDC hat diese Adresse gesperrt, deshalb können dort keine USDC ankommen.',
};

const FAILURES: Record<WithdrawalFailure, string> = {
  insufficient_funds: 'So viel ist nicht mehr in der Wallet.',
  sender_blacklisted: 'USDC lässt diese Wallet nicht senden.',
  recipient_blacklisted: 'USDC lässt diese Adresse nicht empfangen.',
  forbidden_address: 'Geld an diese Adresse wäre verloren, deshalb wird es nicht gesendet.',
  no_token_account: 'Diese Adresse hat noch kein USDC-Konto, und gerade lässt sich keines eröffnen.',
  token_account_not_theirs: 'Das USDC-Konto dieser Adresse gehört inzwischen jemand anderem.',
  invalid_signature: 'Unterschrieben wurde etwas anderes als das Gewünschte, deshalb wird es nicht gesendet.',
  failed_on_chain: 'Das Netzwerk hat die Überweisung mehrmals abgelehnt.',
  gave_up: 'Es ließ sich nicht rechtzeitig senden. Bitte fang noch einmal an.',
  cancelled: 'Es wurde abgebrochen.',
};
// A map, because the word comes from a row that may be older than this program.
const BY_WORD = new Map<string, string>(Object.entries(FAILURES));
export const whyFailedDe = (failure: string | null): string =>
  BY_WORD.get(failure ?? '') ?? 'Sie ließen sich nicht senden.';

export const withdrawalsDe: typeof withdrawalsEn = {
  withdrawHelp: (isGuarded) => [
    line`Sag mir, wie viel an welche Adresse gehen soll: ${code('/withdraw all 0x…')} oder ${code('/withdraw 5 0x…')}.`,
    line`Eine Adresse, die mit 0x anfängt, ist auf Base, jede andere auf Solana. Ich zeige dir alles, bevor ich es sende.`,
    isGuarded
      ? line`Ein Passkey schützt dieses Geld, und ein Chat kann nicht nach ihm fragen. Was du hier auszahlst, geht darum nach ${WITHOUT_PASSKEY_HOURS} Stunden hinaus. Mit dem Passkey, auf der Seite deines Geldes, geht es schneller.`
      : line`An die erste Adresse gehen ${people(AT_ONCE_DAILY_MAX)} USDC am Tag sofort. Mehr, und alles an eine andere neue Adresse, geht nach ${WITHDRAWAL_WAIT_HOURS} Stunden, oder nach bis zu ${WITHDRAWAL_WAIT_MAX_HOURS}, wenn wir dich in einem anderen Chat oder per E-Mail nicht erreichen.`,
  ],
  confirmWithdraw: ({ amount, place, address }, name) => [
    line`${usdc(amount)}${name === null ? '' : ` von dem, was du als ${nameForPayer(name, 'de')} aufbewahrst,`} auf ${strong(place)} an diese Adresse senden?`,
    line`${code(address)}`,
    line`Bitte vergleiche sie noch einmal: Was an eine falsche Adresse geht, lässt sich nicht zurückholen.`,
  ],
  confirmWithdrawButton: (amount) => `${people(amount)} USDC senden`,

  withdrawLeaves: (at, isGuarded) =>
    isGuarded
      ? line`Ein Passkey schützt dieses Geld, und ein Chat kann nicht nach ihm fragen. Darum geht es am ${time(at)} hinaus. Bis dahin kannst du es abbrechen.`
      : line`Diese Adresse ist für diese Wallet neu, deshalb geht das Geld am ${time(at)}: So kann es niemand unbemerkt nehmen. Bis dahin kannst du es abbrechen.`,
  withdrawWaits: ({ amount, place, address }, at) =>
    line`${usdc(amount)} gehen am ${time(at)} auf ${place} an ${code(address)}. Bis dahin bleiben sie, wo sie sind.`,
  withdrawNotYou: () =>
    line`Warst das nicht du, brich es mit ${code('/withdraw cancel')} ab und sperr alle Ausgaben mit ${code('/lock')}.`,
  cancelWithdraw: () => 'Abbrechen',
  withdrawCancelled: ({ amount, place, address }) =>
    line`Abgebrochen: ${usdc(amount)} für ${code(address)} auf ${place} bleiben, wo sie sind.`,
  withdrawBecomesKnown: ({ amount, place, address }, at) =>
    line`${usdc(amount)} gingen auf ${place} an ${code(address)}. Ab ${time(at)} kann jeder Betrag sofort an diese Adresse gehen.`,
  withdrawNewAgain: ({ amount, place, address }) =>
    line`An ${code(address)} auf ${place} geht nichts mehr sofort: Die Adresse gilt wieder als neu. ${usdc(amount)} waren schon gegangen.`,
  noWithdrawWaits: () => line`Es wartet keine Auszahlung, die sich abbrechen ließe.`,

  withdrawWaitsForAccount: ({ amount, place, address }, at) =>
    line`${code(address)} hat auf ${place} noch kein USDC-Konto, und die Konten, die ich an einem Tag eröffne, sind aufgebraucht. ${usdc(amount)} bleiben, wo sie sind; ab ${time(at)} versuche ich es wieder.`,
  withdrawing: ({ amount, place, address }) =>
    line`Ich sende ${usdc(amount)} auf ${place} an ${code(address)}. Das kann einige Minuten dauern, und es kann nicht doppelt gesendet werden.`,
  withdrawn: ({ amount, place, address }) => line`${usdc(amount)} sind auf ${place} bei ${code(address)} angekommen.`,
  transaction: (transaction) => [muted(`Transaktion ${transaction}`)],
  seeTransaction: () => 'Transaktion ansehen',
  withdrawFailed: ({ amount }, failure) =>
    line`Deine ${usdc(amount)} sind geblieben, wo sie waren. ${whyFailedDe(failure)}`,

  withdrawProblem: (problem) => {
    switch (problem.code) {
      case 'network_off':
        return line`Auf ${problem.place} kann hier nichts gesendet werden.`;
      case 'which_network':
        return line`Auf welchem Netzwerk?`;
      case 'unreachable':
        return line`Ich erreiche ${problem.place} gerade nicht, also habe ich nichts gesendet. Bitte versuch es in einer Minute noch einmal.`;
      case 'address':
        return line`${ADDRESS_REFUSALS[problem.reason]}`;
      case 'own_address':
        return line`Das ist die Adresse dieser Wallet selbst. Bitte nimm eine andere.`;
      case 'too_little':
        return line`Ich sende mindestens ${people(problem.least)} USDC.`;
      case 'not_enough':
        return problem.held === 0n
          ? line`Auf ${problem.place} ist nichts da.`
          : line`Auf ${problem.place} sind nur ${people(problem.held)} USDC da.`;
    }
  },
  withdrawNotHeld: () => line`Diese Wallet steht dir nicht mehr offen, also habe ich nichts gesendet.`,
  // The sentence that comes along is English, so this one says both limits.
  withdrawLimited: () =>
    line`Aus einer Wallet können ${String(WITHDRAWALS_OPEN_MAX)} Auszahlungen zugleich unterwegs sein, und ${String(WITHDRAWALS_DAILY_MAX)} gehen am Tag. Warte, bis eine angekommen ist, oder mach morgen weiter.`,
};
