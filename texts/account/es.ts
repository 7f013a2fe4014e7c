import { HOLDER_WAIT_HOURS, SMALL_TIP } from '../rules/rules.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { accountEn } from './en.ts';
import { claimPagesEs } from '../claim-pages/es.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('es');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const days = new Intl.DateTimeFormat('es-ES', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const STATES: Record<WireStatus, string> = {
  queued: 'en camino',
  pending_claim: 'a la espera de que se recoja',
  paid: 'recibida',
  held: 'retenida por ahora',
  refunded: 'devuelta',
};

export const accountEs: typeof accountEn = {
  historyTitle: () => line`Las últimas propinas que enviaste:`,
  historyLine: ({ number, sentAt, amount, recipient, status }) =>
    line`${String(number)}. ${usdc(amount)} a ${strong(named(recipient))}, ${STATES[status]} (${days.format(sentAt)})`,
  historyReceipt: (number, recipient) => `${String(number)}. ${named(recipient)}`,
  historyCsv: () => 'Todas en un archivo CSV',
  noHistory: () => line`Todavía no enviaste ninguna propina.`,

  askLanguage: () => line`¿En qué idioma quieres que hable contigo?`,
  asMyApp: () => 'El de mi aplicación',
  speaksNow: (language) => line`Desde ahora hablo ${strong(language)} contigo.`,
  speaksAsApp: () => line`Desde ahora hablo el idioma de tu aplicación, si lo conozco.`,
  noSuchLanguage: () => line`Ese no lo hablo. Elige uno de estos:`,

  waitsForYou: (total) =>
    line`${usdc(total)} te esperan. Guárdalos aquí y podrás dar propinas con ellos enseguida, o envíalos a una dirección con ${code('/withdraw')}.`,
  nothingWaits: () =>
    line`No hay nada esperando a esta cuenta. Si te avisaron de una propina a otro nombre tuyo, recógela con ese nombre:`,
  receiveHere: () => 'Que las propinas lleguen solas aquí',
  keepHere: (total) => `Guardar ${people(total)} USDC aquí`,
  kept: () =>
    line`Listo. Llegará a tu billetera de aquí en menos de un minuto, y las próximas propinas llegarán automáticamente.`,
  keptNoRoom: () =>
    line`Listo. Una parte espera: ahora no se puede guardar más aquí para ti. Envía o retira algo y llegará automáticamente; si nada cambia, vuelve a quien la envió.`,
  collectElsewhere: () =>
    line`Abre la página, demuestra que el nombre es tuyo y elige adónde va el dinero. Se tarda un minuto.`,
  collectWhich: () => line`¿Con qué nombre te dieron la propina? El dinero se recoge con ese nombre:`,
  collectAs: (name) => `Recoger como ${named(name)}`,
  claimRefused: () => line`Ahora mismo no se puede recoger. Escribe ${code('/claim')} para volver a mirar.`,
  claimUnreachable: () =>
    line`Ahora mismo no puedo conectar con el servicio. No se ha perdido nada: vuelve a intentarlo en un minuto.`,

  linkWhich: () => line`¿Qué nombre tuyo debe pagar a tu billetera de aquí? Escríbelo así:`,
  linkKeep: (name) =>
    line`Abre la página, demuestra que ${strong(named(name))} es tuyo y elige ${strong(claimPagesEs.keep)}. Con lo que te envíen a ese nombre podrás dar propinas desde este chat.`,
  linkChat: () =>
    line`Abre la página en el navegador en el que entras a tu dinero. Allí lo conectas con este chat: cada uno puede ver lo que tiene el otro, y enviarlo ${HOLDER_WAIT_HOURS} horas después si no lo protege una llave de acceso.`,
  openPage: () => 'Abrir la página',

  smallAreQuiet: () =>
    line`Propinas de menos de ${SMALL_TIP} USDC: una línea al día en vez de un mensaje por cada una.`,
  smallAreHeard: () => line`Propinas de menos de ${SMALL_TIP} USDC: un mensaje por cada una.`,
  quietSmall: () => 'Una línea al día',
  ringSmall: () => 'Un mensaje por cada una',
  declinedTip: () => line`Hecho. Vuelve a quien lo envió.`,
  noteFrom: (giver, amount) => line`${giver} te envió ${usdc(amount)} y escribió:`,
  readsNotes: () => line`Hecho. Lo que escriba llegará enseguida con sus próximas propinas.`,

  blockWhom: () => line`Estas personas te han enviado algo últimamente. A quien bloquees no se le avisa:`,
  giver: (number, name, isBlocked) => line`${String(number)}. ${strong(name)}${isBlocked ? ' (bloqueado)' : ''}`,
  blockGiver: (number) => `Bloquear ${number}`,
  allowGiver: (number) => `Permitir ${number} de nuevo`,
  nobodyGave: () => line`Nadie te ha enviado nada todavía.`,
  blockedGiver: () =>
    line`Hecho. Ya no te llega nada de esa persona, bajo ningún nombre que hayas demostrado aquí. Lo que espera vuelve.`,
  allowedGiver: () => line`Hecho. Puede volver a enviarte algo.`,

  privacy: () => [
    line`Sé qué propinas enviaste desde aquí, con sus notas, y cómo prefieres las cosas: tu idioma y tu billetera.`,
    line`Puedes recibirlo todo en un archivo, o borrar las propinas que ya terminaron. Entonces no te daré más noticias de ellas.`,
    [muted('Se quedan las billeteras, los retiros, los recibos y los libros de pagos: dicen de quién es el dinero.')],
  ],
  exportJson: () => 'Recibirlo en un archivo',
  eraseNow: () => 'Borrar ya mis propinas',
  erased: (count) =>
    line`Borrado: ${count === 1 ? '1 propina' : `${String(count)} propinas`}. Tu dinero y sus libros no se tocaron.`,
  optOut: () => 'Rechazar todas las propinas para mí',
  optedOut: () =>
    line`Listo. Lo que te esperaba vuelve a quien lo envió, y nadie puede dar propinas a esta cuenta. ${code('/claim')} lo deshace.`,
  linkLasts: (minutes) => [muted(`El enlace es solo para ti y funciona durante ${String(minutes)} minutos.`)],
};
