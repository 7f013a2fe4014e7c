import type { DiscordWords } from './words.ts';

export const wordsEs: DiscordWords = {
  commands: {
    tip: {
      name: 'propina',
      description: 'Envía USDC a cualquiera por el nombre que ya usa',
      options: {
        amount: ['cantidad', '1 · 0,5 · 50c · half (la mitad) · all (todo)'],
        user: ['persona', 'Alguien en Discord'],
        to: ['para', 'O un nombre en otro sitio: x:alice · github:alice · alice@example.com'],
        note: ['nota', 'Unas palabras para acompañarlo'],
      },
    },
    balance: { name: 'saldo', description: 'Mira lo que tienes', options: {} },
    deposit: { name: 'ingresar', description: 'Añade dinero a tu monedero', options: {} },
    withdraw: {
      name: 'retirar',
      description: 'Envía tu dinero a una dirección tuya',
      options: {
        amount: ['cantidad', '5 · half (la mitad) · all (todo)'],
        address: ['dirección', 'Adónde debe ir'],
      },
    },
    wallet: { name: 'monedero', description: 'Elige desde dónde pagas', options: {} },
    history: { name: 'historial', description: 'Mira lo que has enviado', options: {} },
    claim: {
      name: 'cobrar',
      description: 'Recoge lo que te espera',
      options: { name: ['nombre', 'Otro nombre tuyo, como x:alice'] },
    },
    link: {
      name: 'vincular',
      description: 'Recibe lo que se envía a otro nombre tuyo',
      options: { name: ['nombre', 'Como x:alice'] },
    },
    language: {
      name: 'idioma',
      description: 'Elige en qué idioma hablo',
      options: { language: ['idioma', 'en · es · de · pt · ja · app'] },
    },
    privacy: { name: 'privacidad', description: 'Mira lo que sé de ti y bórralo', options: {} },
    help: {
      name: 'ayuda',
      description: 'Mira lo que puedo hacer',
      options: { command: ['comando', 'Un comando en detalle'] },
    },
  },
  menu: 'Dar propina',
  form: { title: (name) => `Propina para ${name}`, amount: 'Cantidad en USDC', amountExample: '1', note: 'Nota' },
  tooFast: 'Han sido muchas a la vez. Dame un minuto e inténtalo de nuevo.',
};
