import type { ProblemTexts } from './en.ts';

export const problemsEs: ProblemTexts = {
  title: 'No ha funcionado',
  missingTitle: 'Aquí no hay nada',
  missing: 'En esta dirección no hay nada.',
  returnToSender: 'Devuelto al remitente',
  error: (status) => `Error ${status}`,
  copiedCompletely:
    '¿Se copió el enlace completo? La dirección de un recibo termina en 22 caracteres, y existe en cuanto se hace el pago.',
  toStartPage: 'Ir al inicio',
  nameThis: (id) => `Si pides ayuda, indica esto: ${id}`,

  addresses: {
    not_an_address:
      'Esto no es una dirección. En Base es 0x y 40 cifras o letras de la a a la f; en Solana, de 32 a 44 letras y cifras.',
    wrong_checksum: 'Esta dirección tiene una errata: sus mayúsculas y minúsculas no encajan. Cópiala de nuevo.',
    ours: 'Esta dirección es de este servicio. Da una tuya.',
    nobody: 'Esta dirección no es de nadie: el dinero enviado ahí se perdería.',
    system: 'Esta dirección es parte de la propia red, no de una persona: el dinero enviado ahí se perdería.',
    token: 'Esta es la dirección de un token, no de una persona.',
    token_account: 'Esto es una cuenta de tokens. Da la dirección de la billetera a la que pertenece.',
    special_account: 'Esta cuenta es para staking o para firmar después. Da la dirección de la propia billetera.',
    program: 'Esta dirección es de un programa, no de la billetera de una persona.',
    foreign_account: 'La cuenta de USDC de esta billetera es ahora de otra persona, que recibiría el dinero.',
    blacklisted: 'El emisor de USDC ha bloqueado esta dirección, así que ahí no puede llegar USDC.',
  },
  notThisForm: 'Este formulario no se rellenó en nuestra página.',
  noAddress: 'Escribe la dirección a la que debe ir el dinero.',
  otherNetwork: 'Esta dirección es de una red que aquí no se ofrece. Junto al campo se indica cuáles sí.',
  noName: (example) => `Ese nombre no puede existir ahí. Es algo así: ${example}`,
  notKept: 'Para este nombre no se guarda nada aquí: da una dirección tuya.',
  mailNotSent: 'No se pudo enviar el correo. Inténtalo de nuevo en un momento.',
  mailsUsedUp: (minutes) =>
    `Se pidieron demasiados correos. Abre el enlace del último y mira también en el correo no deseado. Podrás pedir otro en ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}.`,
  claimOver: 'Se acabó el tiempo. Empieza de nuevo.',
  doneAlready: 'Esto ya está hecho. Vuelve a cargar la página.',
  noAnswer: 'El otro lado no respondió. No ha cambiado nada; inténtalo de nuevo en un momento.',
  tooFast: 'Demasiado rápido. Espera un momento e inténtalo de nuevo.',
  declined: 'Esto no se puede hacer con este servicio. Su soporte puede decirte más.',
  ourSide: 'Algo falló por nuestra parte. No se ha movido nada.',
  closing: 'Este servicio cierra: ya no acepta pagos.',
  other: 'No ha funcionado. No se ha movido nada; empieza de nuevo.',
};
