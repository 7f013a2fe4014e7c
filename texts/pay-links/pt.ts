import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { line, strong } from '../../core/view.ts';
import type { payLinkEn, payPageEn } from './en.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('pt');

const people = (amount: MicroUsdc): string => formatUsdcForPeople(amount);

export const payLinkPt: typeof payLinkEn = {
  payByLink: (total) => `Pagar ${people(total)} USDC`,
  linkOffer: ({ total, recipient, minutes, isAsked }) =>
    line`${isAsked ? 'Pague' : 'Ou pague'} ${strong(`${people(total)} USDC`)} para ${strong(named(recipient))} com qualquer carteira ou aplicativo: o botão abaixo vale ${String(minutes)} minutos e uma única vez. Quem o abrir pode pagar por você.`,
  addAndSend: () => 'Pegar dinheiro de teste e enviar',
  sendNow: () => 'Enviar agora',
  linkInUse: () =>
    line`Alguém começou a pagar pelo link, então não pago ao mesmo tempo. Se não der em nada, digite a gorjeta de novo.`,
  goesOnThere: () => line`Está a caminho. Onde você digitou a gorjeta, dá para ver como termina.`,
  noLink: () => line`Links de pagamento não são oferecidos aqui.`,
};

export const payPagePt: typeof payPageEn = {
  title: (total) => `Pagar ${people(total)} USDC`,
  titlePaid: (total) => `Pago: ${people(total)} USDC`,
  titleClosed: (total) => `Encerrado: ${people(total)} USDC`,
  forWhom: (recipient) => `para ${recipient}`,
  gets: (recipient, amount) => `${recipient} recebe ${people(amount)} USDC`,
  more: (count) => `e mais ${count}`,
  details: 'Quem recebe o quê',
  fee: (fee) => `mais uma taxa de ${people(fee)} USDC`,
  ourAddress: (recipient) =>
    `Sua carteira mostra o nosso endereço; o dinheiro é para ${recipient}. Nós repassamos, e você recebe um recibo.`,
  reward: (author) => `Uma recompensa por um post de ${author}`,
  rewardAddress: (recipient) =>
    `Sua carteira mostra o nosso endereço; o dinheiro é para ${recipient}. Nós repassamos, e a página da recompensa mostra.`,
  until: 'Você pode pagar até',
  timeLeft: 'Falta',

  withWallet: 'Pagar com a sua carteira',
  walletIntro: 'Na sua carteira você vê o que assina, e não custa taxa de rede.',
  noWallet:
    'Não há carteira neste navegador. Abra esta página no aplicativo da sua carteira, ou pague de qualquer aplicativo.',
  onlyWallet:
    'Não há carteira neste navegador. Abra esta página no aplicativo da sua carteira ou em um navegador que tenha uma.',
  newcomer: 'Ainda não tem USDC?',
  newcomerNote: (places) =>
    `USDC são dólares digitais que se compram em um aplicativo de carteira ou em uma corretora que os venda; nós não vendemos. Para esta página, é preciso que possa enviar USDC em ${places}.`,
  payWith: (wallet) => `Pagar com ${wallet}`,
  walletAsks: 'Sua carteira está pedindo a confirmação.',
  walletRefused: 'Sua carteira não assinou, então nada foi pago.',
  otherChain: 'Sua carteira não conseguiu mudar para a rede certa, então nada foi pago.',
  openIn: (wallet) => `Abrir em ${wallet}`,

  inApp: 'Você está no navegador de outro aplicativo, de onde não se chega a nenhuma carteira.',
  openBrowser: 'Abrir no seu navegador',
  copyLink: 'Ou copie este endereço para o seu navegador:',

  playWallet: 'Pagar com uma carteira de teste',
  playIntro: 'Ela tem dinheiro de teste e foi feita para esta página. A sua própria carteira nunca é pedida aqui.',
  payPlay: 'Pagar com a carteira de teste',

  anyApp: 'Pagar de qualquer aplicativo',
  anyAppIntro:
    'De uma corretora ou de uma carteira em outro aparelho: envie exatamente este valor em USDC para este endereço.',
  showAddress: 'Mostrar endereço e valor',
  on: (place) => `Na ${place}`,
  amount: 'Valor exato em USDC',
  address: 'Endereço',
  copy: 'Copiar',
  copied: 'Copiado',
  qrCode: (place) => `Código QR do endereço na ${place}`,
  qrPayment: (place) => `Código QR com o endereço e o valor na ${place}`,
  exactly:
    'Envie este valor até o último algarismo: por ele sabemos para que é. Um pouco é somado, e isso também vai para quem recebe. Se a sua corretora descontar uma taxa, some-a: precisa chegar exatamente este valor.',
  onlyUsdc:
    'Só USDC, só pela rede indicada acima do endereço e só uma vez: não pague também com uma carteira. Se o dinheiro voltar, ele vai para a carteira de quem pediu este link.',
  arrives: 'Assim que chegar, esta página e o chat avisam.',

  notConfirmed: 'Ainda não está confirmado',
  notConfirmedNote: 'Antes, quem modera a comunidade precisa confirmar no chat.',
  paying: 'Seu pagamento está a caminho',
  payingNote: 'Não pague uma segunda vez. Você pode fechar esta página: ela segue sozinha.',
  beingPaid: 'Está sendo pago',
  beingPaidNote: 'Ninguém precisa pagar uma segunda vez. Você pode fechar esta página: ela segue sozinha.',
  rewardOver: 'Esta recompensa acabou',
  rewardOverNote: 'Nada mais pode ser pago por ela. O chat diz o que aconteceu.',
  rewardOverInstead: 'Ainda quer dar algo? Peça uma nova recompensa no chat.',
  paid: 'Já está pago',
  paidNote: (recipient) => `O recibo mostra em que ponto está o dinheiro. Passe o link para ${recipient}.`,
  receipt: 'Abrir o recibo',
  receiptOf: (recipient) => `Recibo de ${recipient}`,
  expired: 'Este link expirou',
  expiredNote: 'Por favor, não pague mais. O que foi enviado a tempo ainda chega, e o chat avisa.',
  expiredInstead: 'Ainda quer pagar? Peça um novo link onde você recebeu este.',
  refresh: 'Recarregue esta página para ver como segue.',

  refused: {
    insufficient_funds: 'Não há USDC suficientes nessa carteira nesta rede. Nada foi cobrado.',
    order_in_progress: 'Alguém já está pagando isto. Nada mais foi cobrado.',
    not_confirmed: 'Ainda não há confirmações suficientes. Nada foi cobrado.',
    changed_payment: 'O que voltou não é o que preparamos, ou demorou demais. Nada foi cobrado; tente de novo.',
    wallet_added:
      'Sua carteira acrescentou algo ao pagamento, e não deixamos passar nada que não conhecemos. Nada foi cobrado. Desative esses extras na carteira, use outra ou pague por qualquer aplicativo.',
    payer_not_allowed: 'Esse endereço não pode pagar aqui. Use outra carteira.',
    link_over: 'Este link expirou. Nada foi cobrado.',
    service_closing: 'Este serviço está encerrando e não aceita mais pagamentos. Nada foi cobrado.',
    too_many_links:
      'Muitos links da mesma pessoa foram abertos e nunca pagos. Nada foi cobrado; pague primeiro um deles.',
    rate_limited: 'Isso foi um pouco rápido. Tente de novo em um minuto.',
    other: 'Não deu certo. Se a sua carteira não mostrar nenhum pagamento, tente de novo ou pague de outra forma.',
  },
};
