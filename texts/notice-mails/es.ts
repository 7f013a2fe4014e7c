import { HOLDER_WAIT_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import type { NoticeMailTexts } from './en.ts';
import { goingBackEs } from '../going-back/es.ts';

export const noticeMailEs: NoticeMailTexts = {
  locale: 'es',
  waits: {
    subject: (sum) => `Te esperan ${sum}`,
    again: (sum) => `Todavía te esperan ${sum}`,
    lead: ({ to, sum, from, on }) =>
      `${from ?? 'Alguien'} envió ${sum} en USDC, un dólar digital, a ${to}. El dinero te espera. ${goingBackEs.sentence({ if: 'you_do_nothing', to: 'sender', on })}`,
    button: 'Verlo',
    first: 'No te cuesta nada. Te lo recordaremos una vez antes de que vuelvan, y después no escribiremos más.',
    only: 'No te cuesta nada. Este es el único correo al respecto.',
    last: 'Este es el único recordatorio.',
    never: '¿No quieres recibir nunca más un correo así? Un clic:',
  },
  address: {
    subject: 'Tu dinero está a punto de ir a otra dirección',
    lead: (to, from) =>
      `Alguien que puede leer el correo de ${to} nos pidió enviar su dinero a otra dirección. Desde el ${from} irá aquí:`,
    before: 'Hasta entonces va, como antes, aquí:',
    fine: 'Si lo pediste tú, no hay nada que hacer.',
    stop: (from) =>
      `Si no, puedes detenerlo hasta el ${from}: recoge otra vez en esta página y elige el lugar al que va ahora. Después cambia la contraseña de tu buzón, porque otra persona puede leer tu correo.`,
    button: 'Detenerlo en esta página',
  },
  purse: {
    subject: 'Algo va a cambiar con tu dinero',
    holder: (to, at, isGuarded) =>
      isGuarded
        ? `Alguien ha entrado, en otro navegador o chat, en el dinero guardado para ${to}. Desde el ${at} se podrá retirar desde allí, y sin la llave de acceso tardará ${WITHOUT_PASSKEY_HOURS} horas más.`
        : `Alguien ha entrado, en otro navegador o chat, en el dinero guardado para ${to}. Desde el ${at} se podrá enviar desde allí.`,
    passkeyAdded: (to, at) =>
      `Se ha añadido una llave de acceso al dinero guardado para ${to}. Desde el ${at} el dinero sale con ella.`,
    passkeyEnds: (to, at) => `Se va a quitar una llave de acceso del dinero guardado para ${to}. Vale hasta el ${at}.`,
    leaves: (to, sum, at) => `Se van a retirar ${sum} del dinero guardado para ${to} el ${at}.`,
    leavesNow: (to, sum, at) =>
      `Se están retirando ${sum} del dinero guardado para ${to}. Desde el ${at} cualquier cantidad podrá salir en el acto hacia el mismo sitio.`,
    fine: 'Si has sido tú, no hay nada que hacer.',
    stop: 'Si no has sido tú, detenlo aquí:',
    button: 'No he sido yo: detener',
    why: `Por eso un cambio así espera ${HOLDER_WAIT_HOURS} horas o más. Escribimos esto a todos los que tienen ese dinero.`,
  },
  closing: {
    subject: 'Este servicio cierra: retira tu dinero',
    lead: (to, sum) =>
      `Este servicio cierra. Aquí quedan ${sum} guardados para ${to}. Retira el dinero, por favor, a una dirección tuya.`,
    free: 'No te cuesta nada. Entras con un código que te enviamos por correo.',
    button: 'Retirarlo',
  },
};
