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
    ? `Para quem está aqui há ${KNOWN_DAYS} dias e teve ${KNOWN_ANSWERS} mensagens respondidas por outras pessoas.`
    : `Para quem tem o cargo ${role} e para quem modera.`;

export const dropsPt: typeof dropsEn = {
  dropCard: ({ giver, amount, share, people, role, time, isTreasury }, taken) => [
    line`${giver} distribui ${usdc(amount)}: ${usdc(share)} por pessoa, para ${String(people)} pessoas.`,
    line`Ocupadas: ${strong(`${taken} de ${people}`)}. Fecha ${time} depois do início.`,
    [
      muted(
        `${who(role)} Uma parte por pessoa. ${isTreasury ? 'Quem modera confirma a lista antes do pagamento.' : 'A lista é conferida antes do pagamento.'}`,
      ),
    ],
  ],
  dropCommunity: (place) => (place === 'start' ? 'A comunidade' : 'a comunidade'),
  takeShare: () => 'Quero participar',
  callOffDrop: () => 'Cancelar',
  seeDropList: () => 'Ver a lista',
  dropStage: (stage, { giver, amount, taken, hours, confirmed, quorum }) => {
    switch (stage) {
      case 'closed':
        return line`Fechado: ${strong(String(taken))} pediram uma parte de ${usdc(amount)}. ${giver} confere a lista e paga em até ${String(hours)} horas.`;
      case 'listed':
        return line`Fechado: ${strong(String(taken))} pediram uma parte de ${usdc(amount)} da tesouraria. Quem modera confirma a lista: ${strong(`${confirmed} de ${quorum}`)} até agora. É pago em até ${String(hours)} horas, ou não é pago.`;
      case 'unpaid':
        return line`A distribuição de ${usdc(amount)} de ${giver} não pôde ser paga. Nada foi cobrado de ninguém.`;
      case 'called_off':
        return line`${giver} cancelou a distribuição de ${usdc(amount)}. Ninguém foi pago.`;
      case 'nobody':
        return line`${giver} quis distribuir ${usdc(amount)}. Ninguém pediu uma parte.`;
      case 'lapsed':
        return line`${giver} não pagou a tempo a distribuição de ${usdc(amount)}. Ninguém foi pago.`;
    }
  },
  tookShare: ({ share, giver }) =>
    line`Você está dentro: ${usdc(share)} para você, assim que ${giver} conferir a lista e pagar.`,
  takeProblem: (problem, { role }) => {
    switch (problem) {
      case 'own':
        return [line`Essa distribuição é sua. É para as outras pessoas.`];
      case 'not_eligible':
        return [line`Esta ainda não é para você.`, line`${who(role)}`];
      case 'other_name':
        return [line`Você já tem uma parte, com outro nome seu.`];
      case 'full':
        return [line`Todas as partes já foram pedidas.`];
      case 'over':
        return [line`Esta distribuição não aceita mais ninguém.`];
      case 'unknown':
        return [line`Agora não consigo ver quem tem o cargo. Toque de novo daqui a pouco.`];
      case 'takes_nothing':
        return [
          line`Você pediu para não receber pagamentos assim, por isso deixo você de fora. ${code('/privacy')} e ${code('/block')} mostram isso.`,
        ];
    }
  },
  dropList: (count, sum) =>
    line`${strong(String(count))} na sua lista, ${usdc(sum)} no total. Nada é pago antes de você tocar.`,
  dropListed: (number, name, amount) => line`${String(number)}. ${name}: ${usdc(amount)}`,
  dropStrikeHint: (isTreasury) => [
    muted(
      isTreasury
        ? 'Quem você risca não recebe nada e não fica sabendo. A parte fica na tesouraria, e a lista é confirmada de novo.'
        : 'Quem você risca não recebe nada e não fica sabendo. A parte continua sua.',
    ),
  ],
  payDrop: (sum) => `Pagar ${formatUsdcForPeople(sum)} USDC`,
  confirmDrop: (sum) => `Confirmar ${formatUsdcForPeople(sum)} USDC`,
  dropConfirmed: () => line`Confirmado. Quando outra pessoa que modera também confirmar, é pago.`,
  strikeFromDrop: (number) => `Riscar ${number}`,
  explainDrops: () => [
    line`${code(DROP_EXAMPLE.command)} distribui ${DROP_EXAMPLE.sum} USDC entre até ${DROP_EXAMPLE.people} pessoas deste grupo que tocarem a tempo: ${DROP_EXAMPLE.share} para cada uma.`,
    line`Quando fecha, você vê a lista, risca quem não quer e paga. O que ninguém pediu continua seu.`,
    line`${code(TREASURY_DROP_EXAMPLE)} usa o dinheiro da comunidade: quem modera pede, e outras pessoas que moderam confirmam a lista.`,
  ],
  dropProblem: (problem, { least, most }) => {
    switch (problem) {
      case 'unreadable':
        return line`Diga quanto, para quantas pessoas e por quanto tempo:`;
      case 'people':
        return line`Uma distribuição é para ${String(least)} a ${String(most)} pessoas:`;
      case 'time':
        return line`Ela fica aberta de ${DROP_TIME_MIN} a ${DROP_TIME_MAX}:`;
      case 'share':
        return line`Cada parte é de ${TIP_MIN} a ${TIP_MAX} USDC:`;
      case 'elsewhere':
        return line`Isso é para um grupo. Escreva lá.`;
      case 'no_role':
        return line`Primeiro quem modera aqui diz qual cargo pode participar:`;
      case 'nobody_known':
        return line`Aqui ninguém poderia participar ainda: preciso ver por ${KNOWN_DAYS} dias quem escreve, e ter permissão. Faça de mim administrador deste grupo.`;
      case 'busy':
        return line`Você já tem uma distribuição aqui. Pague ou cancele primeiro:`;
      case 'none':
        return line`Nenhuma lista espera por você aqui.`;
      case 'not_listed':
        return line`Esse nome não está na sua lista:`;
      case 'empty':
        return line`Não sobrou ninguém na lista. Cancele ou deixe assim: nada é pago.`;
      case 'changed':
        return line`A lista mudou nesse meio-tempo. Veja de novo:`;
      case 'too_little':
        return line`Você tem pouco para isso. Adicione dinheiro e toque de novo:`;
      case 'not_decider':
        return line`Isso é para quem modera aqui.`;
      case 'standing_unknown':
        return line`Não consigo descobrir quem dirige esta comunidade, então não fiz nada. Preciso ser membro aqui. Tente de novo em um minuto.`;
      case 'small_group':
        return line`Este grupo ainda não tem tesouraria: primeiro mostre o histórico a novos membros nas configurações do grupo.`;
      case 'own':
        return line`Foi você quem pediu, então outra pessoa que modera precisa confirmar. Se ninguém mais modera, você pode confirmar uma pequena ${OWN_WAIT_MINUTES} minutos depois do fim.`;
      case 'has_share':
        return line`Você tem uma parte nesta distribuição, então outras pessoas que moderam confirmam.`;
      case 'treasury_short':
        return line`A tesouraria tem pouco para isso. Qualquer pessoa pode contribuir:`;
    }
  },
};
