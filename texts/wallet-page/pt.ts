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
    'Escaneie um destes códigos com o aplicativo de onde você vai enviar. Envie só USDC e, para cada endereço, só pela rede dele: fora disso, o dinheiro pode se perder.',
  depositAt: (place) => `USDC na rede ${place}`,
  qrCode: (place) => `Código QR do seu endereço na rede ${place}`,

  network: 'Rede',
  address: 'Endereço',
  addressHint: 'De uma carteira ou corretora que aceite USDC.',
  amount: 'Valor em USDC',
  amountHint: 'Um número como 2.50.',
  next: 'Conferir antes de enviar',
  receiveIntro:
    'Envie só USDC para cá e, para cada endereço, só pela rede dele: fora disso, o dinheiro pode se perder.',
  receivePlay:
    'Dinheiro de teste chega nestes endereços. Nunca envie dinheiro real para eles: ninguém conseguiria recuperar.',
  history: 'Últimos saques',
  othersIntro:
    'Nas outras sessões este nome também foi comprovado. Se alguma não for sua, encerre todas as outras: nas que forem suas, dá para comprovar o nome de novo.',
  onlyHere: 'De agora em diante, só este navegador',
  proveFirst: `Para sua segurança, isto exige um acesso feito há no máximo ${PROOF_FRESH_MINUTES} minutos: entre de novo com o nome neste navegador e volte.`,
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
    'Pode levar alguns minutos. Você pode fechar esta página: o saque continua sozinho e não é feito duas vezes.',
  failedNote: (failure) => `${whyFailedPt(failure)} O dinheiro está onde estava.`,
  transaction: 'Transação',
  seeTransaction: 'Ver a transação',
  refreshNote: (seconds) => `Esta página recarrega a cada ${seconds} segundos.`,

  problemTitle: 'Não deu certo',
  formOver: 'Esta página já foi usada ou não é sua. Comece de novo pela página do seu dinheiro.',
  notFound: 'Não existe essa página aqui.',
  foreign: 'Este formulário não veio da nossa página, então nada foi feito.',
  tooFast: 'Foi um pouco rápido demais. Espere um minuto, por favor.',
  somethingWrong: 'Algo deu errado do nosso lado. Recarregue a página do seu dinheiro: ela mostra o que foi enviado.',
};
