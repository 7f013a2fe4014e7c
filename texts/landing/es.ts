import type { LandingTexts } from './en.ts';

export const landingEs: LandingTexts = {
  title: 'Envía USDC a cualquier persona',
  heading: 'Envía dinero a cualquier persona con el nombre que ya usa.',
  example: (sum, name) =>
    `Por ejemplo, ${sum} a ${name}: le pasas un enlace, demuestra que el nombre es suyo y el dinero es suyo. Se envía en USDC, un dólar digital.`,
  sendTitle: 'Enviar dinero',
  sendFrom:
    'De lo que guardas aquí, a cualquiera que tenga un nombre. Primero ves el precio, y puedes cancelar el envío mientras nadie lo haya recogido.',
  sendOpen: 'Enviar a un nombre',
  chatTitle: 'En un chat',
  chatType: (command) => `Escribe ${command} y mira cómo llega.`,
  chatOpen: 'Abrir el chat',
  collectTitle: '¿Alguien te envió dinero?',
  collectLink: 'Abre el enlace que te enviaron: ahí lo recoges, sin coste.',
  collectWaits: (duration) => `El dinero espera ${duration} y después vuelve a quien lo envió.`,
  seeMoney: 'Ver tu dinero',
  realTitle: '¿Esto es de verdad?',
  realProof:
    'El dinero solo lo recibe quien demuestra que el nombre es suyo. Nunca pedimos una tarjeta, una contraseña ni una frase secreta.',
  realReceipt:
    'Cada pago tiene su propia página, que lo sigue hasta el final. Envía su enlace a la persona a quien va el dinero.',
  apiTitle: 'Para programas',
  apiAsk: (code) => `Pregunta, y la respuesta es ${code} con el precio. Pruébalo, no cuesta nada:`,
  apiCopy: 'Copiar el comando',
  apiCopied: 'Comando copiado',
  apiDocs: 'Leer la documentación',
  apiSigns: (client, code) =>
    `Un cliente x402, como ${client}, firma el precio y vuelve a preguntar. El ${code} nombra entonces el recibo.`,
  apiPayers: (file) => `Hay pagadores con fondos para probar en ${file}, en la carpeta de datos.`,
};
