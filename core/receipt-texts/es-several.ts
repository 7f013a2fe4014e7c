import type { WireStatus } from '../states.ts';
import { line, muted, strong } from '../view.ts';
import type { severalReceiptEn } from './en-several.ts';

const STATES: Readonly<Record<WireStatus, string>> = {
  queued: 'En camino a',
  pending_claim: 'A la espera de',
  paid: 'Lo recibió:',
  held: 'Retenido por ahora, para',
  refunded: 'Volvió a ti, para',
};

export const severalReceiptEs: typeof severalReceiptEn = {
  forSeveral: (total, count) => line`${total} para ${strong(count === 1 ? '1 persona' : `${count} personas`)}.`,
  stateOfSeveral: (status, { names, more }) =>
    line`${STATES[status]} ${strong(names.join(', '))}${more === 0 ? '' : ` y ${more} más`}.`,
  sendEachReceipt: () => line`Envía a cada persona su recibo: desde ahí se recoge el dinero.`,
  sendEachReceiptUntil: (day) =>
    line`Envía a cada persona su recibo: desde ahí se recoge el dinero hasta el ${day}. Después vuelve a ti.`,
  otherReceipts: (count) => [
    muted(`Quien pagó encuentra ${count === 1 ? 'el otro recibo' : `los otros ${count} recibos`} con /history.`),
  ],
};
