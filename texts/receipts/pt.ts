import { code, line } from '../../core/view.ts';
import type { ReceiptTexts } from './en.ts';

const anotherDay = (what: string): string =>
  `${what} tem um limite, e o de hoje já foi atingido. Continua por conta própria em um dia com espaço (horário UTC).`;

export const receiptPt: ReceiptTexts = {
  received: (recipient, sum) => line`${recipient} recebeu ${sum}.`,
  collected: (recipient, sum) => line`${recipient} resgatou ${sum}.`,
  onItsWay: (recipient, sum) => line`${sum} estão a caminho de ${recipient}.`,
  waits: (recipient, sum) => line`${sum} estão esperando por ${recipient}.`,
  hasToWait: (recipient, sum) => line`${sum} para ${recipient} precisam esperar.`,
  isChecked: (recipient, sum) => line`${sum} para ${recipient} estão em análise.`,
  cameBack: (recipient, sum) => line`${sum} para ${recipient} voltaram para você.`,
  paidTwice: (recipient, sum) =>
    line`Seu link para ${recipient} foi pago duas vezes. O que veio a mais, ${sum}, está na sua carteira aqui; se outra pessoa enviou, é dela.`,

  passing: {
    payer_limit: () => anotherDay('O que uma pessoa pode enviar em um dia'),
    recipient_limit: (recipient) => anotherDay(`O que ${recipient} pode receber em um dia`),
    no_token_account: (recipient) =>
      `A carteira de ${recipient} ainda não pode guardar USDC. Continua por conta própria quando houver lá uma conta de USDC ou quando pudermos abrir uma.`,
    account_quota: (recipient) =>
      `A carteira de ${recipient} precisa de uma nova conta de USDC, e só abrimos algumas por dia. Continua por conta própria em um dia (UTC) com vaga; o que espera há mais tempo e valores maiores vêm primeiro.`,
  },
  untilChecked: () => 'Quem opera este serviço precisa analisar antes de enviar. Até lá, o dinheiro fica guardado.',

  sendThemThis: () => line`Envie isto para a pessoa:`,
  messageForThem: (sum, url) => line`Enviei ${sum} para você, dólares digitais. Resgate aqui: ${url}`,
  sendReceipt: () => line`Envie o recibo para a pessoa: é por ele que se resgata o dinheiro.`,
  collectHere: (recipient) => line`${recipient}: digite ${code('/claim')} aqui para resgatar o dinheiro.`,
  note: (text) => line`Recado: “${text}”`,

  somethingFrom: (giver) => line`${giver} enviou algo para você …`,
  sentYou: (giver, sum) => line`${giver} enviou ${sum} para você.`,
  sentThem: (giver, recipient, sum) => line`${giver} enviou ${sum} para ${recipient}.`,
  community: () => 'Sua comunidade',
  rewarded: (sum, author) => line`Uma comunidade recompensou você com ${sum} pela sua reação a um post de ${author}.`,
  smallTips: (people, sum) =>
    line`Hoje ${people === 1 ? '1 pessoa enviou' : `${String(people)} pessoas enviaram`} ${sum} para você.`,
  notice: {
    keep_tip: () => 'Ficar com isso',
    decline_tip: () => 'Não, obrigado',
    read_note: () => 'Ler o recado',
    block_giver: () => 'Não receber mais desta pessoa',
    quiet_small: () => 'Pequenas uma vez por dia',
    readAlways: () => 'Mostrar os recados dela',
  },

  returned: {
    not_collected: (recipient) => `${recipient} não resgatou a tempo.`,
    taken_back: () => 'Você cancelou o envio antes do resgate.',
    declined: (recipient) => `${recipient} não quis receber.`,
    wind_down: () => 'Este serviço está encerrando e devolve o que está em espera.',
    not_paid_out: () => 'Não foi possível pagar, por isso o dinheiro volta para você.',
    opted_out: (recipient) => `${recipient} não aceita pagamentos.`,
    not_found: (recipient) => `${recipient} não existe, então ninguém poderia resgatar.`,
    no_answer: (recipient) => `Não foi possível saber a tempo quem é ${recipient}.`,
    had_another_owner: (recipient) =>
      `${recipient} já foi o nome de outra pessoa, então não dava para saber para quem você queria enviar.`,
    newer_than_payment: (recipient) => `Quem usa ${recipient} agora só conseguiu esse nome depois do seu pagamento.`,
  },

  openReceipt: () => 'Abrir o recibo',

  receiptNumber: (number) => `Recibo ${number}`,
  collectEachHere: () => line`Quem é deste chat resgata o dinheiro aqui com ${code('/claim')}.`,
  sendEachReceipt: () => line`Envie a cada pessoa o recibo dela: é por ele que se resgata o dinheiro.`,
};
