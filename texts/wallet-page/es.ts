import { formatUsdcForPeople } from '../../core/money.ts';
import type { walletPageEn } from './en.ts';
import { whyFailedEs } from '../withdrawals/es.ts';
import { PROOF_FRESH_MINUTES } from '../rules/rules.ts';

const people = formatUsdcForPeople;

export const walletPageEs: typeof walletPageEn = {
  balance: (amount, place) => `${people(amount)} USDC, en ${place}`,
  balanceUnknown: (place) => `En ${place}: ahora mismo no responde. Vuelve a cargar esta página en un minuto.`,

  openChat: 'Abrir el chat',

  depositTitle: 'Añadir dinero',
  depositIntro:
    'Escanea uno de estos códigos con la aplicación desde la que envías. Envía solo USDC, y a cada dirección solo por su red: cualquier otra cosa podría perderse.',
  depositAt: (place) => `USDC en ${place}`,
  qrCode: (place) => `Código QR de tu dirección en ${place}`,

  network: 'Red',
  address: 'Dirección',
  addressHint: 'De una billetera o plataforma de intercambio que acepte USDC.',
  amount: 'Cantidad en USDC',
  amountHint: 'Un número como 2.50.',
  next: 'Revisar antes de enviar',
  receiveIntro: 'Envía aquí solo USDC, y a cada dirección solo por su red: cualquier otra cosa podría perderse.',
  receivePlay: 'A estas llega dinero de prueba. Nunca les envíes dinero real: nadie podría recuperarlo.',
  history: 'Últimos retiros',
  othersIntro:
    'Cada uno demostró también que este nombre es suyo. Si alguno no es tuyo, quítales el permiso a todos: quien seas tú puede volver a demostrarlo.',
  onlyHere: 'Desde ahora, solo este navegador',
  proveFirst: `Por tu seguridad, esto pide que hayas entrado hace menos de ${PROOF_FRESH_MINUTES} minutos: entra otra vez con el nombre en este navegador y vuelve.`,
  proveAgain: 'Demostrar el nombre otra vez',

  reviewTitle: 'Revisar antes de enviar',
  reviewHeading: (amount) => `¿Retirar $${people(amount)}?`,
  reviewAmount: 'Importe',
  reviewCost: 'Coste',
  reviewNoCost: 'ninguno: lo pagamos nosotros',
  reviewFrom: 'De',
  reviewTo: 'A esta dirección',
  reviewNetwork: 'Red',
  reviewWarning: 'Compara la dirección una vez más: lo que va a una equivocada no se puede recuperar.',
  confirm: (amount) => `Retirar $${people(amount)}`,

  progressTitle: 'Retiro',
  toAddress: 'A',
  states: {
    waiting: 'En preparación',
    later: 'Sale más tarde',
    sending: 'En camino',
    paid: 'Ya llegó',
    failed: 'No se envió',
  },
  waitingNote:
    'Puede tardar unos minutos. Puedes cerrar esta página: sigue por sí solo, y no se puede enviar dos veces.',
  failedNote: (failure) => `${whyFailedEs(failure)} El dinero está donde estaba.`,
  transaction: 'Transacción',
  seeTransaction: 'Ver la transacción',
  refreshNote: (seconds) => `Esta página se vuelve a cargar cada ${seconds} segundos.`,

  problemTitle: 'Eso no funcionó',
  formOver: 'Esta página ya hizo su trabajo, o no es tuya. Empieza otra vez desde tu dinero.',
  notFound: 'Aquí no existe esa página.',
  foreign: 'Este formulario no se envió desde nuestra página, así que no pasó nada.',
  tooFast: 'Fue un poco rápido. Espera un minuto, por favor.',
  somethingWrong: 'Algo falló de nuestro lado. Vuelve a cargar la página de tu dinero: muestra lo que se envió.',
};
