import type { TelegramTexts } from './en.ts';

export const telegramEs: TelegramTexts = {
  answeredPrivately: () => 'Te respondí en nuestro chat privado.',
  openPrivately: () => 'Eso es solo para ti. Abre nuestro chat privado y pulsa Iniciar: ahí lo verás.',
  openChat: () => 'Abrir nuestro chat',
  tooFast: () => 'Han sido muchas a la vez y no he hecho lo último. Dame un minuto e inténtalo de nuevo.',
  tooLate: () => 'No estaba cuando escribiste esto y no he hecho nada. Envíalo otra vez si todavía lo quieres.',
  anonymous: () =>
    'Escribes en nombre del grupo, así que no puedo ver quién eres. Desactiva el modo anónimo de administrador y vuelve a intentarlo.',

  commands: {
    tip: 'Enviar dinero: /tip @alice 1',
    pay: 'Enviar dinero desde cualquier billetera o aplicación: /pay x:alice 1',
    request: 'Pedir dinero a alguien: /request @name 5 lunch',
    drop: 'Repartir una suma entre quienes pulsen a tiempo',
    top: 'Ver quién agradece aquí a más personas distintas',
    balance: 'Lo que tienes',
    deposit: 'Añadir dinero',
    withdraw: 'Enviar dinero a una dirección tuya',
    wallet: 'Elegir con qué pagas',
    limits: 'Cuánto pueden gastar tus propinas',
    lock: 'Detener todos los gastos',
    unlock: 'Permitir gastar otra vez',
    history: 'Lo que enviaste',
    claim: 'Recoger lo que te espera',
    link: 'Demostrar otro nombre tuyo',
    block: 'No recibir más de alguien',
    privacy: 'Lo que sé de ti',
    language: 'En qué idioma hablo',
    help: 'Cómo funciona',
    treasury: 'El dinero de este grupo',
    reward: 'Recompensar a quienes reaccionaron a una publicación de Farcaster',
    settings: 'Qué vale para los pagos en este grupo',
  },
};
