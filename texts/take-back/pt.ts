import type { TakeBackTexts } from './en.ts';

export const takeBackPt: TakeBackTexts = {
  link: 'Fui eu que enviei: cancelar o envio',
  title: 'Pegar de volta',
  lead: 'Enquanto ninguém o tiver resgatado, quem enviou pode pegá-lo de volta. Ele volta para o lugar de onde veio, e para nenhum outro.',
  notByLink: 'Esta página sozinha não move nada: é preciso o lugar de onde o dinheiro foi enviado.',
  chatTitle: 'Enviado de um chat',
  chatNote: (button) => `Toque em “${button}” abaixo da sua gorjeta nesse chat.`,
  purseTitle: 'Enviado com dinheiro guardado aqui',
  purseNote: 'Abra o seu dinheiro e, lá, o pagamento.',
  seeMoney: 'Ver meu dinheiro',
  walletTitle: 'Pago com uma carteira própria',
  walletNote: 'Assine com a carteira que pagou. Não custa nada.',
  noWallet:
    'Não há carteira neste navegador. Abra esta página no app da sua carteira ou em um navegador que tenha uma.',
  needsScript: 'Só é possível perguntar a uma carteira com o JavaScript ligado.',
  withWallet: (wallet) => `Pegar de volta com ${wallet}`,
  asks: 'Sua carteira pergunta agora.',
  refused: 'Sua carteira não assinou, então nada mudou.',
  otherChain: 'Sua carteira não conseguiu mudar para a rede certa, então nada mudou.',
  notYours: 'Esta não é a carteira que pagou. Nada mudou.',
  beingCollected: (minutes) =>
    `A pessoa para quem ele é está prestes a resgatá-lo. Se ela não terminar, você pode pegá-lo de volta no máximo em ${minutes} minutos.`,
  failed:
    'Não funcionou, e ainda ninguém pode dizer se ele foi pego de volta. Veja o pagamento e tente de novo se ele ainda estiver esperando.',
  over: 'Não é mais possível pegá-lo de volta.',
  toLetter: 'Ver o pagamento',
};
