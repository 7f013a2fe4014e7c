import { AT_ONCE_DOLLARS, KNOWN_AFTER_HOURS, type purseEn } from './en.ts';

const plurals = new Intl.PluralRules('es');
const is = (count: number, one: string, others: string): string => (plurals.select(count) === 'one' ? one : others);

export const purseEs: typeof purseEn = {
  title: 'Tu dinero',
  of: (name) => `Guardado para ${name}`,
  ofChat: 'El dinero de este chat',
  unknown: 'Ahora mismo no se ve una parte. Vuelve a cargar esta página en un minuto.',
  waits: (sum) => `Te esperan otros ${sum}.`,
  collect: 'Recogerlo',
  keeper: (operator) =>
    `${operator} te lo guarda. No es una cuenta bancaria y nadie lo asegura: deja aquí lo que llevarías en el monedero.`,

  signInTitle: 'Ver tu dinero',
  signInLead: 'No hay nada guardado aquí para este navegador. Entra con el nombre al que se envió el dinero:',
  signInOther: 'Entrar con otro nombre',
  signInWith: (platform) => `Entrar con ${platform}`,
  signInNew: '¿Nunca has recogido nada? Abre el enlace que te enviaron y elige “Keep it here”.',

  looksTitle: 'Ya puedes verlo',
  looksUntil:
    'Se guardó en otro sitio antes de que entraras aquí. A partir del {time} también podrás enviarlo desde este navegador.',
  newcomerTitle: (count) => is(count, 'Ha entrado alguien más', `Han entrado otros ${count}`),
  newcomerUntil: 'Ya puede verlo, y enviarlo a partir del {time}. Si no has sido tú, ciérralo.',
  endNewcomers: 'No soy yo: cerrar',

  places: (count) => is(count, 'Abierto en 1 sitio', `Abierto en ${count} sitios`),
  thisBrowser: 'Este navegador',
  otherBrowser: 'Otro navegador',
  account: (platform) => `Tu cuenta de ${platform}`,
  since: 'desde el {time}',
  laterFrom: 'podrá enviar desde el {time}',
  leave: 'Salir aquí',
  leaveLast: 'Solo este sitio lo tiene abierto: si sales, te quedarías fuera.',

  sendTitle: 'Enviar a alguien',
  sendPlatform: '¿Dónde tiene su nombre?',
  sendName: 'Su nombre allí',
  sendNameHint: 'Por ejemplo alice, o alice@example.com si es un correo.',
  sendAmount: 'Cantidad en dólares',
  sendNote: 'Mensaje, si quieres',
  sendNext: 'Revisar primero',
  reviewTitle: (sum, name) => `¿Enviar ${sum} a ${name}?`,
  to: 'Para',
  amount: 'Cantidad',
  fee: 'Comisión',
  total: 'En total',
  note: 'Mensaje',
  confirm: (sum) => `Enviar ${sum}`,
  back: 'Volver a tu dinero',
  tooLittle: (needed, held) => `Con la comisión hacen falta ${needed}, y hay ${held}. No se ha enviado nada.`,
  sentTitle: (sum, name) => `${sum} para ${name}`,
  sentStates: { going: 'En camino', sent: 'Enviado', failed: 'No se envió' },
  goingNote: 'Tarda unos segundos. Puedes cerrar esta página: sigue por sí solo, y no se puede enviar dos veces.',
  sentNote: 'Si nunca ha recogido nada aquí, mándale el recibo: allí pone cómo.',
  openReceipt: 'Abrir el recibo',

  takeOut: 'Sacarlo a una billetera o plataforma de intercambio tuya',
  takeOutIntro:
    'Para esto hace falta una dirección. Una billetera o plataforma te muestra la tuya en “Recibir” o “Depositar”, para USDC. Nosotros vemos en qué red está.',
  takeOutCost: 'No te cuesta nada: lo pagamos nosotros.',
  takeOutWait: `A una dirección nueva aquí salen al momento hasta ${AT_ONCE_DOLLARS} al día. Más sale a las ${KNOWN_AFTER_HOURS} horas; mientras tanto se ve en tus otros sitios y puedes anularlo. Después la dirección es conocida, y cualquier cantidad sale al momento.`,
  noAddress: 'Eso no es una dirección de billetera o plataforma. Cópiala allí, en “Recibir” o “Depositar”.',

  statement: 'Lo que entró y salió',
  statementEmpty: 'Todavía nada.',
  statementFile: 'Guardar como tabla (CSV)',
  kinds: { received: 'Recibido', sent: 'Enviado', out: 'Retirado' },
  feeOf: (sum) => `comisión ${sum}`,
  reference: (reference) => `N.º ${reference}`,
};
