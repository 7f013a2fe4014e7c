import type { ClaimMethod } from '../../core/platforms/row.ts';
import { AT_ONCE_DOLLARS, WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS } from '../rules/rules.ts';
import type { ClaimPageTexts } from './en.ts';
import type { GoesBackIf } from '../going-back/en.ts';
import { goingBackEs } from '../going-back/es.ts';

const goesBack = (condition: GoesBackIf, on: string): string =>
  goingBackEs.sentence({ if: condition, to: 'sender', on });

const yours = (method: ClaimMethod, title: string): string => {
  if (method === 'email') return 'tu correo electrónico';
  return method === 'domain' ? 'tu sitio web' : `tu nombre en ${title}`;
};

export const claimPagesEs: ClaimPageTexts = {
  problem: (title) => `Problema: ${title}`,
  collect: 'Recoger',
  description: 'Recoge el dinero que enviaron a tu nombre. No cuesta nada.',
  collectFor: (person) => `Recoger el dinero para ${person}`,
  collectYours: (method, title) => `Recoger el dinero para ${yours(method, title)}`,
  startAgain: 'Empezar de nuevo',
  next: 'Continuar',
  and: ' y ',

  nameHeading: (method, title) => `Dinero para ${yours(method, title)}`,
  nameLabel: (method, title) => {
    if (method === 'email') return 'Tu correo electrónico';
    return method === 'domain' ? 'Tu sitio web' : `Tu nombre en ${title}`;
  },
  mayWait: 'Puede que haya dinero esperándote.',
  sentBy: (sender, to) => `Lo envió ${sender} a ${to}.`,

  promise: 'No cuesta nada. Nunca pedimos una tarjeta, una contraseña ni una frase secreta.',
  goesBackOn: (day) => goingBackEs.sentence({ if: 'you_do_nothing', to: null, on: day }),
  moneyFor: (person) => `Dinero para ${person}`,
  sameForAll: (person) =>
    `Puede que haya dinero esperando a ${person}. Solo lo sabrá quien demuestre ser ${person}; por la privacidad de todos, esta página es igual para cualquier nombre.`,
  stateOfReceipt: (receipt) => `Así está el dinero del ${receipt}. Puede que haya más.`,
  receiptYouCameFrom: 'recibo del que vienes',
  notCollected: (duration) => `El dinero espera ${duration}; si nadie lo recoge, se devuelve.`,
  notOffered: 'Aquí no se puede recoger dinero para nombres como este.',
  notOfferedNote: 'No se pierde nada: lo que nadie recoge vuelve a quien lo envió.',
  whereTo: '¿Dónde quieres recibirlo?',
  keep: 'Guardarlo aquí',
  keepHint: (operator) =>
    `${operator} te lo guarda, sin fecha límite. Está en USDC, un dólar digital. Puedes retirarlo cuando quieras a una aplicación o plataforma de intercambio tuya que acepte estos dólares. Retirarlo es gratis. Hasta ${AT_ONCE_DOLLARS} al día pueden salir al momento. Si retiras más, por tu seguridad puede tardar de ${WITHDRAWAL_WAIT_HOURS} a ${WITHDRAWAL_WAIT_MAX_HOURS} horas. No es una cuenta bancaria y no está cubierto por ningún seguro.`,
  keepHintPlay: (operator) =>
    `${operator} te lo guarda, sin fecha límite. Está en USDC, un dólar digital. Puedes enviárselo a otra persona o retirarlo cuando quieras a una aplicación o plataforma de intercambio tuya que acepte estos dólares. Retirarlo es gratis. Hasta ${AT_ONCE_DOLLARS} al día pueden salir al momento. Si retiras más, por tu seguridad puede tardar de ${WITHDRAWAL_WAIT_HOURS} a ${WITHDRAWAL_WAIT_MAX_HOURS} horas. No es una cuenta bancaria y no está cubierto por ningún seguro.`,
  keepMost: (most) => `Guardamos como máximo ${most} por persona.`,
  haveAddress: 'Enviarlo a mi app o plataforma de intercambio',
  yourAddress: 'Tu dirección ahí',
  addressHint: (places) => `De una billetera o plataforma de intercambio que acepte USDC en ${places}.`,
  whichNetwork: 'Red',
  sendThere: 'Enviarlo ahí',
  copyAddress: 'Lo que se envía ahí no se puede recuperar: copia la dirección en vez de escribirla.',
  wallet: {
    use: 'Usar {wallet}',
    asks: 'Tu billetera te pide que lo confirmes.',
    refused: 'Tu billetera no dio ninguna dirección. Pégala tú.',
    filled: 'Esta es la dirección de tu billetera.',
  },
  dontWant: 'No lo quiero',
  howToProve: {
    oauth: ({ title }) =>
      `Después inicias sesión en la propia página de ${title}, para que nadie más pueda llevárselo. Lo que escribas allí solo lo ve ${title}.`,
    siwf: () => 'Después lo confirmas en tu app de Farcaster, para que nadie más pueda llevárselo.',
    email: ({ person }) => `Después enviamos un código a ${person}, para que nadie más pueda llevárselo.`,
    domain: ({ person }) => `Después publicas una línea en ${person}, para que nadie más pueda llevárselo.`,
    chat: ({ title }) => `Esto se recoge en el propio ${title}, donde nuestro bot ve que eres tú.`,
  },
  mailProves: 'El enlace del correo demuestra que eres tú: ahora verás la cantidad y la confirmarás.',

  step: (step, of) => `Paso ${step} de ${of}`,
  sumFrom: (sum, sender) => `${sum} de ${sender}`,
  showYou: (person) => `Demuestra que eres ${person}`,
  showName: 'Demuestra que el nombre es tuyo.',
  willStay: 'Después, tu dinero se quedará guardado aquí para ti.',
  willGoBack: 'Después, el dinero vuelve a quien lo envió.',
  willGoTo: (addresses) => `Después, tu dinero va a ${addresses}.`,
  timeUntil: (time) => `Tienes hasta: ${time}. Si se pasa el plazo, basta con empezar de nuevo.`,
  waitingForProof: 'Estamos esperando a que lo confirmes',
  loadAgain: 'Vuelve a cargar esta página en un momento, o empieza de nuevo.',
  signInWith: (title) => `Iniciar sesión en ${title}`,
  signInAs: (person) =>
    `Inicia sesión como ${person}. Volverás aquí automáticamente. Solo vemos tu nombre y no podemos hacer nada en tu cuenta.`,

  typeCode: 'Escribe el código del correo',
  codeOver: 'Ese código ha caducado',
  openMail: 'Abre el enlace del correo',
  codeWentTo: (digits, minutes, address) =>
    `Tiene ${digits} cifras, sirve durante ${minutes} minutos y se envió a ${address}.`,
  askForAnother: (address) => `Pide otro; llegará a ${address}.`,
  goesTo: (address) => `Se envió a ${address}.`,
  triesLeft: (count) => (count === 1 ? 'Queda un intento.' : `Quedan ${count} intentos.`),
  mailWasSent: (time, minutes) =>
    `Te enviamos un correo (${time}). El enlace sirve durante ${minutes} minutos en cualquier navegador, y allí dices adónde va el dinero. Mira también en el correo no deseado.`,
  orOpenLink: (minutes) =>
    `O abre el enlace del correo: sirve durante ${minutes} minutos en cualquier navegador, y allí dices adónde va el dinero.`,
  localMail: (link) => `En este ordenador todo el correo está en ${link}.`,
  localMailbox: 'este buzón',
  code: 'Código',
  anotherCode: 'Enviar otro código',

  farcaster: 'Confirma en tu app de Farcaster',
  farcasterAs: (person) =>
    `Ábrela en el teléfono que tiene tu cuenta e inicia sesión como ${person}. No se publica nada y no se paga nada.`,
  openFarcaster: 'Abrir Farcaster',
  otherDevice: '¿Tienes la app en otro dispositivo? Apunta aquí con su cámara o abre allí este enlace:',
  farcasterQr: 'Un código que abre Farcaster en tu teléfono',
  goesOn: 'Esta página sigue por sí sola en cuanto confirmes.',
  saidYes: 'Ya he confirmado',

  siteIsYours: (site) => `Demuestra que ${site} es tuyo`,
  publish: 'Publica esta línea y pulsa el botón:',
  onePlace: 'Basta con uno de estos dos sitios:',
  dnsRecord: 'Un registro DNS de tipo TXT con el nombre',
  textFile: 'Un archivo de texto en',
  localSite: (link) => `En este ordenador publicas para cualquier sitio en ${link}.`,
  localOne: 'este sitio local',
  checkNow: 'Comprobar ahora',
  dnsTakesTime: 'Un cambio de DNS puede tardar unos minutos en verse. Puedes comprobarlo cuantas veces quieras.',
  copy: 'Copiar',
  copied: { link: 'Enlace copiado', line: 'Línea copiada', name: 'Nombre copiado', address: 'Dirección copiada' },

  youAre: (person) => `Eres ${person}`,
  lastLook: 'Una última comprobación antes de mover el dinero.',
  laterStays: 'Todo lo que te envíen a partir de ahora será tuyo y se quedará aquí.',
  laterGoes: 'Todo lo que te envíen a partir de ahora irá a:',
  goesBack: (sum) => `Los ${sum} vuelven a quien los envió.`,
  staysHere: (sum) => `Los ${sum} pasarán a ser tuyos y se quedarán aquí.`,
  goesHere: (sum) => `Los ${sum} irán a:`,
  onNetwork: (address, place) => `${address} en ${place}`,
  nothingWaits: 'Ahora mismo no tienes nada pendiente de recoger.',
  nothingWaitsNote: 'Quizá ya se recogió o se devolvió a quien lo envió.',
  otherAddress: 'Si lo enviaron a otra dirección tuya, empieza de nuevo con esa.',
  cameInOn: (sum, place) => `De esa cantidad, ${sum} llegaron por ${place}.`,
  broughtOver:
    'Los enviaremos a la misma dirección en cuanto podamos; hasta entonces esperan aquí. ¿Los quieres ya? Empieza de nuevo y guárdalos aquí, o da una dirección de esa red.',
  confirmKeep: (sum) => `Guardar ${sum} aquí`,
  confirmSend: (sum) => `Enviar ${sum} ahí`,
  neverAgain: 'Nunca más: que nadie pueda enviar dinero a este nombre aquí.',
  sendBack: 'Devolverlo',
  notRight: '¿No es correcto? Empieza de nuevo',

  collectedBy: (person) => `Recogido por ${person}`,
  follows: 'Sigue el dinero hasta que llega.',
  waitsForAddress: 'A la espera de una dirección',
  isYours: 'Es tuyo',
  onItsWay: 'Va de camino a ti',
  allSet: 'Todo listo',
  yoursAndWaits: 'Es tuyo y espera una dirección que pueda recibirlo',
  waitsForRoom: 'A la espera de que haya sitio',
  yoursNoRoom: 'Es tuyo y espera: ahora mismo no podemos guardarte más',
  yoursAndStays: 'Es tuyo y se queda aquí para ti',
  arrived: 'Ha llegado',
  wentBack: 'Se devolvió',
  goingBack: 'Se está devolviendo',
  wentBackNote: (sum) =>
    `Ninguna dirección tuya pudo recibir ${sum} a tiempo, así que vuelve a quien lo envió. Pídele que lo envíe otra vez y guárdalo aquí.`,
  partWentBack: (sum) => `Otros ${sum} vuelven a quien los envió: ninguna dirección tuya pudo recibirlos a tiempo.`,
  takenBack: (sum) => `${sum} vuelven a quien los envió: canceló el envío, o tú no los quisiste.`,
  newAddressFrom: (time) =>
    `Antes había aquí otra dirección. Por tu seguridad, la nueva vale a partir de este momento: ${time}. Hasta entonces el dinero va a la anterior.`,
  sentAs: (parts, places, day) =>
    `Se envió así: ${parts}, y tu dirección es de ${places}. Ahora mismo no podemos pasarlo, pero lo haremos en cuanto se pueda. ${goesBack('nothing_changes', day)}`,
  noRoom: (sum, most, day) =>
    `Aquí te guardamos como máximo ${most}, y ${sum} más no caben. Envía o retira una parte y lo que quepa llegará automáticamente; o da una dirección tuya. ${goesBack('nothing_changes', day)}`,
  noneKept: (sum, day) =>
    `De momento no guardamos más dinero, así que ${sum} esperan. Da una dirección tuya para recibirlos. ${goesBack('nothing_changes', day)}`,
  sumOn: (sum, place) => `${sum} en ${place}`,
  fewSeconds: 'Tarda unos segundos. Puedes cerrar esta página.',
  nextArrives: 'Lo que te envíen a partir de ahora te llegará automáticamente.',
  moreArrives: 'Lo que te envíen más adelante te llegará automáticamente.',
  progress: 'El camino de tu dinero',
  proven: 'Confirmado',
  waiting: 'En espera',
  sent: 'En camino',
  there: 'Recibido',
  returned: 'Devuelto',
  sendOn: 'Enviárselo a otra persona',
  seeMoney: 'Ver tu dinero',
  giveAddress: (places) => `Dar una dirección en ${places}`,
  receipts: 'Recibos',
  receiptFor: (sum) => `El recibo de ${sum}`,
  followsPayment: 'Esta página se actualiza sola.',
  reloads: 'Esta página se recarga sola hasta que el dinero llega.',

  timeOver: 'Se acabó el tiempo',
  timeOverNote: 'No se ha movido ni perdido nada: lo que estuviera pendiente sigue ahí.',
  didNotWork: 'No ha funcionado',
  stillWaits: 'Lo que estuviera pendiente sigue ahí.',
  nothingMoved: 'No se ha movido ni perdido nada.',
  itGoesBack: 'Se devuelve',
  itGoesBackNote: 'El dinero vuelve a quien lo envió.',
  returnToSender: 'Devuelto al remitente',
  wasWaiting: 'Lo que estaba pendiente se devuelve automáticamente a quien lo envió.',
  changedMind: (link) =>
    `Si elegiste «nunca más», desde ahora nadie puede enviar dinero a este nombre aquí. ¿Cambiaste de idea? ${link}, y volverá a estar abierto.`,
  collectOnce: 'Recoge algo una vez',
  startHere: 'Empezar aquí',
  otherBrowser: 'Esto se empezó en otro navegador.',
  letUsStart: 'Empecemos aquí',
  otherBrowserNote:
    'Esto se empezó en otro navegador, y solo allí puede continuar; no se pierde nada si empiezas de nuevo aquí.',
  openLinkAgain: 'Abre otra vez el enlace que te enviaron, o ve a la página de inicio.',
  toStartPage: 'Ir al inicio',
  linkOver: 'Este enlace ya no sirve, o se usó en otro navegador.',

  refusals: {
    wrong_state: 'Esta sesión no se inició aquí, o se inició en otra ventana. Iníciala de nuevo.',
    wrong_callback: 'La respuesta al inicio de sesión llegó incompleta. Iníciala de nuevo.',
    wrong_issuer: 'La respuesta al inicio de sesión vino de otro lugar. Iníciala de nuevo.',
    denied_by_user: 'No aceptaste iniciar sesión, así que no se comprobó nada.',
    replayed: 'Este inicio de sesión ya se usó o tardó demasiado. Inícialo de nuevo.',
    expired: 'Se acabó el tiempo para esta comprobación. Empieza de nuevo.',
    wrong_message: 'Lo que se firmó no es lo que pedimos. Empieza de nuevo.',
    wrong_signature: 'La firma no corresponde a esta cuenta.',
    wrong_account: 'Iniciaste sesión con otra cuenta, no con la de la persona a la que va el dinero.',
    wrong_code: 'Ese no es el código del correo.',
    too_many_tries: 'Has agotado los intentos. Pide un código nuevo.',
    not_published: 'El texto aún no está. Un cambio de DNS puede tardar unos minutos en verse.',
  },
  signInAsThen: (person) => `Inicia sesión como ${person} y funcionará.`,
  noAnswer: 'El servicio no respondió. Inténtalo de nuevo en un momento.',
  notProven: 'No se pudo comprobar. No se ha movido nada.',
};
