import type { DiscordTexts } from './words.ts';
import {
  DROP_EXAMPLE,
  REWARD_DEFAULT,
  SMALL_REWARD,
  SPENDING_WAIT_HOURS,
  TREASURY_WAIT_HOURS,
} from '../rules/rules.ts';

export const discordEs: DiscordTexts = {
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
    request: {
      description: 'Pedir dinero a alguien; solo esa persona puede pagarlo',
      options: {
        amount: ['cantidad', '5 · on (otros pueden pedirte) · off'],
        user: ['persona', 'A quién le pides'],
        to: ['para', 'Para una cuenta: más miembros, y split tras el importe'],
        note: ['nota', 'Para qué, en pocas palabras'],
      },
    },
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
    unlock: { description: `Permite gastar otra vez, a las ${SPENDING_WAIT_HOURS} horas`, options: {} },
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
    block: { description: 'Mira quién te ha enviado algo y bloquéalo', options: {} },
    privacy: { description: 'Mira lo que sé de ti y bórralo', options: {} },
    help: {
      description: 'Mira lo que puedo hacer',
      options: { command: ['comando', 'Un comando en detalle'] },
    },
  },
  menu: 'Dar propina',
  form: { title: (name) => `Propina para ${name}`, amount: 'Cantidad en USDC', amountExample: '1', note: 'Nota' },
  tooFast: 'Han sido muchas a la vez. Dame un minuto e inténtalo de nuevo.',
  settings: {
    description: 'Decide cómo funcionan las propinas en este servidor',
    settings: {
      show: 'Mira qué está configurado y cómo cambiarlo',
      channels: 'Permite propinas en este canal, ya no aquí, o en todos los canales',
      min: 'La propina más pequeña: 0.5 · off',
      max: 'La propina más grande: 5 · off',
      cooldown: 'Cuánto espera alguien entre dos propinas: 30s · 5m · off',
      ban: 'Impide que alguien envíe más propinas aquí',
      unban: 'Permite que alguien vuelva a enviar propinas',
      receipts: 'Cómo muestro que una propina se pagó',
      notes: 'Si una propina puede llevar una nota',
      language: 'El idioma de lo que leen todos aquí; lo que alguien lee a solas va en el suyo',
      lifetime: 'Cuándo borro mis mensajes: 1h · off',
      log: 'Lleva un registro de todas las propinas en este canal',
      role: 'Quién puede confirmar recompensas además de ti; vacío para nadie',
      drops: 'Quién puede participar en los repartos; vacío para nadie',
      quorum: `Para la persona dueña: cuántos confirman una recompensa de más de ${SMALL_REWARD} USDC`,
    },
    values: { choice: 'Elige uno', text: 'Un valor como los de arriba, u off', user: 'Quién', role: 'Qué rol' },
  },
  treasury: {
    description: 'El dinero de esta comunidad',
    steps: {
      balance: 'Lo que hay, y adónde puede ir',
      deposit: 'Aportar algo',
      give: 'Da a este servidor algo de tu dinero',
      statement: 'Lo que entró y lo que salió',
      address: `Para la persona dueña: adónde van los retiros, a las ${TREASURY_WAIT_HOURS} horas`,
      withdraw: 'Para moderadores: pedir a los demás un retiro',
    },
    address: '0x… en Base, cualquier otra en Solana; off base la termina',
    amount: '5 · half (la mitad) · all (todo)',
    network: 'Dónde está, si está en las dos',
  },
  reward: {
    description: 'Para moderadores: recompensar a quienes reaccionaron a una publicación de Farcaster',
    post: 'El enlace a la publicación',
    budget: `Cuánto se reparte, en USDC; vacío: ${REWARD_DEFAULT}`,
    without: 'Nombres de Farcaster que no reciben nada; solo: los saca de la tarjeta abierta',
  },
  drop: {
    description: 'Repartir una suma entre quienes pulsen a tiempo',
    amount: 'Cuánto: 5',
    people: 'Para cuántas personas: 10',
    time: `Cuánto tiempo: ${DROP_EXAMPLE.time}`,
    from: 'treasury: del dinero de la comunidad',
    without: 'Nombres que tachas de tu lista',
  },
  top: { description: 'Ver quién agradece aquí a más personas distintas', choice: 'on · off (si apareces)' },
};
