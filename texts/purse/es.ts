import {
  AT_ONCE_DOLLARS,
  HOLDER_WAIT_HOURS,
  WITHDRAWAL_WAIT_MAX_HOURS,
  WITHOUT_PASSKEY_HOURS,
} from '../rules/rules.ts';
import { KNOWN_AFTER_HOURS, UNLOCK_HOURS, type purseEn } from './en.ts';

const plurals = new Intl.PluralRules('es');
const is = (count: number, one: string, others: string): string => (plurals.select(count) === 'one' ? one : others);

export const purseEs: typeof purseEn = {
  title: 'Tu dinero',
  closing: 'Este servicio cierra y ya no acepta pagos. Retira, por favor, lo que guardas aquí.',
  of: (name) => `Guardado para ${name}`,
  ofChat: 'El dinero de este chat',
  leaving: (sum) => `De este dinero, ${sum} están pendientes de retiro.`,
  unknown: 'Ahora mismo no podemos mostrar una parte. Vuelve a cargar esta página en un minuto.',
  waits: (sum) => `Tienes otros ${sum} pendientes de recoger.`,
  collect: 'Recogerlo',
  keeper: (operator) =>
    `${operator} te lo guarda. No es una cuenta bancaria y no está cubierto por ningún seguro: deja aquí solo lo que llevarías encima.`,

  signInTitle: 'Ver tu dinero',
  signInLead: 'No hay nada guardado aquí para este navegador. Entra con el nombre al que se envió el dinero:',
  signInOther: 'Entrar con otro nombre',
  signInWith: (platform) => `Entrar con ${platform}`,
  signInNew: '¿Nunca has recogido nada? Abre el enlace que te enviaron y elige “Guardarlo aquí”.',

  looksTitle: 'Ya puedes verlo',
  looksUntil:
    'Se guardó en otro sitio antes de que entraras aquí. A partir del {time} también podrás enviarlo desde este navegador.',
  looksUntilGuarded: `Se guardó en otro sitio antes de que entraras aquí, y lo protege una llave de acceso. Si entras con ella, puedes enviarlo al momento. Sin ella podrás retirarlo a partir del {time}, y tardará ${WITHOUT_PASSKEY_HOURS} horas más.`,
  unseenTitle: 'Podrás verlo más tarde',
  unseenUntil:
    'Nadie ha usado este nombre aquí en medio año, así que puede tener un nuevo dueño. Por eso podrás ver y enviar lo que se guarda para él a partir del {time}. Hasta entonces, quien lo guardó antes puede cerrar esta sesión.',
  newcomerTitle: (count) => is(count, 'Ha entrado alguien más', `Han entrado otras ${count} personas`),
  newcomerUntil: 'Desde allí se podrá enviar a partir del {time}. Si no has sido tú, ciérralo.',
  newcomerUntilGuarded: `Desde allí se podrá retirar a partir del {time}, y sin la llave de acceso tardará ${WITHOUT_PASSKEY_HOURS} horas más. Si no has sido tú, ciérralo.`,
  endNewcomers: 'No soy yo: cerrar',

  lockedTitle: 'El envío está bloqueado',
  lockedNote: `Desde aquí no se envía nada hasta que lo desbloquees. Tarda ${UNLOCK_HOURS} horas, para que nadie más pueda hacerlo sin que te des cuenta.`,
  unlock: 'Desbloquear',
  lockedUntil: 'Se podrá enviar de nuevo desde el {time}.',

  passkeyOffer: 'Protégelo con una llave de acceso',
  passkeyOfferNote: `Tu huella, tu cara o el bloqueo de pantalla tendrá que dar permiso antes de que salga dinero. Los chats ya no podrán enviar desde aquí, y sin la llave todavía podrás retirar dinero, pero tardará ${WITHOUT_PASSKEY_HOURS} horas.`,
  addPasskey: 'Añadir una llave de acceso',
  passkeys: (count) => is(count, '1 llave de acceso', `${count} llaves de acceso`),
  passkeyMore: `Una más empieza a valer al cabo de ${WITHOUT_PASSKEY_HOURS} horas, porque se añade sin usar la primera.`,
  passkeySince: 'Añadida el {time}',
  passkeyFrom: 'vale desde el {time}',
  passkeyUntil: 'vale hasta el {time}',
  passkeyWaitTitle: 'Se ha añadido una llave de acceso',
  passkeyWaitNote: 'Desde el {time} el dinero sale con ella. Si no has sido tú, detenlo.',
  passkeyEndTitle: 'Se va a quitar una llave de acceso',
  passkeyEndNote: 'Desde el {time} dejará de valer. Si no has sido tú, detenlo.',
  stopPasskey: 'No he sido yo: detener',
  endPasskey: 'Quitarla',
  endWithout: `Quitarla sin usarla, en ${WITHOUT_PASSKEY_HOURS} horas`,
  passkeyFailed:
    'No ha funcionado, y no se ha cambiado ni enviado nada. Inténtalo de nuevo, aquí o donde tengas la llave.',
  passkeyMany: 'No caben más llaves de acceso. Quita una primero.',
  passkeyAsked: 'Después, tu dispositivo te pedirá la llave de acceso.',
  passkeyNeeded: `Este dinero sale con su llave de acceso. Envíalo donde la tengas. Sin ella puedes retirarlo, lo que tarda ${WITHOUT_PASSKEY_HOURS} horas.`,
  withoutPasskey: 'Sin la llave de acceso sale como pronto el {time}.',
  sendWithout: 'Seguir sin la llave de acceso',
  signInPasskey: 'Entrar con una llave de acceso',

  outTitle: 'Sigue en tu propio navegador',
  outNote:
    'Estás dentro de otra aplicación, y ahí no se puede añadir una llave de acceso. En el navegador de tu teléfono, tu huella, tu cara o el bloqueo de pantalla pueden proteger este dinero.',
  outAsk: 'Obtener el enlace',
  outLink: (minutes) =>
    `Este enlace abre tu sesión allí y la cierra aquí. Sirve una sola vez, durante los próximos ${minutes} minutos.`,
  outOpen: 'Abrir mi navegador',
  outOrPaste: 'O copia el enlace y pégalo en tu navegador:',
  outPaste: 'Copia el enlace y pégalo en tu navegador:',
  outCopy: 'Copiar el enlace',
  outOver: 'Si se acaba el tiempo, tu dinero sigue a salvo y puedes obtener aquí otro enlace.',
  outKey: 'Este enlace es una llave de tu dinero',
  outSecret: 'No se lo des a nadie: quien lo abra puede enviar este dinero.',
  movedTitle: 'Tu dinero en este navegador',
  movedOnly: 'Sigue solo si acabas de pedir tú este enlace. Nunca lo hagas por alguien que te lo haya enviado.',
  movedHere: 'Seguir aquí',
  movedScript: 'Este enlace necesita JavaScript, y este navegador no lo ejecuta.',
  movedOver: 'Este enlace ya no sirve, o le falta una parte. Pide otro donde ahora ves tu dinero. No ha cambiado nada.',

  linkTitle: (account) => `Conectar ${account}`,
  linkOnly:
    'Hazlo solo si acabas de abrir el enlace en tu propio chat. Nunca lo hagas por alguien que te envió el enlace.',
  linkHere: (account) => `Ver aquí el dinero de ${account}`,
  linkHereNote: (isGuarded) =>
    `Este navegador puede verlo enseguida, y enviarlo ${HOLDER_WAIT_HOURS} horas después.${isGuarded ? ` Si lo protege una llave de acceso, solo se envía con ella; sin ella, retirarlo tarda ${WITHOUT_PASSKEY_HOURS} horas más.` : ''}`,
  linkThere: (name, account) => `Dejar que ${account} lo use: ${name}`,
  linkThereNote: (isGuarded) =>
    isGuarded
      ? `La cuenta puede verlo enseguida. Lo protege una llave de acceso, así que la cuenta no puede enviarlo: ${HOLDER_WAIT_HOURS} horas después puede pedir un retiro, que tarda ${WITHOUT_PASSKEY_HOURS} horas más. Tus otros sitios reciben un aviso.`
      : `La cuenta puede verlo enseguida, y enviarlo ${HOLDER_WAIT_HOURS} horas después. Tus otros sitios reciben un aviso.`,
  linkOther: 'El dinero guardado para otro nombre aparece aquí cuando hayas entrado con él en este navegador.',
  linkOver: 'Este enlace ya no vale. Pide otro en el chat: /link',

  places: (count) => `Sesiones activas: ${count}`,
  thisBrowser: 'Este navegador',
  otherBrowser: 'Otro navegador',
  account: (platform) => `Tu cuenta de ${platform}`,
  since: 'desde el {time}',
  laterFrom: 'podrá enviar desde el {time}',
  laterFromGuarded: 'podrá retirar desde el {time}',
  leave: 'Cerrar esta sesión aquí',
  signOut: 'Cerrar sesión',
  signOutTitle: '¿Cerrar sesión en este navegador?',
  signOutNote: 'Lo que se guarda aquí para ti se queda donde está. Puedes volver a entrar con el mismo nombre.',
  signOutLast: (hours, isSeen, isGuarded) =>
    isGuarded
      ? `Ahora no se puede enviar desde ningún otro sitio. Con tu llave de acceso vuelves a entrar y puedes enviarlo al momento. Si entras solo con el nombre, ${isSeen ? 'lo ves al momento y podrás retirarlo' : 'podrás verlo y retirarlo'} ${hours} horas después, y tardará ${WITHOUT_PASSKEY_HOURS} horas más.`
      : `Ahora no se puede enviar desde ningún otro sitio. Si vuelves a entrar solo con el nombre, ${isSeen ? 'lo ves al momento y podrás enviarlo' : 'podrás verlo y enviarlo'} ${hours} horas después.`,
  signOutHanded:
    'Alguien más espera para entrar y podrá enviarlo a partir del {time}. Si cierras sesión aquí antes, solo podrá esa persona. Si no eres tú, pulsa primero “No soy yo: cerrar” junto a tu dinero; si lo eres, cierra sesión después de esa hora.',
  signOutCallsOff: (sum) =>
    `Los ${sum} que pediste retirar en este navegador aún no han salido. La retirada se cancelará y el dinero se quedará aquí.`,
  signOutPlay: 'El dinero de prueba de este chat se perderá.',
  leaveLast:
    'Ahora no se puede enviar desde ningún otro sitio: se queda aquí hasta que cierres sesión en este navegador.',

  sendTitle: 'Enviar',
  sendPlatform: '¿En qué servicio está esa persona?',
  sendName: 'Su nombre allí',
  sendNameHint: 'Por ejemplo alice, o alice@example.com si es un correo.',
  sendAmount: 'Cantidad en dólares',
  sumOther: 'Otra',
  sumAll: 'Todo',
  sumMissing: 'Elige una cantidad o escribe una.',
  sendNote: 'Mensaje, si quieres',
  sendNext: 'Revisar',
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
  sentStates: { going: 'En camino', sent: 'Enviado', failed: 'No se envió', undone: 'Cancelado' },
  undoneNote: 'Está volviendo al dinero que guardas aquí.',
  takeBack: 'Cancelar el envío',
  takeBackNote: 'Nadie lo ha recogido todavía.',
  goingNote: 'Tarda unos segundos. Puedes cerrar esta página: sigue por sí solo, y no se puede enviar dos veces.',
  sentNote: 'Si nunca ha recogido nada aquí, mándale el recibo: ahí se explica cómo hacerlo.',
  openReceipt: 'Abrir el recibo',

  takeOut: 'Retirar',
  takeOutFree: (isGuarded) =>
    isGuarded
      ? `Retirarlo es gratis. Va a una aplicación o plataforma de intercambio tuya que acepte USDC. Con su llave de acceso, hasta ${AT_ONCE_DOLLARS} al día pueden salir al momento. Si retiras más, puede tardar de ${KNOWN_AFTER_HOURS} a ${WITHDRAWAL_WAIT_MAX_HOURS} horas. Sin ella, cualquier cantidad tarda ${WITHOUT_PASSKEY_HOURS} horas.`
      : `Retirarlo es gratis. Va a una aplicación o plataforma de intercambio tuya que acepte USDC. Hasta ${AT_ONCE_DOLLARS} al día pueden salir al momento. Si retiras más, puede tardar de ${KNOWN_AFTER_HOURS} a ${WITHDRAWAL_WAIT_MAX_HOURS} horas.`,
  takeOutIntro: (places) =>
    `Va a una billetera o plataforma de intercambio tuya, y hace falta una dirección de allí. Una billetera o plataforma te muestra la tuya en “Recibir” o “Depositar”, para USDC en ${places}. Elige allí la misma red: en otra, el dinero puede perderse.`,
  takeOutCost: 'No te cuesta nada: lo pagamos nosotros.',
  takeOutWait: (isGuarded) =>
    `A la primera dirección que uses en una red puedes enviar al momento hasta ${AT_ONCE_DOLLARS} al día. Lo que pase de ahí, o lo que vaya a otra dirección nueva, espera ${KNOWN_AFTER_HOURS} horas, o hasta ${WITHDRAWAL_WAIT_MAX_HOURS} si no podemos avisarte en otro chat o por correo; mientras tanto se ve en todos los dispositivos donde tienes la sesión abierta, y puedes cancelarlo. Después, cualquier cantidad se envía al momento a esa dirección.${isGuarded ? ` Todo esto es con su llave de acceso: sin ella, cualquier cantidad tarda ${WITHOUT_PASSKEY_HOURS} horas, a cualquier dirección.` : ''}`,
  noAddress: 'Eso no es una dirección de billetera o plataforma. Cópiala allí, en “Recibir” o “Depositar”.',

  statement: 'Movimientos',
  statementAll: 'Todos los movimientos',
  statementNewest: (count) => `Estos son los ${count} más recientes. La tabla tiene más.`,
  statementEmpty: 'Todavía no hay movimientos en la lista.',
  statementPutIn: 'Lo añadido desde fuera aparece aquí desde el {time}.',
  statementValues: (currency) =>
    `Valores en ${currency}: lo que valía el importe en su día (UTC), si se conoce el cambio de ese día.`,
  statementFile: 'Guardar como tabla (CSV)',
  kinds: { received: 'Recibido', deposited: 'Añadido', returned: 'Devuelto', sent: 'Enviado', out: 'Retirado' },
  feeOf: (sum) => `comisión ${sum}`,
  reference: (reference) => `N.º ${reference}`,
};
