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
  empty_tip: () => line`Diga para quem e quanto:`,
  no_recipient: () => line`Para quem é? Coloque o nome primeiro:`,
  no_amount: () => line`Quanto? Coloque o valor depois do nome:`,
  which_network: ({ found }) =>
    line`${quoteText(found)} de qual rede? O mesmo nome pode ser de pessoas diferentes, então coloque a rede:`,
  unknown_network: ({ found }) =>
    line`Não conheço a rede em ${quoteText(found)}. Estas funcionam: ${code('x')}, ${code('farcaster')}, ${code('github')}, um e-mail ou um site.`,
  name_in_two_words: () => line`Escreva a rede e o nome em uma palavra só:`,
  bad_recipient: ({ found }) =>
    line`Não consigo ler o nome ${quoteText(found)}; talvez tenha um caractere errado ou invisível. Digite de novo, por exemplo assim:`,
  too_many_recipients: () => line`São mais de ${NAMES_MAX} pessoas de uma vez.`,
  thousands_separator: ({ found }) =>
    line`Não sei se ${quoteText(found)} quer dizer um ou mil. Escreva sem separadores; uma gorjeta é de ${TIP_MIN} a ${TIP_MAX} USDC:`,
  shorthand_amount: ({ found }) =>
    line`Escreva ${quoteText(found)} com todos os algarismos. Uma gorjeta é de ${TIP_MIN} a ${TIP_MAX} USDC:`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} tem mais de ${DECIMALS} casas decimais, e eu não arredondo o seu dinheiro:`,
  other_currency: ({ found }) =>
    line`Eu só envio USDC (1 USDC vale um dólar americano), então ${quoteText(found)} não funciona:`,
  unreadable_amount: ({ found }) => line`Não consigo ler ${quoteText(found)} como valor:`,
  too_small: () => line`É muito pouco: uma gorjeta é de ${TIP_MIN} a ${TIP_MAX} USDC por pessoa.`,
  too_large: () => line`É demais de uma vez: uma gorjeta é de ${TIP_MIN} a ${TIP_MAX} USDC por pessoa.`,
  note_too_long: () => line`Esse recado é longo demais: ele pode ter até ${NOTE_CHARACTERS} caracteres.`,
  no_withdraw_amount: () => line`Quanto eu envio para lá? ${code('all')} é tudo:`,
  plain_digits: ({ found }) => line`Escreva ${quoteText(found)} só com algarismos, como ${code('1000')}:`,
  command_too_long: () => line`Esse texto é longo demais para mim. Uma gorjeta é curta:`,
  unknown_setting: ({ found }) =>
    line`Não dá para ajustar ${quoteText(found)}. ${code('/settings')} mostra o que existe:`,
  setting_choice: () => line`Aqui funciona uma destas:`,
  setting_amount: () => line`Escreva um valor em USDC, ou ${code('off')}:`,
  cooldown_time: () =>
    line`Escreva um tempo como ${code('30s')}, ${code('5m')} ou ${code('1h')}, até ${code(COOLDOWN_MAX)}, ou ${code('off')}:`,
  lifetime_time: () =>
    line`Escreva um tempo como ${code('30m')} ou ${code('1h')}, de ${code(LIFETIME_MIN)} a ${code(LIFETIME_MAX)}, ou ${code('off')}:`,
  setting_person: () =>
    line`Preciso saber com certeza quem você quer dizer. Mencione só uma pessoa, ou responda a uma mensagem dela:`,
  setting_role: () => line`Mencione o cargo, ou escreva ${code('off')}:`,
};

export const mistakesPt: typeof mistakesEn = {
  mistake: (mistake) => MISTAKES[mistake.code](mistake),
};
