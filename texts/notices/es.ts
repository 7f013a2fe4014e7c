import { code, line } from '../../core/view.ts';
import type { NoticeTexts } from './en.ts';

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');

export const noticesEs: NoticeTexts = {
  locale: 'es',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`Se ha pedido un retiro: ${sum}${walletName === null ? '' : ` de lo que guardaste como ${walletName}`} salen el ${time} por ${place} hacia ${address}.`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`Se ha pedido un retiro: ${sum}${walletName === null ? '' : ` de lo que guardaste como ${walletName}`} salen en el acto por ${place} hacia ${address}. Desde ${time} cualquier cantidad puede salir a esa dirección en el acto.`,
  notYou: () => line`Si no has sido tú, escribe aquí antes ${cancel}, y ${lock} para bloquear los gastos.`,
  added: ({ time, walletName }) =>
    line`Alguien ha entrado desde otro sitio en ${walletName === null ? 'tu billetera de aquí' : `lo que guardaste como ${walletName}`}. Ya puede verlo, y podrá enviar o retirar desde el ${time}.`,
  addedNotYou: () => line`Si no has sido tú, escribe aquí antes ${wallet} y ciérralo.`,
};
