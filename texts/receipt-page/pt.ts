import type { ReceiptPageTexts } from './en.ts';
import type { GoesBackIf } from '../going-back/en.ts';
import { goingBackPt } from '../going-back/pt.ts';

const shortDays = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const minutes = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const goesBack = (condition: GoesBackIf, on: string | null): string =>
  goingBackPt.sentence({ if: condition, to: 'sender', on });

export const receiptPagePt: ReceiptPageTexts = {
  minute: (date) => `${minutes.format(date)} UTC`,
  shortDay: (date) => shortDays.format(date),
  postmark: 'PAGO',

  title: (sum, person) => `${sum} para ${person}`,
  states: {
    undone: () => 'O pagamento não aconteceu',
    unsettled: () => 'Sendo enviado de novo',
    received: (person) => `Recebido por ${person}`,
    lookedUp: (person) => `Procurando ${person}`,
    onItsWay: (person) => `A caminho de ${person}`,
    goingBack: () => 'Voltando para quem enviou',
    waiting: () => 'Aguardando resgate',
    waitingForRoute: () => 'Aguardando um jeito de entregar',
    held: () => 'Em análise',
    returned: () => 'Devolvido a quem enviou',
  },
  passing: {
    payer_limit: 'Fica para outro dia',
    recipient_limit: 'Fica para outro dia',
    no_token_account: 'Aguardando uma conta',
    account_quota: 'Fica para outro dia',
  },
  next: {
    undone: () => 'Nada foi pago: o dinheiro continua com quem enviou, que pode enviar de novo.',
    unsettled: () => 'O mesmo pagamento sai de novo sozinho. Ninguém paga duas vezes e não é preciso fazer nada.',
    received: ({ person }) => `${person} está com o dinheiro. Não há mais nada a fazer; esta página fica como recibo.`,
    lookedUp: ({ person, asked, askedMinutes }) =>
      `${asked ?? 'O sistema de nomes de domínio'} ainda não respondeu, então ainda não se sabe quem é ${person}. Vamos perguntar por ${askedMinutes} minutos; se ninguém tiver esse nome ou continuar sem resposta, o dinheiro volta para quem enviou.`,
    onItsWay: ({ person }) => `O dinheiro chega a ${person} sozinho. Não é preciso fazer nada.`,
    goingBack: () => 'O dinheiro volta sozinho para quem enviou.',
    waiting: ({ person, until }) => `${person} pode resgatar o dinheiro. ${goesBack('nobody_collects', until)}`,
    waitingForRoute: ({ person, until }) =>
      `O dinheiro é de ${person}, mas o endereço informado ainda não pode recebê-lo. Ele espera outro endereço, ou um caminho até este. ${goesBack('nothing_changes', until)}`,
    returned: () => 'O dinheiro voltou para onde veio.',
  },
  returnedBecause: {
    not_collected: () => 'O dinheiro não foi resgatado a tempo.',
    taken_back: () => 'Quem enviou cancelou o envio antes do resgate.',
    not_found: ({ person }) => `${person} não existe, então ninguém poderia resgatar o dinheiro.`,
    no_answer: ({ person, asked, askedMinutes }) =>
      `${asked ?? 'O sistema de nomes de domínio'} não respondeu em ${askedMinutes} minutos, então não foi possível saber quem é ${person}.`,
    had_another_owner: ({ person }) =>
      `${person} era outra pessoa antes, e não foi possível saber quem era na hora do pagamento.`,
    newer_than_payment: ({ person }) =>
      `Quem é ${person} agora só recebeu esse nome depois do pagamento, então era para outra pessoa.`,
    opted_out: ({ person }) => `${person} não quer receber pagamentos.`,
    declined: ({ person }) => `${person} não quis o dinheiro.`,
    wind_down: () => 'Este serviço está encerrando e devolve o que está em espera.',
    not_paid_out: () => 'Não foi possível pagar, por isso o dinheiro é devolvido.',
  },
  certainty: {
    undone: () => 'O pagamento não aconteceu e nada foi cobrado.',
    pending: (networkName) => `${networkName} substituiu o bloco em que ele estava.`,
    settled: () => 'Na blockchain, ainda não é definitivo.',
    final: () => 'Definitivo: a rede não pode mais desfazer o pagamento.',
  },
  between: ' ',
  stop: '. ',

  steps: 'Em que ponto está',
  sentStep: 'Enviado',
  waitingStep: 'Em espera',
  receivedStep: 'Recebido',
  returnedStep: 'Devolvido',
  stepStates: { done: 'feito', now: 'em andamento', later: 'ainda falta', failed: 'não aconteceu' },

  from: (sender) => `De ${sender}`,
  someoneCalled: (name) => `alguém que diz se chamar “${name}”`,
  someone: 'alguém que não deu o nome',
  forWhom: (person) => `para ${person}`,
  money: 'O valor está em USDC, um dólar digital.',
  note: 'Recado de quem enviou',
  collect: 'Resgatar o dinheiro',
  collectAgain: 'Escolher outra forma',
  keptBy: (operator) => `Até lá, quem guarda é ${operator}.`,
  askOperator: (operator) => `Pergunte a ${operator} e informe o número abaixo.`,
  forSender: 'Foi você que enviou?',
  passOn: 'Passe o link adiante, para que possam resgatar.',
  share: {
    share: 'Compartilhar',
    copy: 'Copiar o link',
    copied: 'Link copiado',
    qr: 'Mostrar como código',
    qrLabel: 'Um código que abre esta página no celular',
  },

  proof: 'Comprovante do pagamento',
  state: 'Situação',
  recipient: 'Para',
  network: 'Rede',
  sent: 'Enviado',
  settled: 'Na blockchain',
  number: 'Número',
  transaction: 'Transação',
  transactionCopied: 'Transação copiada',
  copy: 'Copiar',
  seeOnChain: 'Ver na blockchain',
  thisReceipt: 'Esta página',
  follows: 'Esta página acompanha o pagamento sozinha.',
  reloads: (seconds) => `Esta página recarrega a cada ${seconds} segundos até o pagamento terminar.`,
};
