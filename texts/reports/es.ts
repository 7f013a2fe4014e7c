import type { ReportTexts } from './en.ts';

export const reportsEs: ReportTexts = {
  link: 'Denunciar',
  title: 'Denunciar este pago',
  pageTitle: 'Denunciar esta página',
  goesTo: (operator) => `Tu denuncia llega a quienes llevan este servicio (${operator}). Quien lo envió no se entera.`,
  pageGoesTo: (operator) =>
    `Tu denuncia llega a quienes llevan este servicio (${operator}). La persona dueña de la página no se entera.`,
  moderators: 'Si se envió desde un grupo, sus moderadores quizá vean el motivo, pero no lo que escribas.',
  movesNothing: 'Una denuncia no mueve dinero: lo que espera se puede seguir recogiendo, rechazar o dejar que vuelva.',
  why: '¿Qué pasa?',
  reasons: {
    trick: 'Parece un engaño para quitarme dinero o datos',
    pretends: 'Quien lo envía se hace pasar por otra persona',
    insults: 'Insulta o amenaza',
    not_meant: 'No era para mí',
    other: 'Otra cosa',
  },
  words: '¿Qué deberían saber? (opcional)',
  wordsHint: (charactersMax) =>
    `Como mucho ${charactersMax} caracteres. No escribas contraseñas ni códigos: aquí nadie los necesita.`,
  send: 'Enviar la denuncia',
  back: 'Volver',
  chooseOne: 'Elige qué pasa.',
  tooLong: (charactersMax) => `Son más de ${charactersMax} caracteres. Acórtalo, por favor.`,
  callerFull: 'Has enviado varias denuncias en una hora. Inténtalo más tarde.',
  dayFull: 'Hoy no se pueden guardar más denuncias. Inténtalo mañana.',
  orWrite: (help) => `O escribe a quienes llevan este servicio: ${help}.`,
  help: 'Ayuda',
  doneTitle: 'Gracias',
  done: (operator) => `Queda denunciado ante quienes llevan este servicio (${operator}).`,
  doneNext: 'No tienes que hacer nada más. Aquí nadie te pedirá nunca dinero, una contraseña ni una frase secreta.',

  reported: 'Denunciado:',
  readIt: 'Quien opera el servicio también tiene la denuncia. Quien lo envió no se entera.',
};
