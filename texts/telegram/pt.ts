import type { TelegramTexts } from './en.ts';

export const telegramPt: TelegramTexts = {
  answeredPrivately: () => 'Respondi no nosso chat privado.',
  openPrivately: () => 'Isso é só para você. Abra nossa conversa privada e toque em Iniciar: está lá.',
  openChat: () => 'Abrir o nosso chat',
  tooFast: () => 'Foi muita coisa de uma vez, e não fiz a última. Espere um minuto e tente de novo.',
  tooLate: () => 'Eu não estava quando você escreveu isto e não fiz nada. Envie de novo se ainda quiser.',
  anonymous: () =>
    'Você escreve em nome do grupo, então não consigo ver quem você é. Desative “Permanecer anônimo” e tente de novo.',

  commands: {
    tip: 'Enviar dinheiro: /tip @alice 1',
    pay: 'Enviar dinheiro de qualquer carteira ou aplicativo: /pay x:alice 1',
    request: 'Pedir dinheiro a alguém: /request @name 5 lunch',
    drop: 'Distribuir uma quantia entre quem tocar a tempo',
    top: 'Ver quem agradece aqui a mais pessoas diferentes',
    balance: 'O que você tem',
    deposit: 'Adicionar dinheiro',
    withdraw: 'Enviar dinheiro para um endereço seu',
    wallet: 'Escolher com o que você paga',
    limits: 'Quanto suas gorjetas podem gastar',
    lock: 'Parar todos os gastos',
    unlock: 'Permitir gastos de novo',
    history: 'O que você enviou',
    claim: 'Resgatar o que espera por você',
    link: 'Comprovar outro nome seu',
    block: 'Não receber mais de alguém',
    privacy: 'O que eu sei sobre você',
    language: 'Em que idioma eu falo',
    help: 'Como funciona',
    treasury: 'O dinheiro deste grupo',
    reward: 'Recompensar quem reagiu a um post no Farcaster',
    settings: 'O que vale para os pagamentos neste grupo',
  },
};
