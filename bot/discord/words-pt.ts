import type { DiscordWords } from './words.ts';

export const wordsPt: DiscordWords = {
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
    unlock: { description: 'Permita gastos de novo, depois de 24 horas', options: {} },
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
    privacy: { description: 'Veja o que sei sobre você e apague', options: {} },
    help: {
      description: 'Veja o que posso fazer',
      options: { command: ['comando', 'Um comando em detalhe'] },
    },
  },
  menu: 'Dar gorjeta',
  form: { title: (name) => `Gorjeta para ${name}`, amount: 'Valor em USDC', amountExample: '1', note: 'Nota' },
  tooFast: 'Foi muita coisa de uma vez. Espere um minuto e tente de novo.',
};
