import {
  AT_ONCE_DOLLARS,
  HOLDER_WAIT_HOURS,
  WITHDRAWAL_WAIT_MAX_HOURS,
  WITHOUT_PASSKEY_HOURS,
} from '../rules/rules.ts';
import { KNOWN_AFTER_HOURS, UNLOCK_HOURS, type purseEn } from './en.ts';

const plurals = new Intl.PluralRules('pt-BR');
const is = (count: number, one: string, others: string): string => (plurals.select(count) === 'one' ? one : others);

export const pursePt: typeof purseEn = {
  title: 'Seu dinheiro',
  closing:
    'Este serviço está encerrando e não aceita mais pagamentos. Saque, por favor, o que está guardado aqui para você.',
  of: (name) => `Guardado para ${name}`,
  ofChat: 'O dinheiro deste chat',
  unknown: 'Uma parte não aparece agora. Recarregue esta página em um minuto.',
  waits: (sum) => `Mais ${sum} esperam por você.`,
  collect: 'Resgatar',
  keeper: (operator) =>
    `${operator} guarda para você. Não é uma conta bancária e não é coberto por nenhum seguro: deixe aqui só o que você levaria no bolso.`,

  signInTitle: 'Ver seu dinheiro',
  signInLead: 'Nada está guardado aqui para este navegador. Entre com o nome para o qual o dinheiro foi enviado:',
  signInOther: 'Entrar com outro nome',
  signInWith: (platform) => `Entrar com ${platform}`,
  signInNew: 'Nunca resgatou nada? Abra o link que enviaram para você e escolha “Guardar aqui”.',

  looksTitle: 'Você já pode ver',
  looksUntil:
    'Foi guardado em outro lugar antes de você entrar aqui. A partir de {time} você também poderá enviar deste navegador.',
  looksUntilGuarded: `Foi guardado em outro lugar antes de você entrar aqui, e uma chave de acesso o protege. Se entrar com ela, você pode enviar na hora. Sem ela, poderá sacar a partir de {time}, o que leva mais ${WITHOUT_PASSKEY_HOURS} horas.`,
  unseenTitle: 'Você poderá ver mais tarde',
  unseenUntil:
    'Ninguém usa este nome aqui há meio ano, então ele pode ter um novo dono. Por isso você poderá ver e enviar o que está guardado para ele a partir de {time}. Até lá, quem guardou antes pode encerrar este acesso.',
  newcomerTitle: (count) => is(count, 'Outra pessoa entrou', `Outros ${count} entraram`),
  newcomerUntil: 'De lá será possível enviar a partir de {time}. Se não foi você, encerre.',
  newcomerUntilGuarded: `De lá será possível sacar a partir de {time}, o que sem a chave de acesso leva mais ${WITHOUT_PASSKEY_HOURS} horas. Se não foi você, encerre.`,
  endNewcomers: 'Não fui eu: encerrar',

  lockedTitle: 'O envio está bloqueado',
  lockedNote: `Nada sai daqui até você desbloquear. Isso leva ${UNLOCK_HOURS} horas, para que ninguém de fora faça isso sem ser notado.`,
  unlock: 'Desbloquear',
  lockedUntil: 'Dá para enviar de novo a partir de {time}.',

  passkeyOffer: 'Proteja com uma chave de acesso',
  passkeyOfferNote: `Sua digital, seu rosto ou o bloqueio de tela terá de autorizar antes que o dinheiro saia. Os chats não poderão mais enviar daqui e, sem a chave, você ainda pode sacar, o que então leva ${WITHOUT_PASSKEY_HOURS} horas.`,
  addPasskey: 'Adicionar uma chave de acesso',
  passkeys: (count) => is(count, '1 chave de acesso', `${count} chaves de acesso`),
  passkeyMore: `Mais uma passa a valer depois de ${WITHOUT_PASSKEY_HOURS} horas, porque é adicionada sem a primeira.`,
  passkeySince: 'Adicionada em {time}',
  passkeyFrom: 'vale a partir de {time}',
  passkeyUntil: 'vale até {time}',
  passkeyWaitTitle: 'Uma chave de acesso foi adicionada',
  passkeyWaitNote: 'A partir de {time} o dinheiro sai com ela. Se não foi você, interrompa.',
  passkeyEndTitle: 'Uma chave de acesso será removida',
  passkeyEndNote: 'A partir de {time} ela deixa de valer. Se não foi você, interrompa.',
  stopPasskey: 'Não fui eu: interromper',
  endPasskey: 'Remover',
  endWithout: `Remover sem usá-la, em ${WITHOUT_PASSKEY_HOURS} horas`,
  passkeyFailed: 'Não deu certo, e nada foi alterado nem enviado. Tente de novo, aqui ou onde você tem a chave.',
  passkeyMany: 'Não cabem mais chaves de acesso. Remova uma antes.',
  passkeyAsked: 'Em seguida, seu aparelho pede a chave de acesso.',
  passkeyNeeded: `Este dinheiro sai com a chave de acesso dele. Envie de onde você a tem. Sem ela você pode sacar, o que leva ${WITHOUT_PASSKEY_HOURS} horas.`,
  withoutPasskey: 'Sem a chave de acesso ele só sai a partir de {time}.',
  sendWithout: 'Continuar sem a chave de acesso',
  signInPasskey: 'Entrar com uma chave de acesso',

  outTitle: 'Continue no seu navegador',
  outNote:
    'Você está dentro de outro aplicativo, onde não dá para adicionar uma chave de acesso. No navegador do seu celular, sua digital, seu rosto ou o bloqueio de tela podem proteger este dinheiro.',
  outAsk: 'Gerar o link',
  outLink: (minutes) =>
    `Este link abre seu acesso lá e o encerra aqui. Ele funciona uma única vez, nos próximos ${minutes} minutos.`,
  outOpen: 'Abrir meu navegador',
  outOrPaste: 'Ou copie o link e cole no seu navegador:',
  outPaste: 'Copie o link e cole no seu navegador:',
  outCopy: 'Copiar o link',
  outOver: 'Se o tempo acabar, seu dinheiro continua seguro e você pode gerar outro link aqui.',
  outKey: 'Este link é uma chave do seu dinheiro',
  outSecret: 'Não passe a ninguém: quem abrir pode enviar este dinheiro.',
  movedTitle: 'Seu dinheiro neste navegador',
  movedOnly:
    'Continue só se foi você que acabou de gerar este link. Nunca faça isso por alguém que enviou o link a você.',
  movedHere: 'Continuar aqui',
  movedScript: 'Este link precisa de JavaScript, que este navegador não executa.',
  movedOver:
    'Este link não vale mais, ou falta uma parte dele. Gere outro onde você vê seu dinheiro agora. Nada mudou.',

  linkTitle: (account) => `Conectar ${account}`,
  linkOnly:
    'Faça isso só se você acabou de abrir o link no seu próprio chat. Nunca faça por alguém que enviou o link a você.',
  linkHere: (account) => `Ver aqui o dinheiro de ${account}`,
  linkHereNote: (isGuarded) =>
    `Este navegador pode vê-lo na hora e enviá-lo ${HOLDER_WAIT_HOURS} horas depois.${isGuarded ? ` Se uma chave de acesso o protege, só dá para enviar com ela; sem ela, sacar leva mais ${WITHOUT_PASSKEY_HOURS} horas.` : ''}`,
  linkThere: (name, account) => `Deixar ${account} usar: ${name}`,
  linkThereNote: (isGuarded) =>
    isGuarded
      ? `A conta pode vê-lo na hora. Uma chave de acesso o protege, por isso a conta não pode enviá-lo: ${HOLDER_WAIT_HOURS} horas depois ela pode pedir um saque, que leva mais ${WITHOUT_PASSKEY_HOURS} horas. Seus outros lugares são avisados.`
      : `A conta pode vê-lo na hora e enviá-lo ${HOLDER_WAIT_HOURS} horas depois. Seus outros lugares são avisados.`,
  linkOther: 'O dinheiro guardado para outro nome aparece aqui depois que você entrar com ele neste navegador.',
  linkOver: 'Este link não vale mais. Peça outro no chat: /link',

  places: (count) => `Sessões ativas: ${count}`,
  thisBrowser: 'Este navegador',
  otherBrowser: 'Outro navegador',
  account: (platform) => `Sua conta no ${platform}`,
  since: 'desde {time}',
  laterFrom: 'pode enviar a partir de {time}',
  laterFromGuarded: 'pode sacar a partir de {time}',
  leave: 'Sair aqui',
  signOut: 'Sair',
  signOutTitle: 'Sair neste navegador?',
  signOutNote: 'O que está guardado aqui para você fica onde está. Você entra de novo com o mesmo nome.',
  signOutLast: (hours, isSeen, isGuarded) =>
    isGuarded
      ? `Nenhum outro lugar pode enviar agora. Com a sua chave de acesso você entra de novo e pode enviar na hora. Se entrar só com o nome, ${isSeen ? 'você vê tudo na hora e pode sacar' : 'você só pode ver e sacar'} ${hours} horas depois, o que leva mais ${WITHOUT_PASSKEY_HOURS} horas.`
      : `Nenhum outro lugar pode enviar agora. Se entrar de novo só com o nome, ${isSeen ? 'você vê tudo na hora e pode enviar' : 'você só pode ver e enviar'} ${hours} horas depois.`,
  signOutHanded:
    'Outra pessoa espera para entrar e pode enviar a partir de {time}. Se você sair aqui antes, só ela poderá. Se não for você, toque primeiro em “Não fui eu: encerrar” junto do seu dinheiro; se for, saia depois desse horário.',
  signOutCallsOff: (sum) =>
    `${sum} que você pediu para sacar neste navegador ainda não saíram. Isso será cancelado e fica aqui.`,
  signOutPlay: 'O dinheiro de teste deste chat se perde.',
  leaveLast: 'Nenhum outro lugar pode enviar agora: fica aqui até você sair neste navegador.',

  sendTitle: 'Enviar',
  sendPlatform: 'Em que serviço a pessoa está?',
  sendName: 'O nome dela lá',
  sendNameHint: 'Por exemplo alice, ou alice@example.com para um e-mail.',
  sendAmount: 'Valor em dólares',
  sumOther: 'Outro',
  sumAll: 'Tudo',
  sumMissing: 'Escolha um valor ou digite um.',
  sendNote: 'Mensagem, se quiser',
  sendNext: 'Conferir',
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
  sentStates: { going: 'A caminho', sent: 'Enviado', failed: 'Não foi enviado', undone: 'Cancelado' },
  undoneNote: 'Está voltando para o dinheiro que você guarda aqui.',
  takeBack: 'Cancelar o envio',
  takeBackNote: 'Ninguém resgatou ainda.',
  goingNote: 'Leva alguns segundos. Pode fechar esta página: continua sozinho, e não dá para enviar duas vezes.',
  sentNote: 'Se a pessoa nunca resgatou nada aqui, mande o recibo: ele explica como.',
  openReceipt: 'Abrir o recibo',

  takeOut: 'Sacar',
  takeOutFree: (isGuarded) =>
    isGuarded
      ? `Sacar é grátis. O dinheiro vai para um aplicativo seu ou para a sua conta em uma corretora que aceite USDC. Com a chave de acesso, até ${AT_ONCE_DOLLARS} por dia podem sair na hora; acima disso, pode levar de ${KNOWN_AFTER_HOURS} a ${WITHDRAWAL_WAIT_MAX_HOURS} horas. Sem ela, qualquer valor leva ${WITHOUT_PASSKEY_HOURS} horas.`
      : `Sacar é grátis. O dinheiro vai para um aplicativo seu ou para a sua conta em uma corretora que aceite USDC. Até ${AT_ONCE_DOLLARS} por dia podem sair na hora; acima disso, pode levar de ${KNOWN_AFTER_HOURS} a ${WITHDRAWAL_WAIT_MAX_HOURS} horas.`,
  takeOutIntro: (places) =>
    `Vai para uma carteira ou corretora sua, e é preciso um endereço de lá. Um aplicativo de carteira ou corretora mostra o seu em “Receber” ou “Depositar”, para USDC na rede ${places}. Escolha lá a mesma rede: em outra, o dinheiro pode se perder.`,
  takeOutCost: 'Não custa nada para você: nós pagamos.',
  takeOutWait: (isGuarded) =>
    `Para o primeiro endereço que você usar em uma rede, até ${AT_ONCE_DOLLARS} por dia saem na hora. O que passar disso, ou o que for para outro endereço novo, sai depois de ${KNOWN_AFTER_HOURS} horas, ou de até ${WITHDRAWAL_WAIT_MAX_HOURS} se não conseguirmos avisar você em outro chat ou por e-mail; até lá aparece em todos os lugares em que você entrou, e você pode cancelar. Depois disso, qualquer valor para esse endereço sai na hora.${isGuarded ? ` Tudo isso vale com a chave de acesso: sem ela, qualquer valor leva ${WITHOUT_PASSKEY_HOURS} horas, para qualquer endereço.` : ''}`,
  noAddress: 'Isso não é um endereço de carteira ou corretora. Copie de lá, em “Receber” ou “Depositar”.',

  statement: 'Extrato',
  statementAll: 'Extrato completo',
  statementNewest: (count) => `Estes são os ${count} mais recentes. A tabela tem mais.`,
  statementEmpty: 'Ainda não há movimentações na lista.',
  statementPutIn: 'O que foi adicionado de fora aparece aqui a partir de {time}.',
  statementValues: (currency) =>
    `Valores em ${currency}: quanto a quantia valia no dia (UTC), quando a cotação desse dia é conhecida.`,
  statementFile: 'Salvar como tabela (CSV)',
  kinds: { received: 'Recebido', deposited: 'Adicionado', returned: 'Voltou', sent: 'Enviado', out: 'Sacado' },
  feeOf: (sum) => `taxa ${sum}`,
  reference: (reference) => `Nº ${reference}`,
};
