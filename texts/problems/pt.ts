import type { ProblemTexts } from './en.ts';

export const problemsPt: ProblemTexts = {
  title: 'Não funcionou',
  missingTitle: 'Não há nada aqui',
  missing: 'Não há nada neste endereço.',
  returnToSender: 'Devolvido ao remetente',
  error: (status) => `Erro ${status}`,
  copiedCompletely:
    'O link foi copiado inteiro? O endereço de um recibo termina em 22 caracteres, e ele existe assim que o pagamento é feito.',
  toStartPage: 'Ir para a página inicial',
  nameThis: (id) => `Se pedir ajuda, informe isto: ${id}`,

  addresses: {
    not_an_address:
      'Isto não é um endereço. Na Base é 0x e 40 números ou letras de a a f; na Solana, de 32 a 44 letras e números.',
    wrong_checksum: 'Este endereço tem um erro de digitação: as maiúsculas e minúsculas não batem. Copie-o de novo.',
    ours: 'Este endereço é deste serviço. Informe um seu.',
    nobody: 'Este endereço não é de ninguém: o dinheiro enviado para lá se perderia.',
    system: 'Este endereço é parte da própria rede, não de uma pessoa: o dinheiro enviado para lá se perderia.',
    token: 'Este é o endereço de um token, não de uma pessoa.',
    token_account: 'Isto é uma conta de tokens. Informe o endereço da carteira dona dela.',
    special_account: 'Esta conta é para staking ou para assinar depois. Informe o endereço da própria carteira.',
    program: 'Este endereço é de um programa, não da carteira de uma pessoa.',
    foreign_account: 'A conta de USDC desta carteira agora é de outra pessoa, que receberia o dinheiro.',
    blacklisted: 'O emissor do USDC bloqueou este endereço, então USDC não pode chegar lá.',
  },
  notThisForm: 'Este formulário não foi preenchido na nossa página.',
  noAddress: 'Escreva o endereço para onde o dinheiro deve ir.',
  otherNetwork: 'Este endereço é de uma rede que não é oferecida aqui. Junto ao campo está quais são.',
  noName: (example) => `Esse nome não pode existir lá. Ele é parecido com isto: ${example}`,
  notKept: 'Para este nome nada é guardado aqui: informe um endereço seu.',
  mailNotSent: 'Não foi possível enviar o e-mail. Tente de novo daqui a pouco.',
  mailsUsedUp: (minutes) =>
    `Foram pedidos e-mails demais. Abra o link do último e veja também no spam. Você pode pedir outro em ${minutes === 1 ? 'um minuto' : `${minutes} minutos`}.`,
  claimOver: 'O tempo acabou. Comece de novo.',
  doneAlready: 'Isto já está feito. Recarregue a página.',
  noAnswer: 'O outro lado não respondeu. Nada mudou; tente de novo daqui a pouco.',
  tooFast: 'Rápido demais. Espere um momento e tente de novo.',
  declined: 'Isso não pode ser feito por este serviço. O suporte dele pode dizer mais.',
  ourSide: 'Algo deu errado do nosso lado. Nada foi movido.',
  closing: 'Este serviço está encerrando e não aceita mais pagamentos.',
  other: 'Não funcionou. Nada foi movido; comece de novo.',
};
