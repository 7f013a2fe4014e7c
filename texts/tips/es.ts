import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { tipsEn } from './en.ts';
import { TIP_MAX, TIP_MIN } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('es');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const countPeople = (count: number): string => (count === 1 ? '1 persona' : `${count} personas`);
const listed = (names: readonly string[], more: number): string =>
  more === 0 ? names.map(named).join(', ') : `${names.map(named).join(', ')} y ${more} más`;

const RESULTS: Record<WireStatus, string> = {
  queued: 'En camino',
  pending_claim: 'Esperando a que se recoja',
  paid: 'Recibido',
  held: 'Retenido por ahora',
  refunded: 'Devuelto',
};

const fromWallet = (name: string | null): string => (name === null ? '' : ` con lo que guardaste como ${named(name)}`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (más ${people(fee)} USDC de comisión)`);

export const tipsEs: typeof tipsEn = {
  thinking: () => line`Un momento…`,
  askingPrice: () => line`Preguntando el precio…`,
  paying: ({ amount, fee, recipient, walletName }) =>
    line`Pagando ${usdc(amount)} a ${strong(named(recipient))}${withFee(fee)}${fromWallet(walletName)}…`,
  stillPaying: ({ amount, recipient }) =>
    line`Sigo pagando ${usdc(amount)} a ${strong(named(recipient))}. No se puede cobrar dos veces.`,
  payingLater: ({ amount, recipient }) => [
    line`Pagar ${usdc(amount)} a ${strong(named(recipient))} está tardando más de lo normal.`,
    line`Puedes cerrar esto: sigo intentándolo, y aquí te diré cómo terminó. No se puede cobrar dos veces.`,
  ],
  sent: ({ amount, fee, recipient, walletName }) =>
    line`Envié ${usdc(amount)} a ${strong(named(recipient))}${withFee(fee)}${fromWallet(walletName)}.`,
  tryAgain: () => 'Intentar de nuevo',
  nothingToSend: (amount) =>
    amount === 0n
      ? line`Todavía no hay nada que enviar. ${code('/deposit')} te explica cómo añadir dinero.`
      : line`Tienes ${usdc(amount)}, y la propina más pequeña es de ${strong(`${TIP_MIN} USDC`)}. ${code('/deposit')} te explica cómo añadir dinero.`,
  tooMuchAtOnce: (amount) =>
    line`Serían ${usdc(amount)}, y una propina es de ${strong(`${TIP_MAX} USDC`)} como máximo.`,
  buttonIsOver: () => line`Ese botón ya no funciona. Escribe el comando otra vez para tener uno nuevo.`,
  somethingWrong: () => line`Algo falló de mi lado, y no se cobró nada. Vuelve a intentarlo.`,

  selfTip: (name) => line`${strong(named(name))} eres tú. Envíalo a otra persona:`,
  ownBotTip: () => line`Ese soy yo, y no necesito propinas. Envíala a otra persona:`,
  botTip: (name) => line`${strong(named(name))} es un bot, y los bots no pueden recoger dinero. Envíalo a una persona:`,
  nobodyByName: (name) =>
    line`Últimamente no he visto en este grupo a nadie llamado ${strong(name)}, así que no se ha enviado nada. Responde a un mensaje suyo con ${code('/tip 1')}, o pídele que escriba antes ${code('/help')} aquí.`,
  namesInGroups: (name, platform) =>
    line`${platform} no me dice quién es ${strong(name)}, así que no se ha enviado nada. En un grupo de ${platform} en el que yo también esté, responde a un mensaje suyo con ${code('/tip 1')}.`,

  people: countPeople,

  askSeveral: ({ count, amount, fee, note, walletName }) => {
    const kept = walletName === null ? '' : ` con lo que guardaste como ${named(walletName)}`;
    const question = line`¿Enviar ${usdc(amount)} en total a ${strong(countPeople(count))}${kept}?`;
    const total = line`Con una comisión de ${people(fee)} USDC son ${usdc(sumUsdc([amount, fee]))}.`;
    return [question, ...(fee === 0n ? [] : [total]), ...(note === null ? [] : [line`Con la nota ${strong(note)}`])];
  },
  part: ({ amount, names, more }) =>
    names.length + more === 1
      ? line`${strong(named(names[0] ?? ''))}: ${people(amount)} USDC`
      : line`${people(amount)} USDC por persona: ${listed(names, more)}`,
  unevenSplit: (extra) => [muted(`No se divide exactamente, así que los primeros reciben ${people(extra)} USDC más.`)],
  namedTwice: (names, more) => [muted(`Nombrados más de una vez, contados una sola: ${listed(names, more)}.`)],
  askedFor: (minutes) => [muted(`No se envía nada hasta que confirmes, en un plazo de ${minutes} minutos.`)],
  confirmSeveral: (total) => `Enviar ${people(total)} USDC`,
  cancel: () => 'Cancelar',

  cancelled: () => line`Cancelado. No se cobró nada.`,
  cardExpired: (minutes) =>
    line`No confirmaste en ${String(minutes)} minutos, así que no se envió nada. Escríbelo otra vez si todavía quieres:`,
  askAtRate: ({ typed, amount, rate, source }) =>
    line`${people(typed.amount)} ${typed.currency} son ahora ${strong(`${people(amount)} USDC`)}: 1 ${typed.currency} vale ${people(rate)} USDC${source === null ? '' : ` (${source})`}. ¿Lo envío así?`,
  payAtRate: () => 'Enviar a este cambio',
  rateHolds: (seconds) => [muted(`No se envía nada antes de que pulses, y el cambio vale ${seconds} segundos.`)],
  rateIsOver: () => line`Ese cambio ya no vale, así que no se envió nada. Escríbelo otra vez para uno nuevo.`,
  allEach: () => line`Eso solo puede ir a una persona. ¿Quieres repartirlo?`,
  oneWasRefused: () => line`Así que no se pagó a nadie. Sin ese nombre:`,

  lineResults: ({ status, names, more }) => line`${RESULTS[status]}: ${strong(listed(names, more))}`,
  moreReceipts: (count) => [muted(`Los otros ${count} recibos están en tu historial.`)],

  undoWaiting: () => 'Cancelar lo pendiente',
  undoneFor: ({ amount, names, more }) =>
    line`Envío cancelado: ${usdc(amount)} para ${strong(listed(names, more))}. El dinero está en camino a tu billetera.`,
  undoTooLateFor: (names, more) =>
    line`Demasiado tarde para ${strong(listed(names, more))}: ya lo tienen o han empezado a cobrarlo.`,

  notYourButton: () => line`Solo puede pulsarlo quien lo pidió. Tú puedes enviar tu propia propina:`,

  tipped: ({ recipient, total, tips, people }) => {
    const from = people === 1 ? '1 persona' : `${String(people)} personas`;
    const many = tips > people ? `${from}, en ${String(tips)} propinas` : from;
    return line`${strong(named(recipient))} recibió ${strong(`${formatUsdcForPeople(total)} USDC`)} por esto, de ${many}.`;
  },
  rushTitle: ({ tips, people: count, sum }) =>
    line`${tips === 1 ? '1 propina' : `${String(tips)} propinas`} de ${countPeople(count)}, ${usdc(sum)} en total:`,
  rushLine: (giver, recipient, amount) => line`${giver} → ${named(recipient)} · ${people(amount)} USDC`,
  rushMore: (count) => [muted(`y ${count} antes`)],
  rushCall: (names, more) =>
    line`${strong(listed(names, more))}: aquí te enviaron algo. Escribe ${code('/claim')} para recogerlo.`,
  takenBackAll: () => line`Lo que se dio por esto se ha anulado.`,
  openReceipt: () => 'Abrir el recibo',
};
