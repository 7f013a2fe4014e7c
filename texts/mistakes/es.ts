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
  empty_tip: () => line`Dime a quién y cuánto:`,
  no_recipient: () => line`¿Para quién es? Pon primero el nombre:`,
  no_amount: () => line`¿Cuánto? Pon la cantidad después del nombre:`,
  which_network: ({ found }) =>
    line`¿De qué red es ${quoteText(found)}? El mismo nombre puede ser de personas distintas, así que añade la red:`,
  unknown_network: ({ found }) =>
    line`No conozco la red de ${quoteText(found)}. Funcionan ${code('x')}, ${code('farcaster')}, ${code('github')}, un correo electrónico o un sitio web.`,
  name_in_two_words: () => line`Escribe la red y el nombre en una sola palabra:`,
  bad_recipient: ({ found, reason }) => unreadable(found, reason),
  too_many_recipients: () => line`Son más de ${NAMES_MAX} personas a la vez.`,
  thousands_separator: ({ found }) =>
    line`¿${quoteText(found)} es más de mil, o lleva decimales? Escríbelo de otra forma; una propina es de ${TIP_MIN} a ${TIP_MAX} USDC:`,
  shorthand_amount: ({ found }) =>
    line`Escribe ${quoteText(found)} con todas sus cifras. Una propina es de ${TIP_MIN} a ${TIP_MAX} USDC:`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} tiene más de ${DECIMALS} decimales, y yo no redondeo tu dinero:`,
  other_currency: ({ found }) =>
    line`Solo envío USDC (1 USDC vale un dólar estadounidense) y aquí no tengo tipo de cambio para ${quoteText(found)}. ¿Cuántos USDC son?`,
  unreadable_amount: ({ found }) => line`No entiendo ${quoteText(found)} como cantidad:`,
  counted_amount: ({ found }) => line`¿Cuántos USDC son ${quoteText(found)}? Escribe la suma en cifras:`,
  word_amount: ({ found }) => line`¿Es ${quoteText(found)} la cantidad? Escríbela en cifras:`,
  repeated_tip: () => line`Envío una propina una sola vez; nada se repite solo. Esto la envía una vez:`,
  called_off: () => line`No se ha enviado nada. Si quieres enviarla, esto la envía:`,
  all_or_wish: ({ found }) =>
    line`¿${quoteText(found)} es un deseo, o quieres enviarlo todo? Esto lo enviaría de verdad:`,
  how_shared: () => line`¿Es para cada persona, o se lo reparten?`,
  two_payments: () => line`¿Es una propina o son dos? Elige lo que quieres decir; envío una cada vez:`,
  wallet_address: () =>
    line`Eso es la dirección de una billetera. Una propina va al nombre de una persona; para enviar tu dinero a una dirección, usa esto:`,
  bank_account: () =>
    line`No puedo pagar a una cuenta bancaria. Usa un nombre que la persona tenga en algún sitio, o su correo:`,
  phone_number: () =>
    line`No puedo pagar a un número de teléfono. Usa un nombre que la persona tenga en algún sitio, o su correo:`,
  platform_domain: ({ found }) =>
    line`${quoteText(found)} es el sitio mismo, no una persona. ¿A quién te refieres allí?`,
  post_of_owner: () => line`Ese enlace no dice quién lo escribió, solo de quién es el lugar. ¿Es para esa persona?`,
  post_without_author: () => line`Ese enlace no dice quién lo escribió. Escribe el nombre:`,
  mail_domain: ({ found }) => line`¿Está bien escrito ${quoteText(found)}? Elige la dirección que quieres:`,
  did_you_mean: () => line`¿Querías decir esto?`,
  undo_is_a_button: () =>
    line`Mientras nadie recoja una propina, puedes cancelar el envío con el botón de su propio mensaje. Aquí ves las tuyas:`,
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

/** Why a name cannot be read. */
function unreadable(found: string, reason: NameReason | undefined): Paragraph {
  switch (reason?.kind) {
    case 'hidden':
      return line`En ${quoteText(found)} hay un carácter invisible. Escribe el nombre a mano:`;
    case 'look_alike':
      return line`La «${reason.character}» de ${quoteText(found)} solo se parece a «${reason.like}». Podría ser el nombre de otra persona, así que escríbelo a mano:`;
    case 'character':
      return line`Ningún nombre de ${reason.title} lleva ${quoteText(reason.character)}:`;
    case 'page':
      return line`Eso es una sola página. Solo puedo pagar a quien tiene un sitio web entero, o a una persona por su nombre:`;
    case 'number':
      return line`Los nombres de ${reason.title} pueden cambiar de dueño. Menciona a la persona allí, o usa su número:`;
    case 'form':
      return line`${quoteText(found)} no puede ser un nombre de ${reason.title}:`;
    case undefined:
      return line`No puedo leer el nombre ${quoteText(found)}:`;
  }
}

export const mistakesEs: typeof mistakesEn = {
  mistake: (mistake) => MISTAKES[mistake.code](mistake),
};
