import { code, line, type Paragraph } from '../../core/view.ts';
import type { HelpFacts, HelpTopic, helpEn } from './en.ts';
import { DROP_EXAMPLE, SPENDING_WAIT_HOURS, TIP_MAX, TIP_MIN } from '../rules/rules.ts';

const days = (days: number): string => (days === 1 ? '1 dia' : `${days} dias`);

const topics = ({ claimDays, historyMax }: HelpFacts): Record<HelpTopic, Paragraph[]> => ({
  tip: [
    line`${code('/tip @x:alice 1 obrigado')}: um nome, um valor de ${TIP_MIN} a ${TIP_MAX} USDC e, se quiser, um recado.`,
    line`Vários nomes: ${code('/tip x:alice github:bob 1')} dá 1 para cada; ${code('/tip x:alice github:bob 3 split')} divide 3 entre eles. Eu mostro o total antes de enviar.`,
    line`Nomes: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')} ou o link de um perfil.`,
    line`Quem não tem carteira pode resgatar durante ${days(claimDays)}. Depois disso, o dinheiro volta para você.`,
  ],
  pay: [
    line`${code('/pay @x:alice 1')} é uma gorjeta de outra carteira ou aplicativo: eu dou um link, e quem abrir pode pagar.`,
  ],
  request: [
    line`${code('/request @name 5 lunch')} pede dinheiro a alguém do grupo; só essa pessoa pode pagar. Com ${code('/request on')} outros podem pedir a você, com ${code('/request off')} ninguém.`,
  ],
  drop: [
    line`${code(DROP_EXAMPLE.command)} distribui ${DROP_EXAMPLE.sum} USDC entre quem tocar a tempo no grupo. Antes de pagar você vê a lista e pode riscar nomes.`,
  ],
  top: [
    line`${code('/top')} mostra quem agradeceu a mais pessoas diferentes em um grupo, entre quem escreveu ${code('/top on')}. Valores nunca contam.`,
  ],
  balance: [line`${code('/balance')} mostra o que você tem aqui, em cada rede.`],
  deposit: [
    line`${code('/deposit')} mostra os seus endereços daqui. O que você enviar para lá pode virar gorjeta em até um minuto.`,
  ],
  wallet: [line`${code('/wallet')} mostra com o que você pode pagar e deixa você escolher.`],
  withdraw: [
    line`${code('/withdraw 5 0x…')} envia 5 USDC para um endereço seu; ${code('/withdraw all 0x…')}, tudo. Eu mostro tudo antes de enviar.`,
  ],
  limits: [
    line`${code('/limits')} mostra o que suas gorjetas podem gastar: para uma pessoa, sem perguntar, e em um dia. ${code('/limits day 20')} muda isso, no nosso chat direto. Menos vale na hora, mais depois de ${SPENDING_WAIT_HOURS} horas.`,
  ],
  lock: [
    line`${code('/lock')} para na hora todos os gastos das suas carteiras, em todos os chats. ${code('/withdraw')} continua funcionando.`,
  ],
  unlock: [
    line`${code('/unlock')} permite gastar de novo, depois de ${SPENDING_WAIT_HOURS} horas, para que ninguém mais possa fazer isso sem você ver.`,
  ],
  history: [
    line`${code('/history')} mostra as últimas ${String(historyMax)} gorjetas que você enviou e o que aconteceu com elas, e todas em um arquivo CSV.`,
  ],
  claim: [
    line`${code('/claim')} mostra o que espera por você. ${code('/claim x:alice')} abre a página onde se resgata por esse nome.`,
  ],
  link: [line`${code('/link x:alice')} explica como o dinheiro enviado para esse nome seu chega à sua carteira daqui.`],
  language: [line`Com ${code('/language')} você escolhe em que idioma eu falo com você.`],
  block: [
    line`${code('/block')} mostra quem enviou algo a você ultimamente e não deixa passar mais nada dessa pessoa. Ela não é avisada, e o que espera volta.`,
  ],
  privacy: [
    line`${code('/privacy')} entrega o que eu sei sobre você, apaga tudo isso ou recusa todas as gorjetas para você.`,
  ],
  settings: [line`${code('/settings')} mostra a quem modera aqui o que vale para gorjetas, e como mudar.`],
  reward: [
    line`${code('/reward https://farcaster.xyz/alice/0x0123abcd 5')} mostra a quem modera como 5 USDC da tesouraria seriam repartidos entre quem reagiu a esse post, e pede confirmação. ${code('/reward without bob')} deixa alguém de fora.`,
  ],
  treasury: [
    line`${code('/treasury')} mostra o que um servidor ou grupo tem para recompensas, como contribuir e como se saca.`,
  ],
});

export const helpPt: typeof helpEn = {
  help: (isPlayMoney) => [
    line`Envie de ${TIP_MIN} a ${TIP_MAX} USDC para qualquer pessoa pelo nome que ela já usa.`,
    line`${code('/tip @x:alice 1')} envia 1 USDC para alice no X. O que você escrever depois vira um recado.`,
    line`Nomes que funcionam: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')} ou o link de um perfil.`,
    line`Valores: ${code('1')}, ${code('0.5')}, ${code('50c')}, ${code('half')} (metade), ${code('all')} (tudo).`,
    line`${code('/balance')} mostra o que você tem; ${code('/deposit')}, como ${isPlayMoney ? 'pegar mais dinheiro de teste' : 'adicionar dinheiro'}; ${code('/wallet')}, o que você resgatou e guarda aqui.`,
    line`${code('/withdraw')} envia para um endereço seu.`,
  ],
  unknown: () => line`Não entendi. Veja o que eu posso fazer:`,
  helpOn: (topic, facts) => topics(facts)[topic],
  moreHelp: () => line`${code('/help tip')} explica mais sobre um comando. Também existem:`,
};
