import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { line, strong } from '../../core/view.ts';
import type { payLinkEn, payPageEn } from './en.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('es');

const people = (amount: MicroUsdc): string => formatUsdcForPeople(amount);

export const payLinkEs: typeof payLinkEn = {
  payByLink: (total) => `Pagar ${people(total)} USDC`,
  linkOffer: ({ total, recipient, minutes, isAsked }) =>
    line`${isAsked ? 'Paga' : 'O paga'} ${strong(`${people(total)} USDC`)} para ${strong(named(recipient))} con cualquier billetera o aplicación: el botón de abajo vale ${String(minutes)} minutos y una sola vez. Quien lo abra puede pagar por ti.`,
  addAndSend: () => 'Añadir dinero de prueba y enviar',
  sendNow: () => 'Enviar ahora',
  linkInUse: () =>
    line`Alguien ha empezado a pagar con el enlace, así que no pago a la vez. Si no llega a pagar, escribe la propina otra vez.`,
  goesOnThere: () => line`Va en camino. Donde escribiste la propina verás cómo termina.`,
  noLink: () => line`Aquí no se ofrecen enlaces de pago.`,
};

export const payPageEs: typeof payPageEn = {
  title: (total) => `Pagar ${people(total)} USDC`,
  titlePaid: (total) => `Pagado: ${people(total)} USDC`,
  titleClosed: (total) => `Cerrado: ${people(total)} USDC`,
  forWhom: (recipient) => `para ${recipient}`,
  gets: (recipient, amount) => `${recipient} recibe ${people(amount)} USDC`,
  more: (count) => `y ${count} más`,
  details: 'Quién recibe qué',
  fee: (fee) => `más una comisión de ${people(fee)} USDC`,
  ourAddress: (recipient) =>
    `Tu billetera muestra nuestra dirección; el dinero es para ${recipient}. Se lo pasamos, y tú recibes un recibo.`,
  reward: (author) => `Una recompensa por una publicación de ${author}`,
  rewardAddress: (recipient) =>
    `Tu billetera muestra nuestra dirección; el dinero es para ${recipient}. Se lo pasamos, y la página de la recompensa lo muestra.`,
  until: 'Puedes pagar hasta las',
  timeLeft: 'Queda',

  withWallet: 'Pagar con tu billetera',
  walletIntro: 'En tu billetera ves lo que firmas, y no cuesta comisión de red.',
  noWallet:
    'No hay ninguna billetera en este navegador. Abre esta página en la aplicación de tu billetera, o paga desde cualquier aplicación.',
  onlyWallet:
    'No hay ninguna billetera en este navegador. Abre esta página en la aplicación de tu billetera o en un navegador que tenga una.',
  newcomer: '¿Aún no tienes USDC?',
  newcomerNote: (places) =>
    `USDC son dólares digitales que se compran en una billetera o una plataforma de intercambio que los venda; nosotros no los vendemos. Para esta página, tiene que poder enviar USDC en ${places}.`,
  payWith: (wallet) => `Pagar con ${wallet}`,
  walletAsks: 'Tu billetera te pide que lo confirmes.',
  walletRefused: 'Tu billetera no firmó, así que no se pagó nada.',
  otherChain: 'Tu billetera no pudo cambiar a la red correcta, así que no se pagó nada.',
  openIn: (wallet) => `Abrir en ${wallet}`,

  inApp: 'Estás en el navegador de otra aplicación, desde donde no se llega a ninguna billetera.',
  openBrowser: 'Abrir en tu navegador',
  copyLink: 'O copia esta dirección en tu navegador:',

  playWallet: 'Pagar con una billetera de prueba',
  playIntro: 'Tiene dinero de prueba y está hecha para esta página. Aquí nunca se pide tu propia billetera.',
  payPlay: 'Pagar con la billetera de prueba',

  anyApp: 'Pagar desde cualquier aplicación',
  anyAppIntro:
    'Desde una plataforma de intercambio o una billetera en otro dispositivo: envía exactamente esta cantidad de USDC a esta dirección.',
  showAddress: 'Mostrar dirección y cantidad',
  on: (place) => `En ${place}`,
  amount: 'Cantidad exacta en USDC',
  address: 'Dirección',
  copy: 'Copiar',
  copied: 'Copiado',
  qrCode: (place) => `Código QR de la dirección en ${place}`,
  qrPayment: (place) => `Código QR con la dirección y la cantidad en ${place}`,
  exactly:
    'Envía esta cantidad hasta la última cifra: por ella sabemos para qué es. Se añade un poco, que también va a quien recibe. Si tu plataforma descuenta una comisión, súmala: tiene que llegar justo esta cantidad.',
  onlyUsdc:
    'Solo USDC, solo por la red que está sobre la dirección y solo una vez: no pagues además con una billetera. Si el dinero vuelve, va a la billetera de quien pidió este enlace.',
  arrives: 'En cuanto llegue, esta página y el chat lo dirán.',

  notConfirmed: 'Aún no está confirmado',
  notConfirmedNote: 'Antes tienen que confirmarlo en el chat quienes moderan la comunidad.',
  paying: 'Tu pago está en camino',
  payingNote: 'No pagues una segunda vez. Puedes cerrar esta página: sigue por sí sola.',
  beingPaid: 'Se está pagando',
  beingPaidNote: 'Nadie tiene que pagar una segunda vez. Puedes cerrar esta página: sigue por sí sola.',
  rewardOver: 'Esta recompensa terminó',
  rewardOverNote: 'Ya no se puede pagar nada por ella. El chat dice qué fue de ella.',
  rewardOverInstead: '¿Aún quieres dar algo? Pide una recompensa nueva en el chat.',
  paid: 'Ya está pagado',
  paidNote: (recipient) => `El recibo muestra por dónde va el dinero. Pásale el enlace a ${recipient}.`,
  receipt: 'Abrir el recibo',
  receiptOf: (recipient) => `Recibo de ${recipient}`,
  expired: 'Este enlace ha caducado',
  expiredNote: 'Por favor, no pagues más. Lo que se envió a tiempo aún llega, y el chat lo dice.',
  expiredInstead: '¿Aún quieres pagar? Pide un enlace nuevo donde te dieron este.',
  refresh: 'Vuelve a cargar esta página para ver cómo sigue.',

  refused: {
    insufficient_funds: 'No hay suficientes USDC en esa billetera en esta red. No se cobró nada.',
    order_in_progress: 'Alguien ya lo está pagando. No se cobró nada más.',
    not_confirmed: 'Aún no lo han confirmado bastantes. No se cobró nada.',
    changed_payment: 'Lo que volvió no es lo que preparamos, o tardó demasiado. No se cobró nada; inténtalo de nuevo.',
    wallet_added:
      'Tu billetera añadió algo propio al pago, y no dejamos pasar nada que no conozcamos. No se cobró nada. Desactiva esos añadidos en tu billetera, usa otra o paga desde cualquier aplicación.',
    payer_not_allowed: 'Esa dirección no puede pagar aquí. Usa otra billetera.',
    link_over: 'Este enlace ha caducado. No se cobró nada.',
    service_closing: 'Este servicio cierra: ya no acepta pagos. No se cobró nada.',
    too_many_links:
      'Se abrieron demasiados enlaces de la misma persona sin pagarlos. No se cobró nada; paga primero uno de ellos.',
    rate_limited: 'Eso fue muy rápido. Inténtalo de nuevo en un minuto.',
    other: 'No funcionó. Si tu billetera no muestra ningún pago, inténtalo de nuevo o paga de otra manera.',
  },
};
