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
  leaving: (sum) => `Deste dinheiro, ${sum} aguardam o saque.`,
  unknown: 'Uma parte não aparece agora. Recarregue esta página em um minuto.',
  waits: (sum) => `Há mais ${sum} esperando por você.`,
  collect: 'Resgatar',
  keeper: (operator) =>
    `${operator} guarda este dinheiro para você. Não é uma conta bancária e não é coberto por nenhum seguro: deixe aqui só o que você levaria no bolso.`,

  signInTitle: 'Ver seu dinheiro',
  signInLead: 'Não há nada guardado aqui para este navegador. Entre com o nome para o qual o dinheiro foi enviado:',
  signInOther: 'Entrar com outro nome',
  signInWith: (platform) => `Entrar com ${platform}`,
  signInNew: 'Nunca resgatou nada? Abra o link que enviaram para você e escolha “Guardar aqui”.',

  looksTitle: 'Por enquanto, você só pode ver',
  looksUntil:
    'Este dinheiro foi guardado em outro navegador ou chat antes de você entrar aqui. A partir de {time} você também poderá enviá-lo deste navegador.',
  looksUntilGuarded: `Este dinheiro foi guardado em outro navegador ou chat antes de você entrar aqui, e uma chave de acesso o protege. Se entrar com ela, você pode enviar na hora. Sem ela, você poderá, a partir de {time}, pedir um saque, que leva mais ${WITHOUT_PASSKEY_HOURS} horas.`,
  unseenTitle: 'Você poderá ver mais tarde',
  unseenUntil:
    'Este nome ficou seis meses sem uso aqui, então ele pode ter um novo dono. Por isso você poderá ver e enviar o que está guardado para ele a partir de {time}. Até lá, quem guardou antes pode encerrar este acesso.',
  newcomerTitle: (count) => is(count, 'Outra pessoa entrou', `Outras ${count} pessoas entraram`),
  newcomerUntil:
    'A partir de {time} será possível enviar este dinheiro por esse acesso. Se não foi você, encerre o acesso.',
  newcomerUntilGuarded: `A partir de {time} será possível pedir um saque por esse acesso; sem a chave de acesso, ele leva mais ${WITHOUT_PASSKEY_HOURS} horas. Se não foi você, encerre o acesso.`,
  endNewcomers: 'Não fui eu: encerrar acesso',

  lockedTitle: 'O envio está bloqueado',
  lockedNote: `Não dá para enviar nada daqui até você desbloquear. Isso leva ${UNLOCK_HOURS} horas, para que ninguém mais desbloqueie sem você perceber.`,
  unlock: 'Desbloquear',
  lockedUntil: 'Dá para enviar de novo a partir de {time}.',

  passkeyOffer: 'Proteger com uma chave de acesso',
  passkeyOfferNote: `Para o dinheiro sair, você terá de confirmar com a impressão digital, o rosto ou o bloqueio de tela. Os chats não poderão mais enviar daqui. Sem a chave, você ainda poderá sacar, mas o saque levará ${WITHOUT_PASSKEY_HOURS} horas.`,
  addPasskey: 'Adicionar uma chave de acesso',
  passkeys: (count) => is(count, '1 chave de acesso', `${count} chaves de acesso`),
  passkeyMore: `Uma nova chave só passa a valer depois de ${WITHOUT_PASSKEY_HOURS} horas, porque é adicionada sem usar a primeira.`,
  passkeySince: 'Adicionada em {time}',
  passkeyFrom: 'vale a partir de {time}',
  passkeyUntil: 'vale até {time}',
  passkeyWaitTitle: 'Uma chave de acesso foi adicionada',
  passkeyWaitNote:
    'A partir de {time} ela será usada para enviar e sacar este dinheiro. Se não foi você, cancele a adição.',
  passkeyEndTitle: 'Uma chave de acesso será removida',
  passkeyEndNote: 'A partir de {time} ela deixa de valer. Se não foi você, cancele a remoção.',
  stopPasskey: 'Não fui eu: cancelar',
  endPasskey: 'Remover',
  endWithout: `Remover sem usá-la, em ${WITHOUT_PASSKEY_HOURS} horas`,
  passkeyFailed: 'Não deu certo, e nada foi alterado nem enviado. Tente de novo, aqui ou no aparelho que tem a chave.',
  passkeyMany: 'Você já tem o máximo de chaves de acesso. Remova uma antes.',
  passkeyAsked: 'A seguir, seu aparelho vai pedir a chave de acesso.',
  passkeyNeeded: `Para enviar este dinheiro é preciso usar a chave de acesso. Envie do aparelho que tem a chave. Sem ela você pode sacar, mas o saque leva ${WITHOUT_PASSKEY_HOURS} horas.`,
  withoutPasskey: 'Sem a chave de acesso, o dinheiro só sai a partir de {time}.',
  sendWithout: 'Continuar sem a chave de acesso',
  signInPasskey: 'Entrar com uma chave de acesso',

  outTitle: 'Continue no seu navegador',
  outNote:
    'Você está dentro de outro aplicativo, onde não dá para adicionar uma chave de acesso. No navegador do seu celular, sua impressão digital, seu rosto ou o bloqueio de tela podem proteger este dinheiro.',
  outAsk: 'Gerar o link',
  outLink: (minutes) =>
    `Com este link você entra lá e sai daqui. Ele funciona uma única vez, nos próximos ${minutes} minutos.`,
  outOpen: 'Abrir meu navegador',
  outOrPaste: 'Ou copie o link e cole no seu navegador:',
  outPaste: 'Copie o link e cole no seu navegador:',
  outCopy: 'Copiar o link',
  outOver: 'Se o tempo acabar, seu dinheiro continua seguro e você pode gerar outro link aqui.',
  outKey: 'Este link é uma chave do seu dinheiro',
  outSecret: 'Não passe para ninguém: quem o abrir poderá enviar este dinheiro.',
  movedTitle: 'Seu dinheiro neste navegador',
  movedOnly:
    'Continue só se foi você que acabou de gerar este link. Nunca continue com um link que outra pessoa enviou para você.',
  movedHere: 'Continuar aqui',
  movedScript: 'Este link precisa de JavaScript, que este navegador não executa.',
  movedOver:
    'Este link não vale mais, ou falta uma parte dele. Gere outro onde você vê seu dinheiro agora. Nada mudou.',

  linkTitle: (account) => `Conectar ${account}`,
  linkOnly:
    'Faça isso só se você acabou de abrir o link no seu próprio chat. Nunca faça isso com um link que outra pessoa enviou para você.',
  linkHere: (account) => `Ver aqui o dinheiro de ${account}`,
  linkHereNote: (isGuarded) =>
    `Neste navegador você pode ver o dinheiro na hora e enviá-lo ${HOLDER_WAIT_HOURS} horas depois.${isGuarded ? ` Se uma chave de acesso o protege, só dá para enviar com ela; sem ela, o saque leva mais ${WITHOUT_PASSKEY_HOURS} horas.` : ''}`,
  linkThere: (name, account) => `Deixar ${account} usar: ${name}`,
  linkThereNote: (isGuarded) =>
    isGuarded
      ? `A conta pode ver o dinheiro na hora. Uma chave de acesso o protege, por isso a conta não pode enviá-lo: ${HOLDER_WAIT_HOURS} horas depois ela pode pedir um saque, que leva mais ${WITHOUT_PASSKEY_HOURS} horas. Seus outros navegadores e chats são avisados.`
      : `A conta pode ver o dinheiro na hora e enviá-lo ${HOLDER_WAIT_HOURS} horas depois. Seus outros navegadores e chats são avisados.`,
  linkOther: 'O dinheiro guardado para outro nome aparece aqui depois que você entrar com ele neste navegador.',
  linkOver: 'Este link não vale mais. Peça outro no chat: /link',

  places: (count) => `Sessões ativas: ${count}`,
  thisBrowser: 'Este navegador',
  otherBrowser: 'Outro navegador',
  account: (platform) => `Sua conta no ${platform}`,
  since: 'desde {time}',
  laterFrom: 'pode enviar a partir de {time}',
  laterFromGuarded: 'pode pedir um saque a partir de {time}',
  leave: 'Sair aqui',
  signOut: 'Sair',
  signOutTitle: 'Sair neste navegador?',
  signOutNote: 'O que está guardado aqui para você fica onde está. Para entrar de novo, use o mesmo nome.',
  signOutLast: (hours, isSeen, isGuarded) =>
    isGuarded
      ? `Agora não dá para enviar de nenhum outro lugar. Com a sua chave de acesso você entra de novo e pode enviar na hora. Se entrar só com o nome, ${isSeen ? 'você vê tudo na hora, mas só pode pedir um saque' : 'você só pode ver tudo e pedir um saque'} ${hours} horas depois, e ele leva mais ${WITHOUT_PASSKEY_HOURS} horas.`
      : `Agora não dá para enviar de nenhum outro lugar. Se entrar de novo só com o nome, ${isSeen ? 'você vê tudo na hora, mas só pode enviar' : 'você só pode ver tudo e enviar'} ${hours} horas depois.`,
  signOutHanded:
    'Outro acesso está em espera e poderá enviar a partir de {time}. Se você sair aqui antes disso, só ele poderá enviar. Se não for seu, toque primeiro em “Não fui eu: encerrar acesso”, junto do seu dinheiro; se for, saia depois desse horário.',
  signOutCallsOff: (sum) =>
    `O saque de ${sum} que você pediu neste navegador ainda não saiu. Ele será cancelado, e o dinheiro fica aqui.`,
  signOutPlay: 'O dinheiro de teste deste chat se perde.',
  leaveLast:
    'Agora não dá para enviar de nenhum outro lugar: o dinheiro fica aqui até você sair por completo neste navegador.',

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
  total: 'Total',
  note: 'Mensagem',
  confirm: (sum) => `Enviar ${sum}`,
  back: 'Voltar ao seu dinheiro',
  tooLittle: (needed, held) => `Com a taxa são ${needed}, mas só há ${held}. Nada foi enviado.`,
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
    `O dinheiro vai para a sua carteira ou para a sua conta em uma corretora, e é preciso o endereço de lá. O aplicativo da carteira ou a corretora mostra o seu em “Receber” ou “Depositar”, para USDC na rede ${places}. Escolha lá a mesma rede: em outra, o dinheiro pode se perder.`,
  takeOutCost: 'Não custa nada para você: nós pagamos.',
  takeOutWait: (isGuarded) =>
    `Para o primeiro endereço que você usar em uma rede, até ${AT_ONCE_DOLLARS} por dia saem na hora. O que passar disso, ou o que for para outro endereço novo, sai depois de ${KNOWN_AFTER_HOURS} horas, ou de até ${WITHDRAWAL_WAIT_MAX_HOURS} se não conseguirmos avisar você em outro chat ou por e-mail; até lá o saque aparece em todos os outros lugares em que você entrou, e você pode cancelar. Depois disso, qualquer valor para esse endereço sai na hora.${isGuarded ? ` Tudo isso vale com a chave de acesso: sem ela, qualquer valor leva ${WITHOUT_PASSKEY_HOURS} horas, para qualquer endereço.` : ''}`,
  noAddress: 'Isso não é um endereço de carteira ou corretora. Copie de lá, em “Receber” ou “Depositar”.',

  statement: 'Extrato',
  statementAll: 'Extrato completo',
  statementNewest: (count) => `Estes são os ${count} mais recentes. A tabela tem mais.`,
  statementEmpty: 'Ainda não há movimentações na lista.',
  statementPutIn: 'O que foi adicionado de fora aparece aqui a partir de {time}.',
  statementValues: (currency) =>
    `Valores em ${currency}: quanto a quantia valia no dia (UTC), quando a cotação desse dia é conhecida.`,
  statementFile: 'Salvar como tabela (CSV)',
  kinds: { received: 'Recebido', deposited: 'Adicionado', returned: 'Devolvido', sent: 'Enviado', out: 'Sacado' },
  feeOf: (sum) => `taxa ${sum}`,
  reference: (reference) => `Nº ${reference}`,
};
