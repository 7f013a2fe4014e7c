import { HOLDER_WAIT_HOURS, SMALL_TIP } from '../rules/rules.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { accountEn } from './en.ts';
import { claimPagesPt } from '../claim-pages/pt.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('pt');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const days = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const STATES: Record<WireStatus, string> = {
  queued: 'a caminho',
  pending_claim: 'esperando o resgate',
  paid: 'recebida',
  held: 'retida por enquanto',
  refunded: 'devolvida',
};

export const accountPt: typeof accountEn = {
  historyTitle: () => line`As últimas gorjetas que você enviou:`,
  historyLine: ({ number, sentAt, amount, recipient, status }) =>
    line`${String(number)}. ${usdc(amount)} para ${strong(named(recipient))}, ${STATES[status]} (${days.format(sentAt)})`,
  historyReceipt: (number, recipient) => `${String(number)}. ${named(recipient)}`,
  historyCsv: () => 'Todas em um arquivo CSV',
  noHistory: () => line`Você ainda não enviou nenhuma gorjeta.`,

  askLanguage: () => line`Em que idioma eu falo com você?`,
  asMyApp: () => 'O do meu aplicativo',
  speaksNow: (language) => line`De agora em diante falo ${strong(language)} com você.`,
  speaksAsApp: () => line`De agora em diante falo o idioma do seu aplicativo, se eu souber.`,
  noSuchLanguage: () => line`Esse eu não falo. Escolha um destes:`,

  waitsForYou: (total) =>
    line`${usdc(total)} estão esperando por você. Guarde aqui e já poderá dar gorjetas, ou envie para um endereço com ${code('/withdraw')}.`,
  nothingWaits: () =>
    line`Não há nada esperando por esta conta. Se avisaram você de uma gorjeta para outro nome seu, resgate por esse nome:`,
  receiveHere: () => 'Deixar as gorjetas chegarem aqui sozinhas',
  keepHere: (total) => `Guardar ${people(total)} USDC aqui`,
  kept: () => line`Pronto. Chega à sua carteira daqui em até um minuto, e as próximas gorjetas chegam sozinhas.`,
  keptNoRoom: () =>
    line`Pronto. Uma parte está esperando: agora não se pode guardar mais aqui para você. Envie ou saque um pouco e ela chega sozinha; se nada mudar, volta para quem enviou.`,
  collectElsewhere: () =>
    line`Abra a página, comprove que o nome é seu e escolha para onde vai o dinheiro. Leva um minuto.`,
  collectWhich: () => line`Com que nome você recebeu a gorjeta? O dinheiro é resgatado por esse nome:`,
  collectAs: (name) => `Resgatar como ${named(name)}`,
  claimRefused: () => line`Não dá para resgatar agora. Digite ${code('/claim')} para olhar de novo.`,
  claimUnreachable: () => line`Não consigo falar com o serviço agora. Nada se perdeu: tente de novo em um minuto.`,

  linkWhich: () => line`Qual nome seu deve pagar na sua carteira daqui? Escreva assim:`,
  linkKeep: (name) =>
    line`Abra a página, comprove que ${strong(named(name))} é seu e escolha ${strong(claimPagesPt.keep)}. Com o que enviarem para ele, você poderá dar gorjetas neste chat.`,
  linkChat: () =>
    line`Abra a página no navegador em que você acessa o seu dinheiro. Lá você o conecta com este chat: cada um pode ver o que o outro tem e enviá-lo ${HOLDER_WAIT_HOURS} horas depois, se nenhuma chave de acesso o protege.`,
  openPage: () => 'Abrir a página',

  smallAreQuiet: () => line`Gorjetas abaixo de ${SMALL_TIP} USDC: uma linha por dia em vez de uma mensagem para cada.`,
  smallAreHeard: () => line`Gorjetas abaixo de ${SMALL_TIP} USDC: uma mensagem para cada.`,
  quietSmall: () => 'Uma linha por dia',
  ringSmall: () => 'Uma mensagem para cada',
  declinedTip: () => line`Pronto. O valor volta para quem enviou.`,
  noteFrom: (giver, amount) => line`${giver} enviou ${usdc(amount)} para você e escreveu:`,
  readsNotes: () => line`Pronto. O que essa pessoa escrever chega junto com as próximas gorjetas.`,

  blockWhom: () => line`Estas pessoas enviaram algo a você ultimamente. Quem você bloquear não é avisado:`,
  giver: (number, name, isBlocked) => line`${String(number)}. ${strong(name)}${isBlocked ? ' (bloqueado)' : ''}`,
  blockGiver: (number) => `Bloquear ${number}`,
  allowGiver: (number) => `Permitir ${number} de novo`,
  nobodyGave: () => line`Ninguém enviou nada a você ainda.`,
  blockedGiver: () =>
    line`Pronto. Nada mais dessa pessoa chega a você, sob nenhum nome que você comprovou aqui. O que espera volta.`,
  allowedGiver: () => line`Pronto. Essa pessoa pode enviar algo a você de novo.`,

  privacy: () => [
    line`Eu sei quais gorjetas você enviou daqui, com os recados, e como você prefere as coisas: seu idioma e sua carteira.`,
    line`Você pode receber tudo em um arquivo ou apagar as gorjetas já concluídas. Depois disso não dou mais notícias delas.`,
    [muted('Carteiras, saques, recibos e os livros de pagamentos ficam: eles dizem de quem é o dinheiro.')],
  ],
  exportJson: () => 'Receber em um arquivo',
  eraseNow: () => 'Apagar minhas gorjetas agora',
  erased: (count) =>
    line`Apagado: ${count === 1 ? '1 gorjeta' : `${String(count)} gorjetas`}. Seu dinheiro e os livros dele não mudaram.`,
  optOut: () => 'Recusar todas as gorjetas para mim',
  optedOut: () =>
    line`Pronto. O que esperava por você volta para quem enviou, e ninguém pode dar gorjetas a esta conta. ${code('/claim')} desfaz isso.`,
  linkLasts: (minutes) => [muted(`O link é só para você e funciona por ${String(minutes)} minutos.`)],
};
