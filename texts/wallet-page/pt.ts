import { formatUsdcForPeople } from '../../core/money.ts';
import type { walletPageEn } from './en.ts';
import { whyFailedPt } from '../withdrawals/pt.ts';
import { PROOF_FRESH_MINUTES } from '../rules/rules.ts';

const people = formatUsdcForPeople;

export const walletPagePt: typeof walletPageEn = {
  balance: (amount, place) => `${people(amount)} USDC, na rede ${place}`,
  balanceUnknown: (place) => `Na rede ${place}: sem resposta agora. Recarregue esta página em um minuto.`,

  openChat: 'Abrir o chat',

  depositTitle: 'Adicionar dinheiro',
  depositIntro:
    'Escaneie um destes códigos com o aplicativo de onde você envia. Envie só USDC, e para cada endereço só pela rede dele: qualquer outra coisa pode se perder.',
  depositAt: (place) => `USDC na rede ${place}`,
  qrCode: (place) => `Código QR do seu endereço na rede ${place}`,

  network: 'Rede',
  address: 'Endereço',
  addressHint: 'De uma carteira ou corretora que aceite USDC.',
  amount: 'Valor em USDC',
  amountHint: 'Um número como 2.50.',
  next: 'Conferir antes de enviar',
  receiveIntro: 'Envie só USDC para cá, e para cada endereço só pela rede dele: qualquer outra coisa pode se perder.',
  receivePlay: 'Dinheiro de teste chega nestes endereços. Nunca envie dinheiro real: ninguém conseguiria recuperar.',
  history: 'Últimos saques',
  othersIntro:
    'Cada um deles também comprovou este nome. Se algum não for seu, retire a permissão de todos: você pode comprovar o nome de novo.',
  onlyHere: 'De agora em diante, só este navegador',
  proveFirst: `Para sua segurança, isto pede uma comprovação de menos de ${PROOF_FRESH_MINUTES} minutos: comprove o nome de novo neste navegador, deixe o dinheiro aqui e volte.`,
  proveAgain: 'Comprovar o nome de novo',

  reviewTitle: 'Conferir antes de enviar',
  reviewHeading: (amount) => `Sacar $${people(amount)}?`,
  reviewAmount: 'Valor',
  reviewCost: 'Custo',
  reviewNoCost: 'nenhum: nós pagamos',
  reviewFrom: 'De',
  reviewTo: 'Para este endereço',
  reviewNetwork: 'Rede',
  reviewWarning: 'Confira o endereço mais uma vez: o que vai para um endereço errado não volta.',
  confirm: (amount) => `Sacar $${people(amount)}`,

  progressTitle: 'Saque',
  toAddress: 'Para',
  states: {
    waiting: 'Preparando',
    later: 'Sai mais tarde',
    sending: 'A caminho',
    paid: 'Chegou',
    failed: 'Não foi enviado',
  },
  waitingNote:
    'Pode levar alguns minutos. Você pode fechar esta página: o envio continua por conta própria e não acontece duas vezes.',
  failedNote: (failure) => `${whyFailedPt(failure)} O dinheiro está onde estava.`,
  transaction: 'Transação',
  seeTransaction: 'Ver a transação',
  refreshNote: (seconds) => `Esta página recarrega a cada ${seconds} segundos.`,

  problemTitle: 'Não deu certo',
  formOver: 'Esta página já fez o trabalho dela, ou não é sua. Comece de novo pela sua carteira.',
  notFound: 'Não existe essa página aqui.',
  foreign: 'Este formulário não veio da nossa página, então nada aconteceu.',
  tooFast: 'Foi um pouco rápido demais. Espere um minuto, por favor.',
  somethingWrong: 'Algo deu errado do nosso lado. Recarregue a sua carteira: ela mostra o que foi enviado.',
};
