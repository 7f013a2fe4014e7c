import { code, line, type Paragraph } from '../../core/view.ts';
import type { HelpFacts, HelpTopic, helpEn } from './en.ts';
import { DROP_EXAMPLE, SPENDING_WAIT_HOURS, TIP_MAX, TIP_MIN } from '../rules/rules.ts';

const days = (days: number): string => (days === 1 ? '1 día' : `${days} días`);

const topics = ({ claimDays, historyMax }: HelpFacts): Record<HelpTopic, Paragraph[]> => ({
  tip: [
    line`${code('/tip @x:alice 1 gracias')}: un nombre, una cantidad de ${TIP_MIN} a ${TIP_MAX} USDC y, si quieres, una nota.`,
    line`Varios nombres: ${code('/tip x:alice github:bob 1')} da 1 a cada uno; ${code('/tip x:alice github:bob 3 split')} reparte 3 entre ellos. Te muestro el total antes de enviar nada.`,
    line`Nombres: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')}, o el enlace a un perfil.`,
    line`Quien no tenga billetera puede recogerlo durante ${days(claimDays)}. Después vuelve a ti.`,
  ],
  pay: [
    line`${code('/pay @x:alice 1')} es una propina desde otra billetera o aplicación: te doy un enlace y quien lo abra puede pagar.`,
  ],
  request: [
    line`${code('/request @name 5 lunch')} le pide dinero a alguien del grupo; solo esa persona puede pagar. Con ${code('/request on')} otros pueden pedirte, con ${code('/request off')} nadie.`,
  ],
  drop: [
    line`${code(DROP_EXAMPLE.command)} reparte ${DROP_EXAMPLE.sum} USDC entre quienes pulsen a tiempo en el grupo. Antes de pagar ves la lista y puedes tachar nombres.`,
  ],
  top: [
    line`${code('/top')} muestra quién agradeció a más personas distintas en un grupo, entre quienes escribieron ${code('/top on')}. Los importes no cuentan.`,
  ],
  balance: [line`${code('/balance')} muestra lo que tienes aquí, en cada red.`],
  deposit: [
    line`${code('/deposit')} muestra tus direcciones de aquí. Con lo que envíes ahí podrás dar propinas en menos de un minuto.`,
  ],
  wallet: [line`${code('/wallet')} muestra con qué puedes pagar, y te deja elegir.`],
  withdraw: [
    line`${code('/withdraw 5 0x…')} envía 5 USDC a una dirección tuya; ${code('/withdraw all 0x…')}, todo. Te lo muestro todo antes de enviarlo.`,
  ],
  limits: [
    line`${code('/limits')} muestra lo que pueden gastar tus propinas: para una persona, sin preguntarte, y en un día. ${code('/limits day 20')} lo cambia, en nuestro chat directo. Menos vale al momento, más a las ${SPENDING_WAIT_HOURS} horas.`,
  ],
  lock: [
    line`${code('/lock')} detiene al momento todos los gastos de tus billeteras, en todos los chats. ${code('/withdraw')} sigue funcionando.`,
  ],
  unlock: [
    line`${code('/unlock')} permite gastar otra vez, a las ${SPENDING_WAIT_HOURS} horas, para que nadie más pueda hacerlo sin que lo veas.`,
  ],
  history: [
    line`${code('/history')} muestra las últimas ${String(historyMax)} propinas que enviaste y qué fue de ellas, y todas en un archivo CSV.`,
  ],
  claim: [
    line`${code('/claim')} muestra lo que te espera. ${code('/claim x:alice')} abre la página donde se recoge con ese nombre.`,
  ],
  link: [
    line`${code('/link x:alice')} explica cómo llega a tu billetera de aquí el dinero que envían a ese nombre tuyo.`,
  ],
  language: [line`Con ${code('/language')} eliges en qué idioma hablo contigo.`],
  block: [
    line`${code('/block')} muestra quién te ha enviado algo últimamente y no deja pasar nada más de esa persona. No se le avisa, y lo que espera vuelve.`,
  ],
  privacy: [line`${code('/privacy')} te da lo que sé de ti, lo borra, o rechaza todas las propinas para ti.`],
  settings: [line`${code('/settings')} muestra a quien modera aquí lo que vale para las propinas, y cómo cambiarlo.`],
  reward: [
    line`${code('/reward https://farcaster.xyz/alice/0x0123abcd 5')} muestra a quienes moderan cómo se repartirían 5 USDC de la tesorería entre quienes reaccionaron a esa publicación, y les pide confirmar. ${code('/reward without bob')} deja fuera a alguien.`,
  ],
  treasury: [
    line`${code('/treasury')} muestra lo que un servidor o grupo tiene para recompensas, cómo aportar y cómo se retira.`,
  ],
});

export const helpEs: typeof helpEn = {
  help: (isPlayMoney) => [
    line`Envía de ${TIP_MIN} a ${TIP_MAX} USDC a cualquiera con el nombre que ya usa.`,
    line`${code('/tip @x:alice 1')} envía 1 USDC a alice en X. Lo que escribas después será una nota.`,
    line`Nombres que funcionan: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')}, o el enlace a un perfil.`,
    line`Cantidades: ${code('1')}, ${code('0.5')}, ${code('50c')}, ${code('half')} (la mitad), ${code('all')} (todo).`,
    line`${code('/balance')} muestra lo que tienes; ${code('/deposit')}, ${isPlayMoney ? 'cómo conseguir más dinero de prueba' : 'cómo añadir dinero'}; ${code('/wallet')}, lo que recogiste y guardas aquí.`,
    line`${code('/withdraw')} lo envía a una dirección tuya.`,
  ],
  unknown: () => line`No entendí eso. Esto es lo que puedo hacer:`,
  helpOn: (topic, facts) => topics(facts)[topic],
  moreHelp: () => line`${code('/help tip')} explica más sobre un comando. También hay:`,
};
