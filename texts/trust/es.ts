import { receiptPageEs } from '../receipt-page/es.ts';
import type { TrustTexts } from './en.ts';

export const trustEs: TrustTexts = {
  links: { real: '¿Es de verdad?', help: 'Ayuda', terms: 'Condiciones', privacy: 'Privacidad', status: 'Estado' },
  askOperator: 'Preguntar a quienes lo llevan',
  seeMoney: 'Ver mi dinero',
  howToTell: 'Cómo comprobarlo',
  seeStatus: 'Ver qué funciona ahora',

  realLead: ({ operator }) =>
    `Este servicio lo lleva ${operator}. Con él se envía dinero a alguien a quien se conoce por un nombre, como el que tiene en X o un correo electrónico. ¿Te trajo aquí un mensaje? Así puedes comprobarlo.`,
  real: ({ operator, origin, waits }) => [
    {
      heading: 'Mira la dirección',
      paragraphs: [
        `Arriba, en tu navegador, empieza por ${origin}/ y antes no hay nada. Una letra más, u otra terminación, y es de otra persona.`,
        '¿Dudas de un enlace? No lo toques: escribe tú la dirección.',
      ],
    },
    {
      heading: 'Qué se te pide',
      paragraphs: [
        'Para recogerlo demuestras que el nombre es tuyo. Entras donde lo tienes, en la página de ese servicio y nunca en la nuestra, o escribes un código que te mandamos por correo.',
        'Aquí nadie te pide nunca una contraseña, una frase secreta, una tarjeta ni dinero por adelantado. Quien lo haga no es de los nuestros.',
        'Recogerlo no cuesta nada.',
      ],
    },
    {
      heading: 'Quién tiene ahora el dinero',
      paragraphs: [
        `Hasta que lo recojas lo guarda para ti ${operator}, en dólares digitales (USDC). Espera ${waits}; después vuelve a quien lo envió.`,
        'Lo que dejas aquí se guarda para ti de la misma manera. No es una cuenta bancaria y no está cubierto por ningún seguro.',
      ],
    },
    {
      heading: 'Si algo no te cuadra',
      paragraphs: [
        'No hagas nada: lo que no recoges vuelve solo.',
        'La página de cada pago tiene un enlace para denunciarlo. Quien lo envió no se entera.',
      ],
    },
  ],

  helpLead: 'Lo que más se pregunta.',
  help: () => [
    {
      heading: 'Alguien me envió dinero',
      paragraphs: ['Abre el enlace que te llegó. Di adónde debe ir el dinero y demuestra que el nombre es tuyo.'],
    },
    {
      heading: 'Lo guardé aquí. ¿Dónde está?',
      paragraphs: ['Entra en tu dinero con el mismo nombre. Funciona en cualquier navegador.'],
    },
    {
      heading: '¿Cómo llega a mi banco?',
      paragraphs: [
        'Abre una cuenta en una plataforma de intercambio o en una aplicación que acepte USDC, y retira el dinero a la dirección que te muestre. Antes, lee lo que la página dice de esa dirección: en una equivocada el dinero puede perderse. Después lo vendes y pides que te envíen los euros o dólares a tu banco. Aquí nunca te pedimos datos bancarios.',
      ],
    },
    {
      heading: 'Dice que no hay nada esperando',
      paragraphs: [
        'Puede que ya sea tuyo, que haya vuelto o que se enviara a otro nombre. Pide a quien lo envió el enlace del pago: su página dice qué fue de él.',
      ],
    },
    {
      heading: 'Lo envié al nombre equivocado',
      paragraphs: [
        `Mientras nadie lo haya recogido puedes cancelar el envío: en la página del pago hay un enlace para eso, en «${receiptPageEs.forSender}».`,
      ],
    },
    {
      heading: 'No quiero dinero así',
      paragraphs: [
        'Dilo donde lo recogerías: vuelve enseguida y, si quieres, nunca más se acepta nada para tu nombre.',
      ],
    },
    {
      heading: 'Un pago o un mensaje no está bien',
      paragraphs: ['Denúncialo en su página.'],
    },
  ],

  termsLead: ({ operator }) =>
    `Este servicio lo lleva ${operator}, sin condiciones propias publicadas. Esto es lo que hace el servicio.`,
  terms: ({ waits, keptAtMost }) => [
    {
      heading: 'Para qué sirve',
      paragraphs: [
        'Recibe dinero de quien lo envía para una persona con un nombre, lo guarda hasta que esa persona demuestra que el nombre es suyo y se lo pasa.',
      ],
    },
    {
      heading: 'Qué cuesta',
      paragraphs: ['El precio, con cada comisión, se ve antes de pagar nada. Recoger no cuesta nada.'],
    },
    {
      heading: 'Cuándo vuelve',
      paragraphs: [
        `Lo que nadie recoge espera ${waits} y después vuelve a quien lo envió. También lo que se rechaza, o cuyo envío se cancela antes de que lo recojan.`,
        'La comisión vuelve con ello, menos lo que costó recibir el pago.',
      ],
    },
    {
      heading: 'Lo que se guarda aquí',
      paragraphs: [
        'Es de la persona que demostró que el nombre es suyo. No da intereses, no es una cuenta bancaria y no está cubierto por ningún seguro.',
        ...(keptAtMost === null ? [] : [`Para un nombre se pueden guardar como mucho ${keptAtMost}.`]),
      ],
    },
    {
      heading: 'Qué se rechaza',
      paragraphs: [
        'Los pagos que prohíbe la ley, los que su destinatario no quiere y los que pasan los límites de este servicio.',
      ],
    },
    {
      heading: 'Lo que nadie puede prometer',
      paragraphs: [
        'El servicio trabaja con sistemas públicos que llevan otros. Pueden fallar, y él también. La página de cada pago dice dónde está su dinero.',
      ],
    },
  ],

  privacyLead: ({ operator }) => `Este servicio lo lleva ${operator}. Esto es lo que sabe de ti.`,
  privacy: ({ reportDays }) => [
    {
      heading: 'Qué se guarda',
      paragraphs: [
        'De un pago: para quién es, cuánto, su mensaje, de qué cuenta vino y cuándo.',
        'De una persona que recoge: el nombre que demostró que es suyo y adónde fue el dinero.',
        'De un chat: quién envió cuánto a quién, para poder mostrárselo.',
      ],
    },
    {
      heading: 'Quién puede verlo',
      paragraphs: [
        'Quien tiene el enlace de un pago ve su importe, su mensaje y el nombre para el que es. Un correo electrónico aparece abreviado.',
        'Los envíos en sí son públicos y no se pueden borrar. Ningún nombre aparece en ellos.',
      ],
    },
    {
      heading: 'Cookies',
      paragraphs: [
        'Una recuerda el navegador en el que recoges o guardas dinero, y otra tu idioma. Ninguna te sigue, y nuestras páginas no cargan nada de otros.',
      ],
    },
    {
      heading: 'Contra avalanchas y fraudes',
      paragraphs: [
        'La dirección de tu conexión se cuenta durante un tiempo, para que nadie pueda pedir demasiado. No se guarda con los pagos.',
        `Una denuncia se borra ${reportDays} días después de cerrarse.`,
      ],
    },
    {
      heading: 'Qué puedes hacer',
      paragraphs: [
        'En un chat, /privacy muestra lo que se sabe de ti y lo borra. Donde recogerías dinero puedes hacer que tu nombre se rechace para siempre.',
        'Para lo demás, pregunta a quienes llevan el servicio.',
      ],
    },
  ],

  statusLead: {
    all: 'Todo funciona.',
    some: 'Algo no funciona ahora mismo.',
    none: 'Ahora mismo no se aceptan pagos.',
    unknown: 'Ahora mismo no se puede decir qué funciona.',
  },
  place: {
    works: 'Se aceptan pagos y se pasan.',
    waits: 'Se aceptan pagos. Pasarlos tiene que esperar.',
    out: 'Ahora mismo, ningún pago nuevo.',
  },
  owedIsThere: (time) => `Todo lo que se debe a las personas está ahí. Comparado: ${time}.`,
  owedUnknown: 'Ahora mismo no se puede mostrar que esté ahí todo lo que se debe a las personas.',
  looked: (time) => `Consultado: ${time}.`,
};
