import { code, line } from '../../core/view.ts';
import type { ReceiptTexts } from './en.ts';

const anotherDay = (what: string): string =>
  `${what} tiene un límite, y el de hoy ya se alcanzó. Sigue por sí solo otro día en que haya espacio (hora UTC).`;

export const receiptEs: ReceiptTexts = {
  received: (recipient, sum) => line`${recipient} recibió ${sum}.`,
  collected: (recipient, sum) => line`${recipient} recogió ${sum}.`,
  onItsWay: (recipient, sum) => line`${sum} van en camino a ${recipient}.`,
  waits: (recipient, sum) => line`${sum} esperan a ${recipient}.`,
  hasToWait: (recipient, sum) => line`${sum} para ${recipient} tienen que esperar.`,
  isChecked: (recipient, sum) => line`${sum} para ${recipient} están en revisión.`,
  cameBack: (recipient, sum) => line`${sum} para ${recipient} volvieron a ti.`,
  paidTwice: (recipient, sum) =>
    line`Tu enlace para ${recipient} se pagó dos veces. Lo que sobró, ${sum}, está en tu billetera aquí; si lo envió otra persona, es suyo.`,

  passing: {
    payer_limit: () => anotherDay('Lo que una persona puede enviar en un día'),
    recipient_limit: (recipient) => anotherDay(`Lo que ${recipient} puede recibir en un día`),
    no_token_account: (recipient) =>
      `La billetera de ${recipient} aún no puede guardar USDC. Sigue por sí solo cuando se abra allí una cuenta de USDC, o cuando podamos abrirla.`,
    account_quota: (recipient) =>
      `La billetera de ${recipient} necesita una cuenta nueva de USDC, y solo abrimos unas cuantas al día. Sigue por sí solo el día (UTC) en que haya lugar; va primero lo que lleva más tiempo esperando y las cantidades mayores.`,
  },
  untilChecked: () =>
    'Quien opera este servicio tiene que revisarlo antes de que salga. Hasta entonces queda guardado.',

  sendThemThis: () => line`Envíale esto:`,
  messageForThem: (sum, url) => line`Te envié ${sum}, dólares digitales. Recógelos aquí: ${url}`,
  sendReceipt: () => line`Envíale el recibo: desde ahí se recoge el dinero.`,
  collectHere: (recipient) => line`${recipient}: escribe ${code('/claim')} aquí para recoger el dinero.`,
  note: (text) => line`«${text}»`,

  somethingFrom: (giver) => line`${giver} te envió algo …`,
  sentYou: (giver, sum) => line`${giver} te envió ${sum}.`,
  sentThem: (giver, recipient, sum) => line`${giver} le envió ${sum} a ${recipient}.`,
  community: () => 'Tu comunidad',
  rewarded: (sum, author) =>
    line`Una comunidad te recompensó con ${sum} por tu reacción a una publicación de ${author}.`,
  smallTips: (people, sum) =>
    line`Hoy ${people === 1 ? '1 persona te envió' : `${String(people)} personas te enviaron`} ${sum}.`,
  notice: {
    keep_tip: () => 'Quedármelo',
    decline_tip: () => 'No, gracias',
    read_note: () => 'Leer la nota',
    block_giver: () => 'No saber más de esta persona',
    quiet_small: () => 'Las pequeñas, una vez al día',
    readAlways: () => 'Mostrarme sus notas',
  },

  returned: {
    not_collected: (recipient) => `${recipient} no lo recogió a tiempo.`,
    taken_back: () => 'Cancelaste el envío antes de que se recogiera.',
    declined: (recipient) => `${recipient} no lo quiso.`,
    wind_down: () => 'Este servicio cierra y devuelve lo que está en espera.',
    not_paid_out: () => 'No se pudo pagar, así que vuelve a ti.',
    opted_out: (recipient) => `${recipient} no quiere recibir pagos.`,
    not_found: (recipient) => `${recipient} no existe, así que nadie habría podido recogerlo.`,
    no_answer: (recipient) => `No se pudo saber a tiempo quién es ${recipient}.`,
    had_another_owner: (recipient) =>
      `${recipient} era antes el nombre de otra persona, así que no se pudo saber a quién te referías.`,
    newer_than_payment: (recipient) => `Quien usa ahora ${recipient} consiguió ese nombre después de tu pago.`,
  },

  openReceipt: () => 'Abrir el recibo',

  receiptNumber: (number) => `Recibo ${number}`,
  collectEachHere: () => line`Quienes están en este chat recogen el dinero aquí con ${code('/claim')}.`,
  sendEachReceipt: () => line`Envía a cada persona su recibo: desde ahí se recoge el dinero.`,
};
