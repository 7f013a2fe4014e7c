import type { MailCodeTexts } from './en.ts';

export const mailCodeEs: MailCodeTexts = {
  collect: {
    subject: 'Tu código de pennypost',
    lead: (to) =>
      `Alguien quiere recoger el dinero que se envía a ${to}. Si lo quieres, abre esta página en cualquier navegador. Allí eliges adónde va:`,
    button: 'Recoger el dinero',
    typeCode: 'O escribe este código en la página donde lo pediste:',
    confirms: 'Con este código confirmas adónde va el dinero:',
    otherwise: (minutes) =>
      `Si no lo quieres ahí, no uses el código. Vale ${minutes} minutos, en la ventana donde lo pediste.`,
    ignore:
      'Nadie te pedirá nunca este código, ni por teléfono ni en un chat. Si no quieres el dinero, ignora este correo: sin el enlace o el código no pasa nada.',
  },
  signIn: {
    subject: 'Tu código para entrar',
    lead: (to) =>
      `Alguien quiere entrar al dinero que se guarda para ${to}. Si eres tú, abre esta página en cualquier navegador:`,
    button: 'Entrar',
    typeCode: 'O escribe este código en la página donde lo pediste. Muestra lo que se guarda y no mueve nada:',
    worksFor: (minutes) =>
      `El código vale ${minutes} minutos, en la ventana donde lo pediste. Nadie te lo pedirá nunca, ni por teléfono ni en un chat.`,
    ignore: 'Si no eres tú, ignora este correo: sin el enlace o el código no pasa nada.',
  },
  linkWorksFor: (minutes) =>
    `El enlace vale ${minutes} minutos, sin importar quién haya pedido este correo. No se lo pases a nadie.`,
  goesBack: 'de vuelta a quien lo envió, porque no lo quieres',
  staysHere: 'se queda aquí para ti',
  onNetwork: (address, place) => `${address} (en ${place})`,
  operatedBy: (baseUrl, operator) => `pennypost en ${baseUrl} está a cargo de ${operator}.`,
  help: (url) => `Ayuda: ${url}`,
};
