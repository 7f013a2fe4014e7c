import type { ClaimMethod } from '../../core/platforms/row.ts';
import { AT_ONCE_DOLLARS, WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS } from '../rules/rules.ts';
import type { ClaimPageTexts } from './en.ts';
import type { GoesBackIf } from '../going-back/en.ts';
import { goingBackPt } from '../going-back/pt.ts';

const goesBack = (condition: GoesBackIf, on: string): string =>
  goingBackPt.sentence({ if: condition, to: 'sender', on });

const yours = (method: ClaimMethod, title: string): string => {
  if (method === 'email') return 'o seu e-mail';
  return method === 'domain' ? 'o seu site' : `o seu nome no ${title}`;
};

export const claimPagesPt: ClaimPageTexts = {
  problem: (title) => `Problema: ${title}`,
  collect: 'Resgatar',
  description: 'Resgate o dinheiro que enviaram para o seu nome. Não custa nada.',
  collectFor: (person) => `Resgatar o dinheiro para ${person}`,
  collectYours: (method, title) => `Resgatar o dinheiro para ${yours(method, title)}`,
  startAgain: 'Começar de novo',
  next: 'Continuar',
  and: ' e ',

  nameHeading: (method, title) => `Dinheiro para ${yours(method, title)}`,
  nameLabel: (method, title) => {
    if (method === 'email') return 'Seu e-mail';
    return method === 'domain' ? 'Seu site' : `Seu nome no ${title}`;
  },
  mayWait: 'Pode haver dinheiro esperando por você.',
  sentBy: (sender, to) => `Enviado por ${sender} para ${to}.`,

  promise: 'Não custa nada. Nunca pedimos cartão, senha nem frase secreta.',
  goesBackOn: (day) => goingBackPt.sentence({ if: 'you_do_nothing', to: null, on: day }),
  moneyFor: (person) => `Dinheiro para ${person}`,
  sameForAll: (person) =>
    `Pode haver dinheiro esperando por ${person}. Só fica sabendo quem comprova ser ${person}; pela privacidade de todos, esta página é igual para qualquer nome.`,
  stateOfReceipt: (receipt) => `Essa é a situação do dinheiro no ${receipt}. Pode haver mais esperando.`,
  receiptYouCameFrom: 'recibo de onde você veio',
  notCollected: (duration) => `Ele espera ${duration}; o que ninguém resgatar volta.`,
  notOffered: 'Aqui não é possível resgatar dinheiro para nomes como este.',
  notOfferedNote: 'Nada se perde: o que ninguém resgata volta para quem enviou.',
  whereTo: 'Para onde deve ir?',
  keep: 'Guardar aqui',
  keepHint: (operator) =>
    `${operator} guarda para você, sem prazo para acabar. Está em USDC, um dólar digital. Você pode sacar quando quiser, para um aplicativo seu ou para a sua conta em uma corretora que aceite esse dólar. Sacar é grátis: até ${AT_ONCE_DOLLARS} por dia podem sair na hora e, acima disso, pode levar de ${WITHDRAWAL_WAIT_HOURS} a ${WITHDRAWAL_WAIT_MAX_HOURS} horas, para sua segurança. Não é uma conta bancária e não é coberto por nenhum seguro.`,
  keepHintPlay: (operator) =>
    `${operator} guarda para você, sem prazo para acabar. Está em USDC, um dólar digital. Você pode enviar a outra pessoa ou sacar quando quiser, para um aplicativo seu ou para a sua conta em uma corretora que aceite esse dólar. Sacar é grátis: até ${AT_ONCE_DOLLARS} por dia podem sair na hora e, acima disso, pode levar de ${WITHDRAWAL_WAIT_HOURS} a ${WITHDRAWAL_WAIT_MAX_HOURS} horas, para sua segurança. Não é uma conta bancária e não é coberto por nenhum seguro.`,
  keepMost: (most) => `Guardamos no máximo ${most} por pessoa.`,
  haveAddress: 'Enviar para meu app ou corretora',
  yourAddress: 'Seu endereço lá',
  addressHint: (places) => `De uma carteira ou corretora que aceite USDC na ${places}.`,
  whichNetwork: 'Rede',
  sendThere: 'Enviar para lá',
  copyAddress: 'O que vai para lá não pode ser recuperado: copie o endereço em vez de digitar.',
  wallet: {
    use: 'Usar {wallet}',
    asks: 'Sua carteira está pedindo a confirmação.',
    refused: 'Sua carteira não informou um endereço. Cole-o aqui.',
    filled: 'Este é o endereço da sua carteira.',
  },
  dontWant: 'Não quero',
  howToProve: {
    oauth: ({ title }) =>
      `Depois você entra na própria página do ${title}, para que mais ninguém possa pegar. Só o ${title} vê o que você digita lá.`,
    siwf: () => 'Depois você confirma no app do Farcaster, para que mais ninguém possa pegar.',
    email: ({ person }) => `Depois enviamos um código para ${person}, para que mais ninguém possa pegar.`,
    domain: ({ person }) => `Depois você publica uma linha em ${person}, para que mais ninguém possa pegar.`,
    chat: ({ title }) => `Isto é resgatado no próprio ${title}, onde nosso bot vê que é você.`,
  },
  mailProves: 'O link do e-mail mostra que é você: a seguir você vê o valor e confirma.',

  step: (step, of) => `Passo ${step} de ${of}`,
  sumFrom: (sum, sender) => `${sum} de ${sender}`,
  showYou: (person) => `Mostre que você é ${person}`,
  showName: 'Mostre que o nome é seu.',
  willStay: 'Depois, o seu dinheiro fica guardado aqui para você.',
  willGoBack: 'Depois, o dinheiro volta para quem enviou.',
  willGoTo: (addresses) => `Depois, o seu dinheiro vai para ${addresses}.`,
  timeUntil: (time) => `Você pode concluir isto até: ${time}. Depois disso, é só começar de novo.`,
  waitingForProof: 'Estamos esperando sua confirmação',
  loadAgain: 'Recarregue esta página daqui a pouco ou comece de novo.',
  signInWith: (title) => `Entrar com ${title}`,
  signInAs: (person) =>
    `Entre como ${person}. Você volta para cá automaticamente. Só vemos o seu nome e não podemos fazer nada na sua conta.`,

  typeCode: 'Digite o código do e-mail',
  codeOver: 'Esse código não vale mais',
  openMail: 'Abra o link do e-mail',
  codeWentTo: (digits, minutes, address) =>
    `Ele tem ${digits} dígitos, vale por ${minutes} minutos e foi para ${address}.`,
  askForAnother: (address) => `Peça outro; ele vai para ${address}.`,
  goesTo: (address) => `Foi para ${address}.`,
  triesLeft: (count) => (count === 1 ? 'Resta uma tentativa.' : `Restam ${count} tentativas.`),
  mailWasSent: (time, minutes) =>
    `Enviamos um e-mail: ${time}. O link vale por ${minutes} minutos em qualquer navegador e pergunta para onde vai o dinheiro. Veja também no spam.`,
  orOpenLink: (minutes) =>
    `Ou abra o link do e-mail: vale por ${minutes} minutos em qualquer navegador e pergunta para onde vai o dinheiro.`,
  localMail: (link) => `Neste computador todos os e-mails estão ${link}.`,
  localMailbox: 'nesta caixa de entrada',
  code: 'Código',
  anotherCode: 'Enviar outro código',

  farcaster: 'Confirme no app do Farcaster',
  farcasterAs: (person) =>
    `Abra-o no celular que tem a sua conta e entre como ${person}. Nada é publicado e nada é pago.`,
  openFarcaster: 'Abrir o Farcaster',
  otherDevice: 'O app está em outro aparelho? Aponte a câmera dele para cá ou abra este link lá:',
  farcasterQr: 'Um código que abre o Farcaster no seu celular',
  goesOn: 'Esta página continua sozinha assim que você confirmar.',
  saidYes: 'Já confirmei',

  siteIsYours: (site) => `Mostre que ${site} é seu`,
  publish: 'Publique esta linha e aperte o botão:',
  onePlace: 'Basta um destes dois lugares:',
  dnsRecord: 'Um registro DNS do tipo TXT com o nome',
  textFile: 'Um arquivo de texto em',
  localSite: (link) => `Neste computador você publica para qualquer site ${link}.`,
  localOne: 'neste site local',
  checkNow: 'Verificar agora',
  dnsTakesTime: 'Uma mudança de DNS pode levar alguns minutos para aparecer. Verifique quantas vezes quiser.',
  copy: 'Copiar',
  copied: { link: 'Link copiado', line: 'Linha copiada', name: 'Nome copiado', address: 'Endereço copiado' },

  youAre: (person) => `Você é ${person}`,
  lastLook: 'Uma última conferida antes de mover o dinheiro.',
  laterStays: 'Tudo o que enviarem para você de agora em diante passa a ser seu e fica aqui.',
  laterGoes: 'Tudo o que enviarem para você de agora em diante vai para:',
  goesBack: (sum) => `${sum} voltam para quem enviou.`,
  staysHere: (sum) => `${sum} passam a ser seus e ficam aqui.`,
  goesHere: (sum) => `${sum} vão para:`,
  onNetwork: (address, place) => `${address} na ${place}`,
  nothingWaits: 'No momento não há nada para você resgatar.',
  nothingWaitsNote: 'Talvez já tenha sido resgatado ou tenha voltado para quem enviou.',
  otherAddress: 'Se foi enviado para outro endereço seu, comece de novo com ele.',
  cameInOn: (sum, place) => `Desse valor, ${sum} chegou pela ${place}.`,
  broughtOver:
    'Vai para o mesmo endereço assim que pudermos transferir, e até lá espera aqui. Quer já? Comece de novo e guarde aqui, ou informe um endereço lá.',
  confirmKeep: (sum) => `Guardar ${sum} aqui`,
  confirmSend: (sum) => `Enviar ${sum} para lá`,
  neverAgain: 'Nunca mais: ninguém deve poder enviar dinheiro para este nome aqui.',
  sendBack: 'Devolver',
  notRight: 'Não está certo? Comece de novo',

  collectedBy: (person) => `Resgatado por ${person}`,
  follows: 'Acompanha o dinheiro até chegar.',
  waitsForAddress: 'Aguardando um endereço',
  isYours: 'É seu',
  onItsWay: 'A caminho de você',
  allSet: 'Tudo pronto',
  yoursAndWaits: 'É seu e espera um endereço que possa receber',
  waitsForRoom: 'Aguardando espaço',
  yoursNoRoom: 'É seu e está esperando: não podemos guardar mais para você agora',
  yoursAndStays: 'É seu e fica aqui para você',
  arrived: 'Chegou',
  wentBack: 'Foi devolvido',
  goingBack: 'Está sendo devolvido',
  wentBackNote: (sum) =>
    `Nenhum endereço seu pôde receber ${sum} a tempo, então o dinheiro volta para quem enviou. Peça que envie de novo e guarde aqui.`,
  partWentBack: (sum) => `Mais ${sum} voltam para quem enviou: nenhum endereço seu pôde receber a tempo.`,
  takenBack: (sum) => `${sum} voltam para quem enviou: a pessoa cancelou o envio, ou você não quis.`,
  newAddressFrom: (time) =>
    `Antes havia outro endereço aqui. Para sua segurança, o novo vale a partir deste momento: ${time}. Até lá o dinheiro vai para o anterior.`,
  sentAs: (parts, places, day) =>
    `Foi enviado assim: ${parts}, e o seu endereço é da ${places}. Agora não conseguimos transferir, mas faremos isso assim que der. ${goesBack('nothing_changes', day)}`,
  noRoom: (sum, most, day) =>
    `Guardamos aqui no máximo ${most} para você, e mais ${sum} não cabem. Envie ou saque uma parte, e o que couber chega automaticamente; ou informe um endereço seu. ${goesBack('nothing_changes', day)}`,
  noneKept: (sum, day) =>
    `No momento não guardamos mais dinheiro, por isso ${sum} estão esperando. Informe um endereço seu para receber. ${goesBack('nothing_changes', day)}`,
  sumOn: (sum, place) => `${sum} na ${place}`,
  fewSeconds: 'Leva alguns segundos. Você pode fechar esta página.',
  nextArrives: 'O que enviarem para você de agora em diante chega automaticamente.',
  moreArrives: 'O que mais enviarem para você chega automaticamente.',
  progress: 'O caminho do seu dinheiro',
  proven: 'Confirmado',
  waiting: 'Em espera',
  sent: 'A caminho',
  there: 'Recebido',
  returned: 'Devolvido',
  sendOn: 'Enviar para alguém',
  seeMoney: 'Ver seu dinheiro',
  giveAddress: (places) => `Informar um endereço na ${places}`,
  receipts: 'Recibos',
  receiptFor: (sum) => `O recibo de ${sum}`,
  followsPayment: 'Esta página acompanha o pagamento sozinha.',
  reloads: 'Esta página se recarrega sozinha até o dinheiro chegar.',

  timeOver: 'O tempo acabou',
  timeOverNote: 'Nada foi movido nem perdido: o que estiver pendente continua lá.',
  didNotWork: 'Não funcionou',
  stillWaits: 'O que estiver pendente continua lá.',
  nothingMoved: 'Nada foi movido nem perdido.',
  itGoesBack: 'Vai voltar',
  itGoesBackNote: 'O dinheiro volta para quem enviou.',
  returnToSender: 'Devolvido ao remetente',
  wasWaiting: 'O que estava pendente volta sozinho para quem enviou.',
  changedMind: (link) =>
    `Se você escolheu “nunca mais”, de agora em diante ninguém pode enviar dinheiro para este nome aqui. Mudou de ideia? ${link}, e fica aberto de novo.`,
  collectOnce: 'Resgate uma vez',
  startHere: 'Começar aqui',
  otherBrowser: 'Isto foi começado em outro navegador.',
  letUsStart: 'Vamos começar aqui',
  otherBrowserNote:
    'Isto foi começado em outro navegador, e só lá pode continuar; nada se perde se você começar de novo aqui.',
  openLinkAgain: 'Abra de novo o link que você recebeu ou vá para a página inicial.',
  toStartPage: 'Ir para a página inicial',
  linkOver: 'Este link não vale mais ou foi usado em outro navegador.',

  refusals: {
    wrong_state: 'Este login não foi iniciado aqui, ou foi iniciado em outra janela. Inicie de novo.',
    wrong_callback: 'A resposta do login veio incompleta. Inicie de novo.',
    wrong_issuer: 'A resposta do login veio de outro lugar. Inicie de novo.',
    denied_by_user: 'Você não aceitou o login, então nada foi comprovado.',
    replayed: 'Este login já foi usado ou demorou demais. Inicie de novo.',
    expired: 'O tempo para esta comprovação acabou. Comece de novo.',
    wrong_message: 'O que foi assinado não é o que pedimos. Comece de novo.',
    wrong_signature: 'A assinatura não é desta conta.',
    wrong_account: 'Você entrou com outra conta, e não com a da pessoa para quem é o dinheiro.',
    wrong_code: 'Esse não é o código do e-mail.',
    too_many_tries: 'Suas tentativas acabaram. Peça um novo código.',
    not_published: 'O texto ainda não está lá. Uma mudança de DNS pode levar alguns minutos para aparecer.',
  },
  signInAsThen: (person) => `Entre como ${person} e vai funcionar.`,
  noAnswer: 'O serviço não respondeu. Tente de novo daqui a pouco.',
  notProven: 'Não foi possível comprovar. Nada foi movido.',
};
