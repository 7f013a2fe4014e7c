import type { DiscordTexts } from './words.ts';
import {
  DROP_EXAMPLE,
  REWARD_DEFAULT,
  SMALL_REWARD,
  SPENDING_WAIT_HOURS,
  TREASURY_WAIT_HOURS,
} from '../rules/rules.ts';

export const discordPt: DiscordTexts = {
  commands: {
    tip: {
      description: 'Envie USDC a qualquer pessoa pelo nome que ela já usa',
      options: {
        amount: ['valor', '1 · 0,5 · 50c · half (metade) · all (tudo)'],
        user: ['pessoa', 'Alguém no Discord'],
        to: ['para', 'Ou um nome em outro lugar: x:alice · github:alice · alice@example.com'],
        note: ['nota', 'Algumas palavras para acompanhar'],
      },
    },
    pay: { description: 'Enviar USDC por um link: de qualquer carteira ou aplicativo', options: {} },
    request: {
      description: 'Pedir dinheiro a alguém; só essa pessoa pode pagar',
      options: {
        amount: ['valor', '5 · on (outros podem pedir a você) · off'],
        user: ['pessoa', 'A quem você pede'],
        to: ['para', 'Para uma conta: mais membros, e split depois do valor'],
        note: ['nota', 'Para quê, em poucas palavras'],
      },
    },
    balance: { description: 'Veja o que você tem', options: {} },
    deposit: { description: 'Adicione dinheiro à sua carteira', options: {} },
    withdraw: {
      description: 'Envie seu dinheiro a um endereço seu',
      options: {
        amount: ['valor', '5 · half (metade) · all (tudo)'],
        address: ['endereço', 'Para onde deve ir'],
      },
    },
    wallet: { description: 'Escolha de onde você paga', options: {} },
    limits: {
      description: 'Veja e mude quanto suas gorjetas podem gastar',
      options: { change: ['mudanca', 'tip 5 · ask 1 · day 20 · cancel (não aumentar nada)'] },
    },
    lock: { description: 'Pare todos os gastos das suas carteiras', options: {} },
    unlock: { description: `Permita gastos de novo, depois de ${SPENDING_WAIT_HOURS} horas`, options: {} },
    history: { description: 'Veja o que você enviou', options: {} },
    claim: {
      description: 'Receba o que espera por você',
      options: { name: ['nome', 'Outro nome seu, como x:alice'] },
    },
    link: {
      description: 'Receba o que é enviado a outro nome seu',
      options: { name: ['nome', 'Como x:alice'] },
    },
    language: {
      description: 'Escolha em que idioma eu falo',
      options: { language: ['idioma', 'en · es · de · pt · ja · app'] },
    },
    block: { description: 'Veja quem enviou algo a você e bloqueie', options: {} },
    privacy: { description: 'Veja o que sei sobre você e apague', options: {} },
    help: {
      description: 'Veja o que posso fazer',
      options: { command: ['comando', 'Um comando em detalhe'] },
    },
  },
  menu: 'Dar gorjeta',
  form: { title: (name) => `Gorjeta para ${name}`, amount: 'Valor em USDC', amountExample: '1', note: 'Nota' },
  tooFast: 'Foi muita coisa de uma vez. Espere um minuto e tente de novo.',
  settings: {
    description: 'Decida como as gorjetas funcionam neste servidor',
    settings: {
      show: 'Veja o que está definido e como mudar',
      channels: 'Permita gorjetas neste canal, não mais aqui, ou em todos os canais',
      min: 'A menor gorjeta: 0.5 · off',
      max: 'A maior gorjeta: 5 · off',
      cooldown: 'Quanto alguém espera entre duas gorjetas: 30s · 5m · off',
      ban: 'Impeça alguém de enviar mais gorjetas aqui',
      unban: 'Deixe alguém enviar gorjetas de novo',
      receipts: 'Como eu mostro que uma gorjeta foi paga',
      notes: 'Se uma gorjeta pode levar uma mensagem',
      language: 'O idioma do que todos leem aqui; o que alguém lê a sós fica no seu',
      lifetime: 'Quando apago minhas mensagens: 1h · off',
      log: 'Mantenha um registro de todas as gorjetas neste canal',
      role: 'Quem pode confirmar recompensas além de você; vazio para ninguém',
      drops: 'Quem pode participar das distribuições; vazio para ninguém',
      quorum: `Para quem é dono: quantos confirmam uma recompensa acima de ${SMALL_REWARD} USDC`,
    },
    values: { choice: 'Escolha um', text: 'Um valor como os acima, ou off', user: 'Quem', role: 'Qual cargo' },
  },
  treasury: {
    description: 'O dinheiro desta comunidade',
    steps: {
      balance: 'O que há, e para onde pode ir',
      deposit: 'Contribuir com algo',
      give: 'Dê a este servidor um pouco do seu dinheiro',
      statement: 'O que entrou e o que saiu',
      address: `Para quem é dono: para onde vão os saques, depois de ${TREASURY_WAIT_HOURS} horas`,
      withdraw: 'Para a moderação: pedir um saque aos outros',
    },
    address: '0x… em Base, qualquer outro em Solana; off base encerra',
    amount: '5 · half (metade) · all (tudo)',
    network: 'Onde está, se estiver nas duas',
  },
  reward: {
    description: 'Para a moderação: recompensar quem reagiu a um post no Farcaster',
    post: 'O link do post',
    budget: `Quanto é repartido, em USDC; vazio: ${REWARD_DEFAULT}`,
    without: 'Nomes no Farcaster que não recebem nada; sozinho: tira-os do cartão aberto',
  },
  drop: {
    description: 'Distribuir uma quantia entre quem tocar a tempo',
    amount: 'Quanto: 5',
    people: 'Para quantas pessoas: 10',
    time: `Por quanto tempo: ${DROP_EXAMPLE.time}`,
    from: 'treasury: do dinheiro da comunidade',
    without: 'Nomes que você risca da lista',
  },
  top: { description: 'Ver quem agradece aqui a mais pessoas diferentes', choice: 'on · off (se você aparece)' },
};
