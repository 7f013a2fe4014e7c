import { code, line, type Paragraph } from '../../../core/view.ts';
import type { HelpTopic, helpEn } from './en-help.ts';

const topics: Record<HelpTopic, Paragraph[]> = {
  tip: [
    line`${code('/tip @x:alice 1 gracias')}: un nombre, una cantidad de 0.01 a 10 USDC y, si quieres, una nota.`,
    line`Varios nombres: ${code('/tip x:alice github:bob 1')} da 1 a cada uno; ${code('/tip x:alice github:bob 3 split')} reparte 3 entre ellos. Te muestro el total antes de enviar nada.`,
    line`Nombres: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')}, o el enlace a un perfil.`,
    line`Quien no tenga billetera puede recogerlo durante 30 días. Después vuelve a ti.`,
  ],
  balance: [line`${code('/balance')} muestra lo que tienes aquí, en cada red.`],
  deposit: [
    line`${code('/deposit')} muestra tus direcciones de aquí. Con lo que envíes ahí podrás dar propinas en menos de un minuto.`,
  ],
  wallet: [line`${code('/wallet')} muestra con qué puedes pagar, y te deja elegir.`],
  withdraw: [
    line`${code('/withdraw 5 0x…')} envía 5 USDC a una dirección tuya; ${code('/withdraw all 0x…')}, todo. Te lo muestro todo antes de enviarlo.`,
  ],
  history: [
    line`${code('/history')} muestra las últimas diez propinas que enviaste y qué fue de ellas, y todas en un archivo CSV.`,
  ],
  claim: [
    line`${code('/claim')} muestra lo que te espera. ${code('/claim x:alice')} abre la página donde se recoge con ese nombre.`,
  ],
  link: [
    line`${code('/link x:alice')} explica cómo llega a tu billetera de aquí el dinero que envían a ese nombre tuyo.`,
  ],
  language: [line`Con ${code('/language')} eliges en qué idioma hablo contigo.`],
  privacy: [line`${code('/privacy')} te da lo que sé de ti, lo borra, o rechaza todas las propinas para ti.`],
};

export const helpEs: typeof helpEn = {
  helpOn: (topic) => topics[topic],
  moreHelp: () => line`${code('/help tip')} explica más sobre un comando. También hay:`,
};
