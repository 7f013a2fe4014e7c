import { code, line } from '../../core/view.ts';
import type { NoticeTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');
const withdraw = code('/withdraw');
const treasury = code('/treasury');

export const noticesEs: NoticeTexts = {
  locale: 'es',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`Se ha pedido un retiro: ${sum}${walletName === null ? '' : ` de lo que guardaste como ${nameForPayer(walletName, 'es')}`} salen el ${time} por ${place} hacia ${address}.`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`Se ha pedido un retiro: ${sum}${walletName === null ? '' : ` de lo que guardaste como ${nameForPayer(walletName, 'es')}`} salen en el acto por ${place} hacia ${address}. Desde ${time} cualquier cantidad puede salir a esa dirección en el acto.`,
  notYou: () => line`Si no has sido tú, escribe aquí antes ${cancel}, y ${lock} para bloquear los gastos.`,
  added: ({ time, walletName, isGuarded }) =>
    isGuarded
      ? line`Alguien ha entrado desde otro sitio en ${walletName === null ? 'tu billetera de aquí' : `lo que guardaste como ${nameForPayer(walletName, 'es')}`}. Podrá retirar a partir del ${time}, y sin la llave de acceso tardará ${WITHOUT_PASSKEY_HOURS} horas más.`
      : line`Alguien ha entrado desde otro sitio en ${walletName === null ? 'tu billetera de aquí' : `lo que guardaste como ${nameForPayer(walletName, 'es')}`}. Podrá enviar o retirar a partir del ${time}.`,
  addedNotYou: () => line`Si no has sido tú, escribe aquí antes ${wallet} y ciérralo.`,
  treasuryAddress: ({ place, address, time }) =>
    line`Una comunidad sobre cuyo dinero has decidido tiene una dirección nueva para él: a partir del ${time} podrá salir dinero de su tesorería hacia ${address} en ${place}.`,
  treasuryNotYou: (stop) =>
    line`Si no lo sabías, pregunta a los demás allí. Quien modera puede pararlo antes: escribe ${stop} en el grupo.`,
  passkeyAdded: ({ time, walletName }) =>
    line`Se ha añadido una llave de acceso a ${walletName === null ? 'tu billetera de aquí' : `lo que guardaste como ${nameForPayer(walletName, 'es')}`}. Desde el ${time} el dinero sale con ella, y si no, a las ${WITHOUT_PASSKEY_HOURS} horas.`,
  passkeyEnds: ({ time, walletName }) =>
    line`Se va a quitar la llave de acceso de ${walletName === null ? 'tu billetera de aquí' : `lo que guardaste como ${nameForPayer(walletName, 'es')}`}. Vale hasta el ${time}.`,
  passkeyNotYou: () => line`Si no has sido tú, escribe aquí ${wallet} y detenlo.`,
  closing: ({ sum, walletName }) =>
    line`Este servicio cierra. Aquí quedan ${sum} ${walletName === null ? 'tuyos' : `que guardaste como ${nameForPayer(walletName, 'es')}`}. Retíralos, por favor: escribe ${withdraw} con la cantidad y una dirección tuya.`,
  closingTreasury: ({ sum }) =>
    line`Este servicio cierra. Una comunidad sobre cuyo dinero has decidido todavía tiene aquí ${sum}. Retiradlos allí, por favor: escribe ${treasury} en el grupo.`,
};
