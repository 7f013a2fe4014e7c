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
  empty_tip: () => line`Diga para quem e quanto:`,
  no_recipient: () => line`Para quem é? Coloque o nome primeiro:`,
  no_amount: () => line`Quanto? Coloque o valor depois do nome:`,
  which_network: ({ found }) =>
    line`${quoteText(found)} de qual rede? O mesmo nome pode ser de pessoas diferentes, então coloque a rede:`,
  unknown_network: ({ found }) =>
    line`Não conheço a rede em ${quoteText(found)}. Estas funcionam: ${code('x')}, ${code('farcaster')}, ${code('github')}, um e-mail ou um site.`,
  name_in_two_words: () => line`Escreva a rede e o nome em uma palavra só:`,
  bad_recipient: ({ found, reason }) => unreadable(found, reason),
  too_many_recipients: () => line`São mais de ${NAMES_MAX} pessoas de uma vez.`,
  thousands_separator: ({ found }) =>
    line`${quoteText(found)} é mais de mil, ou tem casas decimais? Escreva de outro jeito; uma gorjeta é de ${TIP_MIN} a ${TIP_MAX} USDC:`,
  shorthand_amount: ({ found }) =>
    line`Escreva ${quoteText(found)} com todos os algarismos. Uma gorjeta é de ${TIP_MIN} a ${TIP_MAX} USDC:`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} tem mais de ${DECIMALS} casas decimais, e eu não arredondo o seu dinheiro:`,
  other_currency: ({ found }) =>
    line`Eu só envio USDC (1 USDC vale um dólar americano) e aqui não tenho cotação para ${quoteText(found)}. Quantos USDC são?`,
  unreadable_amount: ({ found }) => line`Não consigo ler ${quoteText(found)} como valor:`,
  counted_amount: ({ found }) => line`Quantos USDC são ${quoteText(found)}? Escreva o valor em números:`,
  word_amount: ({ found }) => line`${quoteText(found)} é o valor? Escreva em números:`,
  repeated_tip: () => line`Eu envio uma gorjeta uma só vez; nada se repete sozinho. Isto envia uma vez:`,
  called_off: () => line`Nada foi enviado. Se você quiser enviar, isto envia:`,
  all_or_wish: ({ found }) => line`${quoteText(found)} é um desejo, ou é para enviar tudo? Isto enviaria de verdade:`,
  how_shared: () => line`É para cada pessoa, ou elas dividem?`,
  two_payments: () => line`É uma gorjeta ou são duas? Escolha o que você quer dizer; eu envio uma de cada vez:`,
  wallet_address: () =>
    line`Isso é o endereço de uma carteira. Uma gorjeta vai para o nome de uma pessoa; para enviar seu dinheiro a um endereço, use isto:`,
  bank_account: () =>
    line`Não posso pagar a uma conta bancária. Use um nome que a pessoa tenha em algum lugar, ou o e-mail dela:`,
  phone_number: () =>
    line`Não posso pagar a um número de telefone. Use um nome que a pessoa tenha em algum lugar, ou o e-mail dela:`,
  platform_domain: ({ found }) => line`${quoteText(found)} é o próprio site, não uma pessoa. Quem é a pessoa lá?`,
  post_of_owner: () => line`Esse link não diz quem escreveu, só de quem é o lugar. É para essa pessoa?`,
  post_without_author: () => line`Esse link não diz quem escreveu. Escreva o nome:`,
  mail_domain: ({ found }) => line`${quoteText(found)} está escrito certo? Escolha o endereço que você quer:`,
  did_you_mean: () => line`Você quis dizer isto?`,
  undo_is_a_button: () =>
    line`Enquanto ninguém recebe uma gorjeta, dá para desfazê-la com o botão na mensagem dela. Aqui estão as suas:`,
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

/** Why a name cannot be read. */
function unreadable(found: string, reason: NameReason | undefined): Paragraph {
  switch (reason?.kind) {
    case 'hidden':
      return line`Há um caractere invisível em ${quoteText(found)}. Digite o nome à mão:`;
    case 'look_alike':
      return line`O “${reason.character}” em ${quoteText(found)} só parece “${reason.like}”. Pode ser o nome de outra pessoa, então digite à mão:`;
    case 'character':
      return line`Nenhum nome no ${reason.title} tem ${quoteText(reason.character)}:`;
    case 'page':
      return line`Isso é uma página só. Só posso pagar a quem tem um site inteiro, ou a uma pessoa pelo nome:`;
    case 'number':
      return line`Nomes no ${reason.title} podem mudar de dono. Mencione a pessoa lá, ou use o número dela:`;
    case 'form':
      return line`${quoteText(found)} não pode ser um nome para ${reason.title}:`;
    case undefined:
      return line`Não consigo ler o nome ${quoteText(found)}:`;
  }
}

export const mistakesPt: typeof mistakesEn = {
  mistake: (mistake) => MISTAKES[mistake.code](mistake),
};
