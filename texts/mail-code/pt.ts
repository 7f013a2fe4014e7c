import type { MailCodeTexts } from './en.ts';

export const mailCodePt: MailCodeTexts = {
  collect: {
    subject: 'Seu código do pennypost',
    lead: (to) =>
      `Alguém quer resgatar o dinheiro que é enviado para ${to}. Se você quiser, abra esta página em qualquer navegador. Lá você escolhe para onde ele vai:`,
    button: 'Resgatar o dinheiro',
    typeCode: 'Ou digite este código na página em que você o pediu:',
    confirms: 'Com este código você confirma para onde vai o dinheiro:',
    otherwise: (minutes) =>
      `Se não é aí que você quer, não use o código. Ele vale por ${minutes} minutos, na janela em que você o pediu.`,
    ignore:
      'Ninguém jamais vai pedir este código, nem por telefone nem em um chat. Se não quiser o dinheiro, ignore este e-mail: sem o link ou o código nada acontece.',
  },
  signIn: {
    subject: 'Seu código para entrar',
    lead: (to) =>
      `Alguém quer acessar o dinheiro guardado para ${to}. Se for você, abra esta página em qualquer navegador:`,
    button: 'Entrar',
    typeCode:
      'Ou digite este código na página em que você o pediu. Ele só mostra o que está guardado e não move nenhum dinheiro:',
    worksFor: (minutes) =>
      `O código vale por ${minutes} minutos, na janela em que você o pediu. Ninguém jamais vai pedi-lo, nem por telefone nem em um chat.`,
    ignore: 'Se não for você, ignore este e-mail: sem o link ou o código nada acontece.',
  },
  linkWorksFor: (minutes) =>
    `O link vale por ${minutes} minutos, não importa quem pediu este e-mail. Não repasse a ninguém.`,
  goesBack: 'de volta para quem enviou, porque você não quer',
  staysHere: 'fica aqui para você',
  onNetwork: (address, place) => `${address} (na ${place})`,
  operatedBy: (baseUrl, operator) => `O pennypost em ${baseUrl} é operado por ${operator}.`,
  help: (url) => `Ajuda: ${url}`,
};
