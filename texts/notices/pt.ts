import { code, line } from '../../core/view.ts';
import type { NoticeTexts } from './en.ts';

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');

export const noticesPt: NoticeTexts = {
  locale: 'pt-BR',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`Um saque foi pedido: ${sum}${walletName === null ? '' : ` do que você guardou como ${walletName}`} saem em ${time} pela rede ${place} para ${address}.`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`Um saque foi pedido: ${sum}${walletName === null ? '' : ` do que você guardou como ${walletName}`} saem na hora pela rede ${place} para ${address}. A partir de ${time} qualquer valor pode sair na hora para esse endereço.`,
  notYou: () => line`Se não foi você, escreva aqui antes disso ${cancel}, e ${lock} para bloquear os gastos.`,
  added: ({ time, walletName }) =>
    line`Alguém entrou de outro lugar ${walletName === null ? 'na sua carteira daqui' : `no que você guardou como ${walletName}`}. Já pode ver, e poderá enviar ou sacar a partir de ${time}.`,
  addedNotYou: () => line`Se não foi você, escreva aqui antes disso ${wallet} e encerre.`,
};
