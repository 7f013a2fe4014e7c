import type { pageEn } from './en.ts';

export const pageEs: typeof pageEn = {
  title: 'Chat de pennypost',
  heading: 'Envía dinero a cualquiera con el nombre que ya usa',
  intro: 'Escribe un nombre y una cantidad. Funciona aunque no nos conozcan: el dinero los espera.',
  skip: 'Ir a tu mensaje',
  tryIt: 'Pruébalo',
  names: 'Un nombre en X, Farcaster o GitHub, un correo electrónico o un sitio web.',
  conversation: 'Conversación',
  composer: 'Tu mensaje',
  placeholder: '/tip @x:alice 1',
  send: 'Enviar',
  commands: 'Comandos',
  connecting: 'Conectando…',
  reconnecting: 'Se perdió la conexión. Conectando de nuevo…',
  sending: 'Enviando…',
  notSent: 'Aún no se envió. Intentando de nuevo…',
  refused: 'No se pudo enviar.',
  tooFast: 'Fue un poco rápido. Espera unos segundos.',
  you: 'Tú',
  bot: 'pennypost',
  noScript: 'Este chat necesita JavaScript. Los recibos no.',
};
