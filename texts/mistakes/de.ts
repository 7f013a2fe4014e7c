import { quoteText } from '../../core/characters.ts';
import { code, line, type Paragraph } from '../../core/view.ts';
import type { Mistake, MistakeCode } from '../../core/grammar/mistakes.ts';
import type { NameReason } from '../../core/grammar/name-reason.ts';
import type { mistakesEn } from './en.ts';
import {
  COOLDOWN_MAX,
  DECIMALS,
  LIFETIME_MAX,
  LIFETIME_MIN,
  NAMES_MAX,
  NOTE_CHARACTERS,
  TIP_MAX,
  TIP_MIN,
} from '../rules/rules.ts';

const MISTAKES: Record<MistakeCode, (mistake: Mistake) => Paragraph> = {
  empty_tip: () => line`Sag mir, wer wie viel bekommt:`,
  no_recipient: () => line`Für wen ist es? Schreib den Namen nach vorn:`,
  no_amount: () => line`Wie viel? Schreib den Betrag hinter den Namen:`,
  which_network: ({ found }) =>
    line`In welchem Netzwerk ist ${quoteText(found)}? Derselbe Name kann verschiedenen Leuten gehören, also schreib es dazu:`,
  unknown_network: ({ found }) =>
    line`Das Netzwerk in ${quoteText(found)} kenne ich nicht. Diese gehen: ${code('x')}, ${code('farcaster')}, ${code('github')}, eine E-Mail-Adresse oder eine Website.`,
  name_in_two_words: () => line`Schreib Netzwerk und Namen in einem Wort:`,
  bad_recipient: ({ found, reason }) => unreadable(found, reason),
  too_many_recipients: () => line`Das sind mehr als ${NAMES_MAX} Leute auf einmal.`,
  thousands_separator: ({ found }) =>
    line`Ist ${quoteText(found)} mehr als tausend, oder hat es Nachkommastellen? Schreib es anders; ein Trinkgeld ist ${TIP_MIN} bis ${TIP_MAX} USDC:`,
  shorthand_amount: ({ found }) =>
    line`Bitte schreib ${quoteText(found)} in Ziffern aus. Ein Trinkgeld ist ${TIP_MIN} bis ${TIP_MAX} USDC:`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} hat mehr als ${DECIMALS} Nachkommastellen, und dein Geld runde ich nicht:`,
  other_currency: ({ found }) =>
    line`Ich sende nur USDC (1 USDC ist einen US-Dollar wert) und habe hier keinen Kurs für ${quoteText(found)}. Wie viele USDC sind das?`,
  unreadable_amount: ({ found }) => line`${quoteText(found)} kann ich nicht als Betrag lesen:`,
  counted_amount: ({ found }) => line`Wie viele USDC sind ${quoteText(found)}? Schreib die Summe in Ziffern:`,
  word_amount: ({ found }) => line`Ist ${quoteText(found)} der Betrag? Schreib ihn in Ziffern:`,
  repeated_tip: () =>
    line`Ein Trinkgeld sende ich einmal, von selbst wiederholt sich nichts. Das hier sendet es einmal:`,
  called_off: () => line`Es wurde nichts gesendet. Wenn du es doch senden willst, sendet es das hier:`,
  all_or_wish: ({ found }) =>
    line`Ist ${quoteText(found)} ein Wunsch, oder soll ich alles senden? Das hier würde es wirklich senden:`,
  how_shared: () => line`Bekommt das jede Person, oder teilen sie es sich?`,
  two_payments: () =>
    line`Ist das ein Trinkgeld, oder sind es zwei? Wähl aus, was du meinst; ich sende eins nach dem anderen:`,
  wallet_address: () =>
    line`Das ist die Adresse einer Wallet. Ein Trinkgeld geht an den Namen einer Person; an eine Adresse sendest du dein Geld so:`,
  bank_account: () =>
    line`Auf ein Bankkonto kann ich nichts senden. Nimm einen Namen, den die Person irgendwo hat, oder ihre E-Mail-Adresse:`,
  phone_number: () =>
    line`An eine Telefonnummer kann ich nichts senden. Nimm einen Namen, den die Person irgendwo hat, oder ihre E-Mail-Adresse:`,
  platform_domain: ({ found }) => line`${quoteText(found)} ist der Dienst selbst und keine Person. Wen meinst du dort?`,
  post_of_owner: () =>
    line`Der Link sagt nicht, wer das geschrieben hat, nur, wem der Ort gehört. Ist es für diese Person?`,
  post_without_author: () => line`Der Link sagt nicht, wer das geschrieben hat. Schreib den Namen:`,
  mail_domain: ({ found }) => line`Ist ${quoteText(found)} richtig geschrieben? Wähl die Adresse, die du meinst:`,
  did_you_mean: () => line`Meinst du das?`,
  undo_is_a_button: () =>
    line`Solange ein Trinkgeld nicht abgeholt ist, lässt es sich mit dem Knopf in seiner Nachricht zurücknehmen. Hier siehst du deine:`,
  too_small: () => line`Das ist zu wenig: Ein Trinkgeld ist ${TIP_MIN} bis ${TIP_MAX} USDC pro Person.`,
  too_large: () => line`Das ist zu viel auf einmal: Ein Trinkgeld ist ${TIP_MIN} bis ${TIP_MAX} USDC pro Person.`,
  note_too_long: () => line`Die Notiz ist zu lang: Sie darf ${NOTE_CHARACTERS} Zeichen haben.`,
  no_withdraw_amount: () => line`Wie viel soll ich dorthin senden? ${code('all')} heißt alles:`,
  plain_digits: ({ found }) => line`Bitte schreib ${quoteText(found)} nur in Ziffern, zum Beispiel ${code('1000')}:`,
  command_too_long: () => line`Diese Nachricht ist mir zu lang. Ein Trinkgeld ist kurz:`,
  unknown_setting: ({ found }) =>
    line`${quoteText(found)} gibt es hier nicht einzustellen. ${code('/settings')} zeigt, was es gibt:`,
  setting_choice: () => line`Hier geht eines davon:`,
  setting_amount: () => line`Schreib einen Betrag in USDC, oder ${code('off')}:`,
  cooldown_time: () =>
    line`Schreib eine Zeit wie ${code('30s')}, ${code('5m')} oder ${code('1h')}, höchstens ${code(COOLDOWN_MAX)}, oder ${code('off')}:`,
  lifetime_time: () =>
    line`Schreib eine Zeit wie ${code('30m')} oder ${code('1h')}, von ${code(LIFETIME_MIN)} bis ${code(LIFETIME_MAX)}, oder ${code('off')}:`,
  setting_person: () =>
    line`Ich muss sicher wissen, wen du meinst. Erwähn genau eine Person, oder antworte auf eine Nachricht von ihr:`,
  setting_role: () => line`Erwähn die Rolle, oder schreib ${code('off')}:`,
};

/** Why a name cannot be read. */
function unreadable(found: string, reason: NameReason | undefined): Paragraph {
  switch (reason?.kind) {
    case 'hidden':
      return line`In ${quoteText(found)} steckt ein unsichtbares Zeichen. Tipp den Namen von Hand:`;
    case 'look_alike':
      return line`Das „${reason.character}“ in ${quoteText(found)} sieht nur aus wie „${reason.like}“. Der Name kann jemand anderem gehören, also tipp ihn von Hand:`;
    case 'character':
      return line`Kein Name auf ${reason.title} enthält ${quoteText(reason.character)}:`;
    case 'page':
      return line`Das ist eine einzelne Seite. Bezahlen kann ich nur, wem eine ganze Website gehört, oder eine Person mit Namen:`;
    case 'number':
      return line`Namen auf ${reason.title} können die Person wechseln. Erwähn die Person dort, oder nimm ihre Nummer:`;
    case 'form':
      return line`${quoteText(found)} kann kein Name für ${reason.title} sein:`;
    case undefined:
      return line`Den Namen ${quoteText(found)} kann ich nicht lesen:`;
  }
}

export const mistakesDe: typeof mistakesEn = {
  mistake: (mistake) => MISTAKES[mistake.code](mistake),
};
