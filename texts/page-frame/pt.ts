import type { PageFrame } from './en.ts';

export const pageFramePt: PageFrame = {
  skip: 'Ir para o conteúdo',
  playMoney: 'Dinheiro de teste: nada aqui é real',
  testMoney: 'Dinheiro de uma rede de testes: não tem valor',
  operatedBy: 'Este serviço é operado por',
  getHelp: 'Algo errado? Peça ajuda',
  askThem: 'Algo errado? Peça ajuda a quem opera o serviço.',
  askYourself: 'Algo errado? Esta instalação é local: a ajuda está no terminal em que você a iniciou.',
  print: 'Imprimir',
  language: 'Idioma',
  script: {
    copied: 'Copiado',
    notCopied: 'Não copiado',
    copyFailed: 'Não foi possível copiar: selecione o texto e copie você mesmo',
    following: 'Esta página acompanha o pagamento sozinha.',
    interrupted: 'Sem conexão no momento; uma nova tentativa é feita automaticamente.',
  },
};
