import type { ReceiptPageTexts } from './en.ts';
import type { GoesBackIf } from '../going-back/en.ts';
import { goingBackEs } from '../going-back/es.ts';

const shortDays = new Intl.DateTimeFormat('es', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const minutes = new Intl.DateTimeFormat('es', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const goesBack = (condition: GoesBackIf, on: string | null): string =>
  goingBackEs.sentence({ if: condition, to: 'sender', on });

export const receiptPageEs: ReceiptPageTexts = {
  minute: (date) => `${minutes.format(date)} UTC`,
  shortDay: (date) => shortDays.format(date),
  postmark: 'PAGADO',

  title: (sum, person) => `${sum} para ${person}`,
  states: {
    undone: () => 'El pago no llegó a hacerse',
    unsettled: () => 'Se está enviando de nuevo',
    received: (person) => `Lo recibió ${person}`,
    lookedUp: (person) => `Buscando a ${person}`,
    onItsWay: (person) => `En camino a ${person}`,
    goingBack: () => 'De vuelta a quien lo envió',
    waiting: () => 'Pendiente de recoger',
    waitingForRoute: () => 'A la espera de poder entregarlo',
    held: () => 'En revisión',
    returned: () => 'Devuelto a quien lo envió',
  },
  passing: {
    payer_limit: 'Queda para otro día',
    recipient_limit: 'Queda para otro día',
    no_token_account: 'A la espera de una cuenta',
    account_quota: 'Queda para otro día',
  },
  next: {
    undone: () => 'No se pagó nada: quien lo envió conserva el dinero y puede volver a enviarlo.',
    unsettled: () => 'El mismo pago se vuelve a enviar automáticamente. Nadie paga dos veces y no hay que hacer nada.',
    received: ({ person }) => `${person} tiene el dinero. Ya no hay que hacer nada más; esta página sirve de recibo.`,
    lookedUp: ({ person, asked, askedMinutes }) =>
      `${asked ?? 'El sistema de nombres de dominio'} aún no ha respondido, así que todavía no se sabe quién es ${person}. Seguiremos preguntando durante ${askedMinutes} minutos; si nadie tiene ese nombre o sigue sin haber respuesta, el dinero vuelve a quien lo envió.`,
    onItsWay: ({ person }) => `Le llegará a ${person} automáticamente. No hay que hacer nada.`,
    goingBack: () => 'Se devuelve automáticamente a quien lo envió.',
    waiting: ({ person, until }) => `${person} puede recogerlo. ${goesBack('nobody_collects', until)}`,
    waitingForRoute: ({ person, until }) =>
      `Es de ${person}, pero su dirección aquí todavía no puede recibirlo. Espera otra dirección, o una forma de llegar a esta. ${goesBack('nothing_changes', until)}`,
    returned: () => 'El dinero volvió por donde vino.',
  },
  returnedBecause: {
    not_collected: () => 'No se recogió a tiempo.',
    taken_back: () => 'Quien lo envió canceló el envío antes de que se recogiera.',
    not_found: ({ person }) => `${person} no existe, así que nadie habría podido recogerlo.`,
    no_answer: ({ person, asked, askedMinutes }) =>
      `${asked ?? 'El sistema de nombres de dominio'} no respondió en ${askedMinutes} minutos, así que no se pudo saber quién es ${person}.`,
    had_another_owner: ({ person }) =>
      `${person} era antes otra persona, y no se pudo saber quién era en el momento del pago.`,
    newer_than_payment: ({ person }) =>
      `Quien ahora es ${person} obtuvo ese nombre después del pago, así que iba dirigido a otra persona.`,
    opted_out: ({ person }) => `${person} no quiere recibir pagos.`,
    declined: ({ person }) => `${person} no lo quiso.`,
    wind_down: () => 'Este servicio cierra y devuelve lo que está en espera.',
    not_paid_out: () => 'No se pudo pagar, así que el dinero se devuelve.',
  },
  certainty: {
    undone: () => 'El pago no llegó a hacerse y no se cobró nada.',
    pending: (networkName) => `${networkName} sustituyó el bloque en el que estaba.`,
    settled: () => 'En la cadena de bloques, aún no es definitivo.',
    final: () => 'Definitivo: la red ya no puede deshacer el pago.',
  },
  between: ' ',
  stop: '. ',

  steps: 'Por dónde va el dinero',
  sentStep: 'Enviado',
  waitingStep: 'En espera',
  receivedStep: 'Recibido',
  returnedStep: 'Devuelto',
  stepStates: { done: 'hecho', now: 'en curso', later: 'pendiente', failed: 'no se hizo' },

  from: (sender) => `De ${sender}`,
  someoneCalled: (name) => `alguien que dice llamarse «${name}»`,
  someone: 'alguien que no dio su nombre',
  forWhom: (person) => `para ${person}`,
  money: 'La cantidad está en USDC, un dólar digital.',
  note: 'Mensaje de quien lo envía',
  collect: 'Recoger el dinero',
  collectAgain: 'Elegir otra forma',
  keptBy: (operator) => `Hasta entonces lo guarda ${operator}.`,
  askOperator: (operator) => `Pregunta a ${operator} e indica el número de abajo.`,
  forSender: '¿Lo enviaste tú?',
  passOn: 'Comparte el enlace para que puedan recogerlo.',
  share: {
    share: 'Compartir',
    copy: 'Copiar el enlace',
    copied: 'Enlace copiado',
    qr: 'Mostrar como código',
    qrLabel: 'Un código que abre esta página en un teléfono',
  },

  proof: 'Comprobante del pago',
  state: 'Estado',
  recipient: 'Para',
  network: 'Red',
  sent: 'Enviado',
  settled: 'En la cadena de bloques',
  number: 'Número',
  transaction: 'Transacción',
  transactionCopied: 'Transacción copiada',
  copy: 'Copiar',
  seeOnChain: 'Verla en la cadena de bloques',
  thisReceipt: 'Esta página',
  follows: 'Esta página se actualiza sola.',
  reloads: (seconds) => `Esta página se recarga cada ${seconds} segundos hasta que el pago termine.`,
};
