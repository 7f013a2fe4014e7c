import type { WireStatus } from '../states.ts';
import { line, muted, strong } from '../view.ts';
import type { severalReceiptEn } from './en-several.ts';

const STATES: Readonly<Record<WireStatus, string>> = {
  queued: 'A caminho de',
  pending_claim: 'Esperando por',
  paid: 'Recebido por',
  held: 'Retido por enquanto, para',
  refunded: 'Voltou para você, era para',
};

export const severalReceiptPt: typeof severalReceiptEn = {
  forSeveral: (total, count) => line`${total} para ${strong(count === 1 ? '1 pessoa' : `${count} pessoas`)}.`,
  stateOfSeveral: (status, { names, more }) =>
    line`${STATES[status]} ${strong(names.join(', '))}${more === 0 ? '' : ` e mais ${more}`}.`,
  sendEachReceipt: () => line`Envie a cada pessoa o recibo dela: é por ele que se resgata o dinheiro.`,
  sendEachReceiptUntil: (day) =>
    line`Envie a cada pessoa o recibo dela: é por ele que se resgata o dinheiro até ${day}. Depois disso, ele volta para você.`,
  otherReceipts: (count) => [
    muted(`Quem pagou encontra ${count === 1 ? 'o outro recibo' : `os outros ${count} recibos`} com /history.`),
  ],
};
