import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { rewardsEn } from './en.ts';
import {
  REWARD_CARD_HOURS,
  REWARD_DEFAULT,
  REWARD_MAX,
  REWARD_MIN,
  REWARD_NAMES_MAX,
  TIP_MAX,
  TIP_MIN,
} from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (mais ${people(fee)} USDC de taxa)`);
const time = momentIn('pt-BR');

const WHY = new Map([
  ['author', 'escreveu'],
  ['creator', 'pediu'],
  ['excluded', 'por exclusão'],
  ['opted_out', 'não quer pagamentos'],
  ['nameless', 'sem nome'],
  ['no_weight', 'só fez o que não conta'],
  ['max_recipients', `mais de ${REWARD_NAMES_MAX} pessoas`],
  ['share_too_small', `menos de ${TIP_MIN} USDC`],
]);

export const rewardsPt: typeof rewardsEn = {
  rewardAsk: (facts, { needed, confirmed }) => {
    const { by, author, budget, fee, costMax, count, weights, top, leftOut } = facts;
    const { like, comment, repost } = weights;
    const left = leftOut.reduce((sum, one) => sum + one.count, 0);
    const why = leftOut.map((one) => `${one.count} ${WHY.get(one.reason) ?? one.reason}`).join(', ');
    return [
      line`${strong(by)} quer recompensar quem reagiu a um post de ${strong(author)}: ${usdc(budget)}${withFee(fee)} para ${strong(String(count))} pessoas, da tesouraria desta comunidade.`,
      ...(costMax === 0n
        ? []
        : [line`Se as transações gratuitas de hoje acabarem, somam-se até ${usdc(costMax)} para cobrir o custo.`]),
      line`Uma curtida conta ${String(like)}, um comentário ${String(comment)}, um repost ${String(repost)}.`,
      ...top.map(({ name, amount }, index) => line`${String(index + 1)}. ${name} · ${people(amount)} USDC`),
      ...(count > top.length ? [line`e mais ${String(count - top.length)}`] : []),
      ...(left === 0 ? [] : [line`De fora: ${strong(String(left))} (${why})`]),
      line`Para deixar alguém de fora: ${code('/reward without alice')}`,
      needed === 1
        ? line`Uma pessoa que modera aqui e não fez o pedido precisa confirmar em ${REWARD_CARD_HOURS} horas. Uma rejeição encerra.`
        : line`Duas pessoas que moderam aqui e não fizeram o pedido precisam confirmar em ${REWARD_CARD_HOURS} horas. Uma rejeição encerra.`,
      ...(confirmed.length === 0 ? [] : [line`Confirmado por ${strong(confirmed.join(', '))}`]),
    ];
  },
  rewardConfirm: (done, needed) => `Confirmar ${done}/${needed}`,
  rewardReject: () => 'Rejeitar',
  rewardPage: () => 'Quem recebe quanto',
  rewardCsv: () => 'Em CSV',
  rewardPost: () => 'O post',
  rewardTell: () => 'Avisar no Farcaster',
  rewardTelling: (called, author) =>
    line`${called} obrigado pelo que vocês fizeram com o post de ${author}. Vocês têm uma parte; veja como receber:`,

  rewardPaying: ({ budget, count, author }) =>
    line`Pagando ${usdc(budget)} a ${strong(String(count))} pessoas por um post de ${strong(author)}…`,
  rewardPaid: ({ budget, author }, counts) => {
    const parts: [number, string][] = [
      [counts?.paid ?? 0, 'pagos'],
      [counts?.onTheWay ?? 0, 'a caminho'],
      [counts?.waiting ?? 0, 'à espera do resgate'],
      [counts?.held ?? 0, 'retidos'],
      [counts?.refunded ?? 0, 'devolvidos'],
    ];
    const said = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
    return [
      line`Recompensado: ${usdc(budget)} por um post de ${strong(author)}.`,
      ...(said.length === 0 ? [] : [line`${said.join(', ')}`]),
    ];
  },
  rewardPaidElsewhere: () => [muted('Outra pessoa pagou: nada saiu da tesouraria.')],
  rewardPaidByLink: () => [muted('Pago pelo link: nada saiu da tesouraria.')],
  rewardUnfunded: () =>
    line`Está confirmado, mas a tesouraria não tem o bastante em nenhuma rede. Contribuam com ${code('/treasury deposit')} e confirmem de novo, ou alguém paga com uma carteira pelo botão abaixo.`,
  rewardRejected: ({ budget, author }, by) =>
    line`${strong(by)} rejeitou a recompensa de ${usdc(budget)} por um post de ${strong(author)}. Nada se moveu.`,
  rewardExpired: ({ budget, author }) =>
    line`A recompensa de ${usdc(budget)} por um post de ${strong(author)} acabou: não houve confirmações suficientes a tempo. Nada se moveu.`,
  rewardUnpaid: ({ budget, author }) =>
    line`A recompensa de ${usdc(budget)} por um post de ${strong(author)} acabou: estava confirmada e ninguém a pagou a tempo. Nada se moveu.`,
  rewardReplaced: ({ author }, by) =>
    line`${strong(by)} deixou alguém de fora: outro cartão para o post de ${strong(author)} está no lugar deste.`,
  rewardFailed: ({ budget, author }, reason) => [
    line`A recompensa de ${usdc(budget)} por um post de ${strong(author)} não foi paga, e nada se moveu.`,
    whyNot(reason),
  ],

  rewardProblem: (problem) => {
    switch (problem.code) {
      case 'elsewhere':
        return line`Escreva ${code('/reward')} no servidor ou grupo dono do dinheiro.`;
      case 'small_group':
        return line`Este grupo ainda não tem tesouraria: primeiro mostre o histórico a novos membros nas configurações do grupo.`;
      case 'nothing_said':
        return line`${code('/reward')} reparte dinheiro da tesouraria desta comunidade entre quem reagiu a um post no Farcaster. Precisa do link do post; depois pode vir um valor, e sem ele são ${REWARD_DEFAULT} USDC. Mostro quem receberia quanto antes de qualquer pagamento:`;
      case 'unreadable':
        return line`Não entendo ${code(problem.found)}. Isto funciona:`;
      case 'not_a_post':
        return line`${code(problem.found)} não é um link para um post no Farcaster. Isto funciona:`;
      case 'not_a_name':
        return line`Não entendo ${code(problem.found)} como nome no Farcaster. Isto funciona:`;
      case 'budget':
        return line`${code(problem.found)} não dá para repartir. De ${REWARD_MIN} a ${REWARD_MAX} USDC funciona:`;
      case 'not_decider':
        return line`Isso é para quem modera aqui.`;
      case 'standing_unknown':
        return line`Não consigo descobrir quem dirige esta comunidade, então não fiz nada. Preciso ser membro aqui. Tente de novo em um minuto.`;
      case 'busy':
        return line`Outra recompensa espera confirmação. Confirme ou rejeite aquela primeiro.`;
      case 'nothing_open':
        return line`Nenhuma recompensa espera confirmação aqui. Assim se cria uma:`;
      case 'card_over':
        return line`Essa recompensa já está decidida.`;
      case 'being_paid':
        return line`Alguém está pagando com uma carteira agora mesmo. Aperte de novo em um minuto.`;
      case 'own':
        return problem.at === null
          ? line`Foi você quem pediu esta recompensa, então outra pessoa que modera aqui precisa confirmar.`
          : line`Foi você quem pediu esta recompensa. Até ${time(problem.at)} outros podem rejeitar; depois você pode confirmar.`;
      case 'refused':
        return whyNot(problem.reason);
      case 'unreachable':
        return line`Não consigo ler esse post agora, então não fiz nada. Tente de novo em um minuto.`;
      case 'missing':
        return line`A tesouraria tem ${usdc(problem.most)}, e isto precisa de ${usdc(problem.needed)} em uma rede. ${code('/treasury deposit')} mostra como contribuir.`;
      case 'balance_unknown':
        return line`Não consigo descobrir agora o que a tesouraria tem. Tente de novo em um minuto.`;
    }
  },
};

function whyNot(reason: string): Paragraph {
  switch (reason) {
    case 'content_not_found':
      return line`Não encontro esse post. Talvez tenha sido apagado; o link do app funciona melhor.`;
    case 'no_engagement':
      return line`Ninguém que possa ser recompensado reagiu a esse post ainda.`;
    case 'budget_too_small':
      return line`É pouco demais: cada pessoa precisa receber ao menos ${TIP_MIN} USDC.`;
    case 'budget_too_large':
      return line`É demais: cada pessoa pode receber no máximo ${TIP_MAX} USDC.`;
    case 'insufficient_funds':
      return line`Não há o bastante na tesouraria. ${code('/treasury deposit')} mostra como contribuir.`;
    case 'receiver_opted_out':
      return line`Alguém da lista não quer mais pagamentos. Um cartão novo deixa essa pessoa de fora.`;
    case 'distribution_expired':
      return line`O tempo acabou.`;
    case 'distribution_rejected':
      return line`Foi rejeitada.`;
    case 'took_too_long':
      return line`Demorou demais.`;
    case 'service_closing':
      return line`Este serviço está encerrando e não aceita mais pagamentos.`;
    case 'service_paused':
      return line`Os pagamentos estão pausados agora.`;
    case 'unreachable':
      return line`Não consegui falar com o serviço.`;
    default:
      return line`O motivo: ${code(reason)}`;
  }
}
