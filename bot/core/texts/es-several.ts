import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { WireStatus } from '../../../core/states.ts';
import { line, muted, strong, type Span } from '../../../core/view.ts';
import type { severalEn } from './en-several.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const countPeople = (count: number): string => (count === 1 ? '1 persona' : `${count} personas`);
const listed = (names: readonly string[], more: number): string =>
  more === 0 ? names.join(', ') : `${names.join(', ')} y ${more} más`;

const RESULTS: Record<WireStatus, string> = {
  queued: 'En camino',
  pending_claim: 'Esperando a que se recoja',
  paid: 'Recibido',
  held: 'Retenido por ahora',
  refunded: 'Devuelto',
};

export const severalEs: typeof severalEn = {
  people: countPeople,

  askSeveral: ({ count, amount, fee, note, walletName }) => {
    const kept = walletName === null ? '' : ` con lo que guardaste como ${walletName}`;
    const question = line`¿Enviar ${usdc(amount)} en total a ${strong(countPeople(count))}${kept}?`;
    const total = line`Con una comisión de ${people(fee)} USDC son ${usdc(sumUsdc([amount, fee]))}.`;
    return [question, ...(fee === 0n ? [] : [total]), ...(note === null ? [] : [line`Con la nota ${strong(note)}`])];
  },
  part: ({ amount, names, more }) =>
    names.length + more === 1
      ? line`${strong(names[0] ?? '')}: ${people(amount)} USDC`
      : line`${people(amount)} USDC por persona: ${listed(names, more)}`,
  unevenSplit: (extra) => [muted(`No se divide exactamente, así que los primeros reciben ${people(extra)} USDC más.`)],
  namedTwice: (names, more) => [muted(`Nombrados más de una vez, contados una sola: ${listed(names, more)}.`)],
  askedFor: (minutes) => [muted(`No se envía nada hasta que confirmes, en un plazo de ${minutes} minutos.`)],
  confirmSeveral: (total) => `Enviar ${people(total)} USDC`,
  cancel: () => 'Cancelar',

  cancelled: () => line`Cancelado. No se cobró nada.`,
  cardExpired: (minutes) =>
    line`No confirmaste en ${String(minutes)} minutos, así que no se envió nada. Escríbelo otra vez si todavía quieres:`,
  allEach: () => line`Eso solo puede ir a una persona. ¿Quieres repartirlo?`,
  oneWasRefused: () => line`Así que no se pagó a nadie. Sin ese nombre:`,

  lineResults: ({ status, names, more }) => line`${RESULTS[status]}: ${strong(listed(names, more))}`,
  moreReceipts: (count) => [muted(`Los otros ${count} recibos están en tu historial.`)],

  undoWaiting: () => 'Anular lo pendiente',
  undoneFor: ({ amount, names, more }) =>
    line`Anulado: ${usdc(amount)} para ${strong(listed(names, more))}. Está en camino a tu billetera.`,
  undoTooLateFor: (names, more) =>
    line`Demasiado tarde para ${strong(listed(names, more))}: ya lo tienen o han empezado a cobrarlo.`,

  notYourButton: () => line`Solo puede pulsarlo quien lo pidió. Tú puedes enviar tu propia propina:`,
};
