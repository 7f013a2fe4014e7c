import type { DiscordWords } from './words.ts';

export const wordsPt: DiscordWords = {
  commands: {
    tip: {
      name: 'gorjeta',
      description: 'Envie USDC a qualquer pessoa pelo nome que ela já usa',
      options: {
        amount: ['valor', '1 · 0,5 · 50c · half (metade) · all (tudo)'],
        user: ['pessoa', 'Alguém no Discord'],
        to: ['para', 'Ou um nome em outro lugar: x:alice · github:alice · alice@example.com'],
        note: ['nota', 'Algumas palavras para acompanhar'],
      },
    },
    balance: { name: 'saldo', description: 'Veja o que você tem', options: {} },
    deposit: { name: 'depositar', description: 'Adicione dinheiro à sua carteira', options: {} },
    withdraw: {
      name: 'sacar',
      description: 'Envie seu dinheiro a um endereço seu',
      options: {
        amount: ['valor', '5 · half (metade) · all (tudo)'],
        address: ['endereço', 'Para onde deve ir'],
      },
    },
    wallet: { name: 'carteira', description: 'Escolha de onde você paga', options: {} },
    history: { name: 'histórico', description: 'Veja o que você enviou', options: {} },
    claim: {
      name: 'resgatar',
      description: 'Receba o que espera por você',
      options: { name: ['nome', 'Outro nome seu, como x:alice'] },
    },
    link: {
      name: 'vincular',
      description: 'Receba o que é enviado a outro nome seu',
      options: { name: ['nome', 'Como x:alice'] },
    },
    language: {
      name: 'idioma',
      description: 'Escolha em que idioma eu falo',
      options: { language: ['idioma', 'en · es · de · pt · ja · app'] },
    },
    privacy: { name: 'privacidade', description: 'Veja o que sei sobre você e apague', options: {} },
    help: {
      name: 'ajuda',
      description: 'Veja o que posso fazer',
      options: { command: ['comando', 'Um comando em detalhe'] },
    },
  },
  menu: 'Dar gorjeta',
  form: { title: (name) => `Gorjeta para ${name}`, amount: 'Valor em USDC', amountExample: '1', note: 'Nota' },
  tooFast: 'Foi muita coisa de uma vez. Espere um minuto e tente de novo.',
};
