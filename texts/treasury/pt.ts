import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { treasuryEn } from './en.ts';
import { TREASURY_CARD_HOURS, TREASURY_WAIT_HOURS } from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('pt-BR');

export const treasuryPt: typeof treasuryEn = {
  treasuryTitle: () => line`O que esta comunidade tem para recompensas:`,
  treasuryHolds: ({ place, amount }) =>
    amount === null ? line`Em ${place}: não consigo consultar agora.` : line`Em ${place}: ${usdc(amount)}`,
  treasuryAddress: ({ place, active, waiting }) => [
    ...(active === null
      ? line`Não há endereço de saque em ${place}.`
      : line`Os saques em ${place} vão para ${code(active)}.`),
    ...(waiting === null ? [] : line` A partir de ${time(waiting.at)}: ${code(waiting.address)}`),
  ],
  treasuryHow: () => [
    line`Qualquer pessoa pode contribuir: ${code('/treasury deposit')}. Todos podem ler o que entrou e saiu: ${code('/treasury statement')}.`,
    line`Para tirar dinheiro, quem é dono define um endereço com ${code('/treasury address 0x…')}. Depois de ${TREASURY_WAIT_HOURS} horas, ${code('/treasury withdraw 5 base')} pergunta aqui, e o dono e mais alguém da moderação apertam Confirmar.`,
    [
      muted(
        'Se me removerem, o dinheiro fica onde está e nada pode sair. Se me convidarem de novo, tudo continua como antes.',
      ),
    ],
  ],
  treasuryDeposit: (addresses) => [
    line`Este dinheiro é para as recompensas da comunidade. Quem contribui o dá de presente.`,
    ...addresses.flatMap(({ place, address }) => [line`${strong(`USDC em ${place}`)}:`, line`${code(address)}`]),
    line`Somente USDC: qualquer outra coisa pode se perder. Da sua carteira aqui:`,
  ],
  treasuryGive: (amount, place) =>
    line`Dar ${usdc(amount)} na ${strong(place)} a esta comunidade? Quem deposita dá o dinheiro de presente.`,
  treasuryGiveNow: (amount) => `Dar ${people(amount)} USDC`,
  treasuryStatement: () => 'Extrato em CSV',
  treasuryStatementSays: () =>
    line`O que saiu está lá com a sua transação. Do que entrou, o valor é exato e a hora é quando vi: olho a cada hora, e o que chegou entre duas olhadas é uma linha só.`,

  treasuryAddressSet: ({ place, address, by, at }) => [
    line`${strong(by)} quer que o que esta comunidade sacar em ${strong(place)} venha para cá:`,
    line`${code(address)}`,
    line`Vale a partir de ${time(at)}. Até lá, qualquer pessoa da moderação pode impedir.`,
  ],
  cancelTreasuryAddress: (place) => `Impedir este endereço em ${place}`,
  treasuryAddressCancelled: ({ place, address, by }) =>
    line`O endereço ${code(address)} em ${place} não vale: ${strong(by)} impediu.`,
  treasuryAddressDropped: (place) => line`Pronto. Esse endereço em ${strong(place)} não vale mais.`,

  treasuryAsk: ({ amount, place, address, by }, confirmed) => [
    line`${strong(by)} quer sacar ${usdc(amount)} do dinheiro desta comunidade em ${strong(place)}, para:`,
    line`${code(address)}`,
    line`O dono e mais alguém da moderação têm que confirmar em ${TREASURY_CARD_HOURS} horas; o dono sozinho se ninguém mais modera. Um Rejeitar encerra tudo.`,
    ...(confirmed.length === 0 ? [] : [line`Confirmado por ${strong(confirmed.join(', '))}`]),
  ],
  treasuryConfirm: (amount) => `Confirmar ${people(amount)} USDC`,
  treasuryReject: () => 'Rejeitar',
  treasuryRejected: ({ amount, place }, by) =>
    line`${strong(by)} rejeitou o saque de ${usdc(amount)} em ${place}. Nada se moveu.`,
  treasuryExpired: ({ amount, place }) =>
    line`O saque de ${usdc(amount)} em ${place} acabou: não houve confirmações bastantes a tempo, ou o endereço não vale mais. Nada se moveu.`,

  treasuryProblem: (problem) => {
    switch (problem.code) {
      case 'elsewhere':
        return line`Escreva ${code('/treasury')} no servidor ou grupo dono do dinheiro.`;
      case 'small_group':
        return line`O Telegram daria outro número a este grupo quando ele crescesse, e o dinheiro ficaria para trás. Nas configurações do grupo, mostre o histórico aos novos membros: aí ele tem o número definitivo e pode ter um caixa.`;
      case 'unreadable':
        return line`Não consigo ler ${code(problem.found)}. Isto funciona:`;
      case 'not_owner':
        return line`Só quem é dono define para onde vai o dinheiro da comunidade.`;
      case 'not_moderator':
        return line`Isso é para quem modera aqui.`;
      case 'no_owner':
        return line`Ninguém é dono desta comunidade agora, então o dinheiro fica onde está até que alguém seja.`;
      case 'standing_unknown':
        return line`Não consigo descobrir quem dirige esta comunidade, então não fiz nada. Preciso ser membro aqui. Tente de novo em um minuto.`;
      case 'which_network':
        return line`Em qual rede?`;
      case 'no_address':
        return line`Não há endereço de saque em ${problem.place}. Quem é dono define, e vale depois de ${TREASURY_WAIT_HOURS} horas:`;
      case 'address_waits':
        return line`O endereço em ${problem.place} vale a partir de ${time(problem.at)}. Até lá nada pode sair.`;
      case 'busy':
        return line`Outro saque espera confirmação. Confirmem ou rejeitem aquele primeiro:`;
      case 'address_over':
        return line`Não há o que impedir: esse endereço já vale, ou não vale mais.`;
      case 'card_over':
        return line`Esse saque já está decidido.`;
      case 'limited':
        return line`Saques demais de uma vez, então nada foi feito. Esperem um chegar, ou continuem amanhã.`;
    }
  },
};
