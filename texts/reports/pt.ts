import type { ReportTexts } from './en.ts';

export const reportsPt: ReportTexts = {
  link: 'Denunciar',
  title: 'Denunciar este pagamento',
  pageTitle: 'Denunciar esta página',
  goesTo: (operator) => `Sua denúncia chega a quem mantém este serviço (${operator}). Quem enviou não fica sabendo.`,
  pageGoesTo: (operator) =>
    `Sua denúncia chega a quem mantém este serviço (${operator}). A pessoa dona da página não fica sabendo.`,
  moderators: 'Se foi enviado de um grupo, os moderadores talvez vejam o motivo, mas não o que você escrever.',
  movesNothing:
    'Uma denúncia não move dinheiro: o que espera ainda pode ser resgatado, recusado ou deixado para voltar.',
  why: 'O que há de errado?',
  reasons: {
    trick: 'Parece um golpe para pegar meu dinheiro ou meus dados',
    pretends: 'Quem enviou finge ser outra pessoa',
    insults: 'Ofende ou ameaça',
    not_meant: 'Não era para mim',
    other: 'Outra coisa',
  },
  words: 'O que devem saber? (opcional)',
  wordsHint: (charactersMax) =>
    `No máximo ${charactersMax} caracteres. Não escreva senhas nem códigos: ninguém aqui precisa deles.`,
  send: 'Enviar a denúncia',
  back: 'Voltar',
  chooseOne: 'Escolha o que há de errado.',
  tooLong: (charactersMax) => `São mais de ${charactersMax} caracteres. Encurte, por favor.`,
  callerFull: 'Você enviou várias denúncias em uma hora. Tente mais tarde.',
  dayFull: 'Hoje não é possível guardar mais denúncias. Tente amanhã.',
  orWrite: (help) => `Ou escreva a quem mantém este serviço: ${help}.`,
  help: 'Ajuda',
  doneTitle: 'Obrigado',
  done: (operator) => `Está denunciado a quem mantém este serviço (${operator}).`,
  doneNext: 'Você não precisa fazer mais nada. Ninguém aqui vai pedir dinheiro, uma senha ou uma frase secreta.',

  reported: 'Denunciado:',
  readIt: 'Quem opera o serviço também tem a denúncia. Quem enviou não fica sabendo.',
};
