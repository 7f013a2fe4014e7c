import { code, line } from '../../core/view.ts';
import type { NoticeTexts } from './en.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');
const withdraw = code('/withdraw');
const treasury = code('/treasury');

export const noticesPt: NoticeTexts = {
  locale: 'pt-BR',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`Um saque foi pedido: ${sum}${walletName === null ? '' : ` do que você guardou como ${nameForPayer(walletName, 'pt')}`} saem em ${time} pela rede ${place} para ${address}.`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`Um saque foi pedido: ${sum}${walletName === null ? '' : ` do que você guardou como ${nameForPayer(walletName, 'pt')}`} saem na hora pela rede ${place} para ${address}. A partir de ${time} qualquer valor pode sair na hora para esse endereço.`,
  notYou: () => line`Se não foi você, escreva aqui ${cancel} antes disso, e ${lock} para bloquear os gastos.`,
  added: ({ time, walletName, isGuarded }) =>
    isGuarded
      ? line`Alguém acessou de outro lugar ${walletName === null ? 'a sua carteira daqui' : `o que você guardou como ${nameForPayer(walletName, 'pt')}`}. A partir de ${time} essa pessoa poderá pedir um saque; sem a chave de acesso, ele leva mais ${WITHOUT_PASSKEY_HOURS} horas.`
      : line`Alguém acessou de outro lugar ${walletName === null ? 'a sua carteira daqui' : `o que você guardou como ${nameForPayer(walletName, 'pt')}`}. Essa pessoa poderá enviar ou sacar a partir de ${time}.`,
  addedNotYou: () => line`Se não foi você, escreva aqui ${wallet} antes disso e encerre o acesso.`,
  treasuryAddress: ({ place, address, time }) =>
    line`Uma comunidade sobre cujo dinheiro você já decidiu tem um novo endereço para ele: a partir de ${time}, dinheiro poderá sair da tesouraria para ${address} em ${place}.`,
  treasuryNotYou: (stop) =>
    line`Se você não sabia disso, pergunte às outras pessoas de lá. Quem modera pode impedir antes disso: escreva ${stop} no grupo.`,
  passkeyAdded: ({ time, walletName }) =>
    line`Uma chave de acesso foi adicionada ${walletName === null ? 'à sua carteira daqui' : `ao que você guardou como ${nameForPayer(walletName, 'pt')}`}. A partir de ${time} ela será usada para enviar e sacar; sem ela, um saque leva ${WITHOUT_PASSKEY_HOURS} horas.`,
  passkeyEnds: ({ time, walletName }) =>
    line`A chave de acesso ${walletName === null ? 'da sua carteira daqui' : `do que você guardou como ${nameForPayer(walletName, 'pt')}`} será removida. Ela vale até ${time}.`,
  passkeyNotYou: () => line`Se não foi você, escreva aqui ${wallet} e cancele a mudança.`,
  closing: ({ sum, walletName }) =>
    line`Este serviço está encerrando. Ainda há aqui ${sum} ${walletName === null ? 'seus' : `que você guardou como ${nameForPayer(walletName, 'pt')}`}. Saque-os, por favor: escreva ${withdraw} com o valor e um endereço seu.`,
  closingTreasury: ({ sum }) =>
    line`Este serviço está encerrando. Uma comunidade sobre cujo dinheiro você já decidiu ainda tem ${sum} aqui. Saquem o valor lá, por favor: escreva ${treasury} no grupo.`,
};
