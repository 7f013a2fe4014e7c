import { AT_ONCE_DOLLARS, KNOWN_AFTER_HOURS, type purseEn } from './en.ts';

const plurals = new Intl.PluralRules('pt-BR');
const is = (count: number, one: string, others: string): string => (plurals.select(count) === 'one' ? one : others);

export const pursePt: typeof purseEn = {
  title: 'Seu dinheiro',
  of: (name) => `Guardado para ${name}`,
  ofChat: 'O dinheiro deste chat',
  unknown: 'Uma parte não aparece agora. Recarregue esta página em um minuto.',
  waits: (sum) => `Mais ${sum} esperam por você.`,
  collect: 'Resgatar',
  keeper: (operator) =>
    `${operator} guarda para você. Não é uma conta bancária e ninguém faz seguro disso: deixe aqui o que você levaria na carteira do bolso.`,

  signInTitle: 'Ver seu dinheiro',
  signInLead: 'Nada está guardado aqui para este navegador. Entre com o nome para o qual o dinheiro foi enviado:',
  signInOther: 'Entrar com outro nome',
  signInWith: (platform) => `Entrar com ${platform}`,
  signInNew: 'Nunca resgatou nada? Abra o link que enviaram para você e escolha “Keep it here”.',

  looksTitle: 'Você já pode ver',
  looksUntil:
    'Foi guardado em outro lugar antes de você entrar aqui. A partir de {time} você também poderá enviar deste navegador.',
  newcomerTitle: (count) => is(count, 'Outra pessoa entrou', `Outros ${count} entraram`),
  newcomerUntil: 'Já dá para ver, e enviar a partir de {time}. Se não foi você, encerre.',
  endNewcomers: 'Não fui eu: encerrar',

  places: (count) => is(count, 'Aberto em 1 lugar', `Aberto em ${count} lugares`),
  thisBrowser: 'Este navegador',
  otherBrowser: 'Outro navegador',
  account: (platform) => `Sua conta no ${platform}`,
  since: 'desde {time}',
  laterFrom: 'pode enviar a partir de {time}',
  leave: 'Sair aqui',
  leaveLast: 'Só este lugar tem acesso: se sair, você ficaria de fora.',

  sendTitle: 'Enviar para alguém',
  sendPlatform: 'Onde a pessoa tem o nome?',
  sendName: 'O nome dela lá',
  sendNameHint: 'Por exemplo alice, ou alice@example.com para um e-mail.',
  sendAmount: 'Valor em dólares',
  sendNote: 'Mensagem, se quiser',
  sendNext: 'Conferir primeiro',
  reviewTitle: (sum, name) => `Enviar ${sum} para ${name}?`,
  to: 'Para',
  amount: 'Valor',
  fee: 'Taxa',
  total: 'No total',
  note: 'Mensagem',
  confirm: (sum) => `Enviar ${sum}`,
  back: 'Voltar ao seu dinheiro',
  tooLittle: (needed, held) => `Com a taxa são ${needed}, e há ${held}. Nada foi enviado.`,
  sentTitle: (sum, name) => `${sum} para ${name}`,
  sentStates: { going: 'A caminho', sent: 'Enviado', failed: 'Não foi enviado' },
  goingNote: 'Leva alguns segundos. Pode fechar esta página: continua sozinho, e não dá para enviar duas vezes.',
  sentNote: 'Se a pessoa nunca resgatou nada aqui, mande o recibo: ele explica como.',
  openReceipt: 'Abrir o recibo',

  takeOut: 'Sacar para uma carteira ou corretora sua',
  takeOutIntro:
    'Para isso é preciso um endereço. Um aplicativo de carteira ou corretora mostra o seu em “Receber” ou “Depositar”, para USDC. A rede nós vemos sozinhos.',
  takeOutCost: 'Não custa nada para você: nós pagamos.',
  takeOutWait: `Para um endereço novo aqui saem na hora até ${AT_ONCE_DOLLARS} por dia. Mais do que isso sai depois de ${KNOWN_AFTER_HOURS} horas; nesse tempo aparece nos seus outros lugares, e você pode cancelar. Depois o endereço é conhecido, e qualquer valor sai na hora.`,
  noAddress: 'Isso não é um endereço de carteira ou corretora. Copie de lá, em “Receber” ou “Depositar”.',

  statement: 'O que entrou e saiu',
  statementEmpty: 'Ainda nada.',
  statementFile: 'Salvar como tabela (CSV)',
  kinds: { received: 'Recebido', sent: 'Enviado', out: 'Sacado' },
  feeOf: (sum) => `taxa ${sum}`,
  reference: (reference) => `Nº ${reference}`,
};
