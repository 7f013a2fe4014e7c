import type { DiscordWords } from './words.ts';

export const wordsEs: DiscordWords = {
  commands: {
    tip: {
      description: 'Envía USDC a cualquiera por el nombre que ya usa',
      options: {
        amount: ['cantidad', '1 · 0,5 · 50c · half (la mitad) · all (todo)'],
        user: ['persona', 'Alguien en Discord'],
        to: ['para', 'O un nombre en otro sitio: x:alice · github:alice · alice@example.com'],
        note: ['nota', 'Unas palabras para acompañarlo'],
      },
    },
    pay: { description: 'Enviar USDC con un enlace: desde cualquier billetera o aplicación', options: {} },
    balance: { description: 'Mira lo que tienes', options: {} },
    deposit: { description: 'Añade dinero a tu monedero', options: {} },
    withdraw: {
      description: 'Envía tu dinero a una dirección tuya',
      options: {
        amount: ['cantidad', '5 · half (la mitad) · all (todo)'],
        address: ['dirección', 'Adónde debe ir'],
      },
    },
    wallet: { description: 'Elige desde dónde pagas', options: {} },
    limits: {
      description: 'Mira y cambia cuánto pueden gastar tus propinas',
      options: { change: ['cambio', 'tip 5 · ask 1 · day 20 · cancel (no subir nada)'] },
    },
    lock: { description: 'Detén todos los gastos de tus billeteras', options: {} },
    unlock: { description: 'Permite gastar otra vez, a las 24 horas', options: {} },
    history: { description: 'Mira lo que has enviado', options: {} },
    claim: {
      description: 'Recoge lo que te espera',
      options: { name: ['nombre', 'Otro nombre tuyo, como x:alice'] },
    },
    link: {
      description: 'Recibe lo que se envía a otro nombre tuyo',
      options: { name: ['nombre', 'Como x:alice'] },
    },
    language: {
      description: 'Elige en qué idioma hablo',
      options: { language: ['idioma', 'en · es · de · pt · ja · app'] },
    },
    privacy: { description: 'Mira lo que sé de ti y bórralo', options: {} },
    help: {
      description: 'Mira lo que puedo hacer',
      options: { command: ['comando', 'Un comando en detalle'] },
    },
  },
  menu: 'Dar propina',
  form: { title: (name) => `Propina para ${name}`, amount: 'Cantidad en USDC', amountExample: '1', note: 'Nota' },
  tooFast: 'Han sido muchas a la vez. Dame un minuto e inténtalo de nuevo.',
};
