import type { pageEn } from './en.ts';

export const pagePt: typeof pageEn = {
  title: 'Chat do pennypost',
  heading: 'Envie dinheiro para qualquer pessoa pelo nome que ela já usa',
  intro: 'Digite um nome e um valor. Funciona mesmo que a pessoa nunca tenha ouvido falar de nós: o dinheiro espera.',
  skip: 'Ir para a sua mensagem',
  tryIt: 'Experimente',
  names: 'Um nome no X, Farcaster ou GitHub, um e-mail ou um site.',
  conversation: 'Conversa',
  composer: 'Sua mensagem',
  placeholder: '/tip @x:alice 1',
  send: 'Enviar',
  commands: 'Comandos',
  connecting: 'Conectando…',
  reconnecting: 'Conexão perdida. Reconectando…',
  sending: 'Enviando…',
  notSent: 'Ainda não foi enviada. Tentando de novo…',
  refused: 'Não foi possível enviar.',
  tooFast: 'Foi um pouco rápido demais. Espere alguns segundos.',
  you: 'Você',
  bot: 'pennypost',
  noScript: 'Este chat precisa de JavaScript. Os recibos não.',
};
