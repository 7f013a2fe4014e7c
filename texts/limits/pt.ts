import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { LimitName } from '../../core/wallets/spending-limits.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { limitsEn } from './en.ts';
import { SPENDING_WAIT_HOURS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

const named = namesIn('pt');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('pt-BR');

const LIMITS: Record<LimitName, (value: MicroUsdc) => Paragraph> = {
  tip: (value) => line`Para uma pessoa, no máximo: ${usdc(value)}`,
  ask: (value) =>
    value === 0n ? line`Pergunto antes: ${strong('sempre')}` : line`Pergunto antes acima de: ${usdc(value)}`,
  day: (value) => line`Em um dia, no máximo: ${usdc(value)}`,
};

export const limitsPt: typeof limitsEn = {
  limitsTitle: (walletName) =>
    walletName === null
      ? line`O que suas gorjetas podem tirar da sua carteira aqui:`
      : line`O que suas gorjetas podem tirar do que você guardou como ${strong(named(walletName))}:`,
  limit: ({ name, value, raise }) => [
    ...LIMITS[name](value),
    ...(raise === null ? [] : line` · a partir de ${time(raise.at)}: ${usdc(raise.to)}`),
  ],
  spentToday: (spent) => line`Usado hoje: ${usdc(spent)}. O dia começa à meia-noite UTC.`,
  limitsHint: () => [
    muted(`Diminuir vale na hora; aumentar, depois de ${SPENDING_WAIT_HOURS} horas. Eles nunca limitam os saques.`),
  ],
  limitLowered: () => line`Pronto. A partir de agora:`,
  limitWillRise: () =>
    line`Anotado. Muda em ${SPENDING_WAIT_HOURS} horas, para que ninguém mais possa fazer isso sem você ver. Até lá você pode desfazer:`,
  limitTooLarge: (largest) => line`Ali não dá mais do que ${usdc(largest)}.`,
  limitTooSmall: (smallest) => line`Pelo menos ${usdc(smallest)}. ${code('/lock')} para todos os gastos.`,
  limitsUnreadable: (found) => line`Não consigo ler ${code(found)} como limite. Eles mudam assim:`,
  limitsInDirectChat: () => line`Os limites mudam onde só nós dois lemos: escreva direto para mim. Agora valem estes:`,
  cancelRaises: () => 'Deixar os limites como estão',
  raisesCancelled: () => line`Pronto. Nenhum limite vai aumentar. Valem estes:`,
  noRaises: () => line`Nenhum limite ia aumentar. Valem estes:`,

  spendingProblem: (problem) => {
    switch (problem.code) {
      case 'wallet_locked':
        return problem.until === null
          ? line`Você bloqueou os gastos, então nada foi enviado. ${code('/unlock')} libera de novo, depois de ${SPENDING_WAIT_HOURS} horas.`
          : line`Os gastos estão bloqueados até ${time(problem.until)}, então nada foi enviado.`;
      case 'passkey_needed':
        return line`Este dinheiro só sai com a chave de acesso, então nada foi enviado. Você pode enviá-lo na página do seu dinheiro:`;
      case 'over_tip_limit':
        return line`Desta carteira uma pessoa recebe no máximo ${usdc(problem.limit)}, então nada foi enviado.`;
      case 'over_day_limit':
        return line`Isso passa dos seus ${usdc(problem.limit)} por dia, então nada foi enviado. Até a meia-noite UTC restam ${usdc(problem.left)}.`;
    }
  },
  spendingWasOver: () =>
    line`Passava de um limite da sua carteira quando tentei, então nada foi enviado. Agora caberia: digite de novo.`,

  askOne: ({ recipient, amount, fee, note, walletName }) => {
    const kept = walletName === null ? '' : ` do que você guardou como ${named(walletName)}`;
    return [
      line`Enviar ${usdc(amount)}${kept} para ${strong(named(recipient))}?`,
      ...(fee === 0n ? [] : [line`Há também uma taxa de ${people(fee)} USDC.`]),
      ...(note === null ? [] : [line`Com a nota ${strong(note)}`]),
    ];
  },
  neverTipped: () =>
    line`Você nunca deu gorjeta a este nome daqui. É mesmo quem você pensa? Dê uma olhada antes de enviar.`,
  openProfile: (name) => `Ver ${named(name)}`,

  holdsMuch: (most) =>
    line`É muito para um chat: melhor não deixar aqui mais de ${usdc(most)}. ${code('/withdraw')} envia o resto para um endereço seu.`,

  locked: () =>
    line`Bloqueado. Nada mais é gasto das suas carteiras, em nenhum chat. ${code('/withdraw')} continua funcionando.`,
  unlocksAt: (at) =>
    line`Será possível gastar de novo a partir de ${time(at)}. Se não foi você, ${code('/lock')} mantém o bloqueio.`,
  notLocked: () => line`Nada está bloqueado.`,
  isLocked: (until) =>
    until === null ? line`Os gastos estão bloqueados.` : line`Os gastos estão bloqueados até ${time(until)}.`,

  undo: () => 'Cancelar o envio',
  undone: (amount, recipient) =>
    line`Envio cancelado: ${usdc(amount)} para ${strong(named(recipient))}. O dinheiro está a caminho da sua carteira.`,
  undoTooLate: (recipient) => line`Tarde demais: ${strong(named(recipient))} já tem o dinheiro ou começou a recebê-lo.`,
  undoLater: () => line`Não consegui cancelar o envio agora. Nada se perde: aperte de novo daqui a um minuto.`,
};
