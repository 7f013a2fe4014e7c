import type { LandingTexts } from './en.ts';

export const landingPt: LandingTexts = {
  title: 'Envie USDC para qualquer pessoa',
  heading: 'Envie dinheiro para qualquer pessoa pelo nome que ela já usa.',
  example: (sum, name) =>
    `Por exemplo, ${sum} para ${name}: você passa um link, a pessoa comprova que o nome é dela, e o dinheiro é dela. O envio é em USDC, um dólar digital.`,
  sendTitle: 'Enviar dinheiro',
  sendFrom:
    'Do que você guarda aqui, para qualquer pessoa que tenha um nome. Primeiro você vê o preço, e pega de volta enquanto ninguém o tiver resgatado.',
  sendOpen: 'Enviar a um nome',
  chatTitle: 'Em um chat',
  chatType: (command) => `Digite ${command} e veja o dinheiro chegar.`,
  chatOpen: 'Abrir o chat',
  collectTitle: 'Alguém enviou dinheiro para você?',
  collectLink: 'Abra o link que você recebeu: é lá que você resgata, sem custo.',
  collectWaits: (duration) => `O dinheiro espera ${duration} e depois volta para quem enviou.`,
  seeMoney: 'Ver seu dinheiro',
  realTitle: 'Isto é de verdade?',
  realProof: 'O dinheiro só vai para quem comprova que o nome é seu. Nunca pedimos cartão, senha nem frase secreta.',
  realReceipt:
    'Cada pagamento tem uma página própria, que o acompanha até o fim. Envie o link dela para a pessoa a quem o dinheiro se destina.',
  apiTitle: 'Para programas',
  apiAsk: (code) => `Pergunte, e a resposta é ${code} com o preço. Experimente, não custa nada:`,
  apiCopy: 'Copiar o comando',
  apiCopied: 'Comando copiado',
  apiDocs: 'Ler a documentação',
  apiSigns: (client, code) =>
    `Um cliente x402, como ${client}, assina o preço e pergunta de novo. O ${code} então indica o recibo.`,
  apiPayers: (file) => `Há pagadores com saldo para testar em ${file}, na pasta de dados.`,
};
