import { quoteText } from '../../core/characters.ts';
import { code, line, type Paragraph } from '../../core/view.ts';
import type { Mistake, MistakeCode } from '../../core/grammar/mistakes.ts';
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

/** The reason in `detail` is English, so a name is only said to be unreadable here. */
const MISTAKES: Record<MistakeCode, (mistake: Mistake) => Paragraph> = {
  empty_tip: () => line`Sag mir, wer wie viel bekommt:`,
  no_recipient: () => line`Für wen ist es? Schreib den Namen nach vorn:`,
  no_amount: () => line`Wie viel? Schreib den Betrag hinter den Namen:`,
  which_network: ({ found }) =>
    line`In welchem Netzwerk ist ${quoteText(found)}? Derselbe Name kann verschiedenen Leuten gehören, also schreib es dazu:`,
  unknown_network: ({ found }) =>
    line`Das Netzwerk in ${quoteText(found)} kenne ich nicht. Diese gehen: ${code('x')}, ${code('farcaster')}, ${code('github')}, eine E-Mail-Adresse oder eine Website.`,
  name_in_two_words: () => line`Schreib Netzwerk und Namen in einem Wort:`,
  bad_recipient: ({ found }) =>
    line`Den Namen ${quoteText(found)} kann ich nicht lesen, vielleicht wegen eines falschen oder unsichtbaren Zeichens. Tipp ihn noch einmal ein, etwa so:`,
  too_many_recipients: () => line`Das sind mehr als ${NAMES_MAX} Leute auf einmal.`,
  thousands_separator: ({ found }) =>
    line`Ich weiß nicht, ob ${quoteText(found)} eins oder tausend heißt. Schreib es ohne Trennzeichen; ein Trinkgeld ist ${TIP_MIN} bis ${TIP_MAX} USDC:`,
  shorthand_amount: ({ found }) =>
    line`Bitte schreib ${quoteText(found)} in Ziffern aus. Ein Trinkgeld ist ${TIP_MIN} bis ${TIP_MAX} USDC:`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} hat mehr als ${DECIMALS} Nachkommastellen, und dein Geld runde ich nicht:`,
  other_currency: ({ found }) =>
    line`Ich sende nur USDC (1 USDC ist einen US-Dollar wert), deshalb geht ${quoteText(found)} nicht:`,
  unreadable_amount: ({ found }) => line`${quoteText(found)} kann ich nicht als Betrag lesen:`,
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

export const mistakesDe: typeof mistakesEn = {
  mistake: (mistake) => MISTAKES[mistake.code](mistake),
};
