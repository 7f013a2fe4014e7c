import type { TakeBackTexts } from './en.ts';

export const takeBackPt: TakeBackTexts = {
  link: 'Fui eu que enviei: cancelar o envio',
  title: 'Cancelar o envio',
  lead: 'Enquanto ninguém o tiver resgatado, quem enviou pode cancelar o envio. O dinheiro volta para o lugar de onde saiu, e para nenhum outro.',
  notByLink: 'Esta página sozinha não move nada: é preciso fazer isso no lugar de onde o dinheiro foi enviado.',
  chatTitle: 'Enviado de um chat',
  chatNote: (button) => `Toque em “${button}” abaixo da sua gorjeta nesse chat.`,
  purseTitle: 'Enviado com o dinheiro que você guarda aqui',
  purseNote: 'Abra o seu dinheiro e, nele, o pagamento.',
  seeMoney: 'Ver meu dinheiro',
  walletTitle: 'Pago com uma carteira própria',
  walletNote: 'Assine com a carteira que pagou. Não custa nada.',
  noWallet:
    'Não há carteira neste navegador. Abra esta página no app da sua carteira ou em um navegador que tenha uma.',
  needsScript: 'Para usar uma carteira, é preciso ativar o JavaScript.',
  withWallet: (wallet) => `Cancelar o envio com ${wallet}`,
  asks: 'Sua carteira está pedindo a confirmação.',
  refused: 'Sua carteira não assinou, então nada mudou.',
  otherChain: 'Sua carteira não conseguiu mudar para a rede certa, então nada mudou.',
  notYours: 'Esta não é a carteira que pagou. Nada mudou.',
  beingCollected: (minutes) =>
    `A pessoa para quem ele é está prestes a resgatá-lo. Se ela não terminar, você pode cancelar o envio em no máximo ${minutes} minutos.`,
  failed:
    'Não funcionou, e ainda não se sabe se o envio foi cancelado. Veja o pagamento e tente de novo se ele ainda estiver pendente.',
  over: 'Não é mais possível cancelar o envio.',
  toLetter: 'Ver o pagamento',
};
