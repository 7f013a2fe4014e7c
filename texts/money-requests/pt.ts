import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { AnsweredStage, requestsEn } from './en.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);

/** How far one person of a bill is. */
const BILL_STAGES: Record<'open' | AnsweredStage, string> = {
  open: 'em aberto',
  agreed: 'disse que sim',
  sent: 'enviado, a caminho',
  paid: 'pago',
  unpaid: 'não pago',
  declined: 'desta vez não',
  ended: 'sem resposta',
};

export const requestsPt: typeof requestsEn = {
  requestCard: ({ asker, asked, amount, reason, days }) => [
    line`${strong(asked)}, ${asker} pede ${usdc(amount)} a você.`,
    ...(reason === null ? [] : [line`“${reason}”`]),
    [muted(`Só a pessoa a quem se pede pode pagar aqui. Termina em ${String(days)} dias, e não vou lembrar ninguém.`)],
  ],
  payRequest: (amount) => `Pagar ${formatUsdcForPeople(amount)} USDC`,
  declineRequest: () => 'Recusar',
  neverRequest: () => 'Desta pessoa, nunca mais',
  requestStage: (stage, { asker, asked, amount }) => {
    switch (stage) {
      case 'agreed':
        return line`${asked} disse sim a ${usdc(amount)} para ${asker}.`;
      case 'sent':
        return line`${asked} enviou ${usdc(amount)} a ${asker}. Ainda não chegou.`;
      case 'paid':
        return line`${asked} pagou ${usdc(amount)} a ${asker}.`;
      case 'unpaid':
        return line`${asker} pediu ${usdc(amount)} a ${asked}. Não foi pago.`;
      case 'declined':
        return line`${asker} pediu ${usdc(amount)} a ${asked}. Desta vez não.`;
      case 'ended':
        return line`${asker} pediu ${usdc(amount)} a ${asked}. Ninguém respondeu a tempo.`;
    }
  },
  billCard: ({ asker, sum, reason, days }, people) => [
    line`${asker} pede ${usdc(sum)} no total:`,
    ...people,
    ...(reason === null ? [] : [line`“${reason}”`]),
    ...(days === null
      ? []
      : [
          [
            muted(
              `Só quem recebeu o pedido pode pagar aqui, cada pessoa a sua parte. Termina em ${String(days)} dias, e não vou lembrar ninguém.`,
            ),
          ],
        ]),
  ],
  billLine: (name, amount, stage) => line`${strong(name)}: ${usdc(amount)} · ${BILL_STAGES[stage]}`,
  payShare: () => 'Pagar minha parte',
  cannotAsk: (name) =>
    line`Você não pode pedir a ${strong(name)}, então ninguém recebeu o pedido. A pessoa pode permitir com ${code('/request on')} ou enviando algo a você antes.`,
  notYourRequest: () => line`Só a pessoa a quem se pede pode apertar isso.`,
  neverAgain: () =>
    line`Feito. Essa pessoa não pode mais pedir dinheiro a você e não fica sabendo. ${code('/request on @name')} permite de novo.`,
  requestsChosen: (isAllowed) =>
    isAllowed
      ? line`Agora outras pessoas dos seus grupos podem pedir dinheiro a você. Você decide a cada vez.`
      : line`Ninguém mais pode pedir dinheiro a você.`,
  requestsChosenFor: (name, isAllowed) =>
    isAllowed
      ? line`Agora ${strong(name)} pode pedir dinheiro a você. Você decide a cada vez.`
      : line`${strong(name)} não pode mais pedir dinheiro a você e não fica sabendo.`,
  explainRequests: () => [
    line`${code('/request @name 5 lunch')} pede dinheiro a alguém deste grupo. Só essa pessoa pode apertar Pagar.`,
    line`Você pode pedir a quem escreveu ${code('/request on')} ou já pagou algo a você. ${code('/request off')} desliga de novo.`,
  ],
  requestProblem: (problem, { open, sent, got, people }) => {
    switch (problem) {
      case 'elsewhere':
        return line`Peça no grupo em que vocês dois estão: lá todos veem o que se pede.`;
      case 'too_many_people':
        return line`Peça a no máximo ${String(people)} pessoas por vez.`;
      case 'exact_amount':
        return line`Diga quanto você pede.`;
      case 'not_here':
        return line`Só posso pedir a alguém que escreve neste grupo.`;
      case 'self':
        return line`Essa pessoa é você.`;
      case 'bot':
        return line`Isso é um bot. Ele não tem dinheiro.`;
      case 'closed':
        return line`Você não pode pedir a esta pessoa. Ela pode permitir com ${code('/request on')} ou enviando algo a você primeiro.`;
      case 'plain_reason':
        return line`Em poucas palavras, por favor: sem links, nomes ou números.`;
      case 'too_many_open':
        return line`${String(open)} dos seus pedidos ainda estão abertos. Espere até que um seja respondido.`;
      case 'asked_often':
        return line`Hoje já pediram ${String(got)} vezes a esta pessoa. Tente amanhã.`;
      case 'asks_often':
        return line`Hoje você já pediu ${String(sent)} vezes. Tente amanhã.`;
    }
  },
};
