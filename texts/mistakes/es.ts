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
  empty_tip: () => line`Dime a quién y cuánto:`,
  no_recipient: () => line`¿Para quién es? Pon primero el nombre:`,
  no_amount: () => line`¿Cuánto? Pon la cantidad después del nombre:`,
  which_network: ({ found }) =>
    line`¿De qué red es ${quoteText(found)}? El mismo nombre puede ser de personas distintas, así que añade la red:`,
  unknown_network: ({ found }) =>
    line`No conozco la red de ${quoteText(found)}. Funcionan ${code('x')}, ${code('farcaster')}, ${code('github')}, un correo electrónico o un sitio web.`,
  name_in_two_words: () => line`Escribe la red y el nombre en una sola palabra:`,
  bad_recipient: ({ found }) =>
    line`No puedo leer el nombre ${quoteText(found)}; quizá tenga un carácter equivocado o invisible. Escríbelo otra vez, por ejemplo así:`,
  too_many_recipients: () => line`Son más de ${NAMES_MAX} personas a la vez.`,
  thousands_separator: ({ found }) =>
    line`No sé si ${quoteText(found)} significa uno o mil. Escríbelo sin separadores; una propina es de ${TIP_MIN} a ${TIP_MAX} USDC:`,
  shorthand_amount: ({ found }) =>
    line`Escribe ${quoteText(found)} con todas sus cifras. Una propina es de ${TIP_MIN} a ${TIP_MAX} USDC:`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} tiene más de ${DECIMALS} decimales, y yo no redondeo tu dinero:`,
  other_currency: ({ found }) =>
    line`Solo envío USDC (1 USDC vale un dólar estadounidense), así que ${quoteText(found)} no sirve:`,
  unreadable_amount: ({ found }) => line`No entiendo ${quoteText(found)} como cantidad:`,
  too_small: () => line`Es muy poco: una propina es de ${TIP_MIN} a ${TIP_MAX} USDC por persona.`,
  too_large: () => line`Es demasiado de una vez: una propina es de ${TIP_MIN} a ${TIP_MAX} USDC por persona.`,
  note_too_long: () => line`Esa nota es demasiado larga: puede tener hasta ${NOTE_CHARACTERS} caracteres.`,
  no_withdraw_amount: () => line`¿Cuánto envío ahí? Con ${code('all')} va todo:`,
  plain_digits: ({ found }) => line`Escribe ${quoteText(found)} solo con cifras, por ejemplo ${code('1000')}:`,
  command_too_long: () => line`Ese mensaje es demasiado largo para mí. Una propina es corta:`,
  unknown_setting: ({ found }) =>
    line`No se puede ajustar ${quoteText(found)}. ${code('/settings')} muestra lo que hay:`,
  setting_choice: () => line`Aquí sirve una de estas:`,
  setting_amount: () => line`Escribe una cantidad en USDC, o ${code('off')}:`,
  cooldown_time: () =>
    line`Escribe un tiempo como ${code('30s')}, ${code('5m')} o ${code('1h')}, hasta ${code(COOLDOWN_MAX)}, o ${code('off')}:`,
  lifetime_time: () =>
    line`Escribe un tiempo como ${code('30m')} o ${code('1h')}, de ${code(LIFETIME_MIN)} a ${code(LIFETIME_MAX)}, o ${code('off')}:`,
  setting_person: () =>
    line`Necesito saber con certeza a quién te refieres. Menciona a una sola persona, o responde a un mensaje suyo:`,
  setting_role: () => line`Menciona el rol, o escribe ${code('off')}:`,
};

export const mistakesEs: typeof mistakesEn = {
  mistake: (mistake) => MISTAKES[mistake.code](mistake),
};
