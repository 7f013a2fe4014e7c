import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { tipsEn } from './en.ts';
import { TIP_MAX, TIP_MIN } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('pt');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const countPeople = (count: number): string => (count === 1 ? '1 pessoa' : `${count} pessoas`);
const listed = (names: readonly string[], more: number): string =>
  more === 0 ? names.map(named).join(', ') : `${names.map(named).join(', ')} e mais ${more}`;

const RESULTS: Record<WireStatus, string> = {
  queued: 'A caminho',
  pending_claim: 'Esperando o resgate',
  paid: 'Recebido',
  held: 'Retido por enquanto',
  refunded: 'Devolvido',
};

const fromWallet = (name: string | null): string =>
  name === null ? '' : ` com o que você guardou como ${named(name)}`;
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (mais ${people(fee)} USDC de taxa)`);

export const tipsPt: typeof tipsEn = {
  thinking: () => line`Um momento…`,
  askingPrice: () => line`Perguntando o preço…`,
  paying: ({ amount, fee, recipient, walletName }) =>
    line`Pagando ${usdc(amount)} para ${strong(named(recipient))}${withFee(fee)}${fromWallet(walletName)}…`,
  stillPaying: ({ amount, recipient }) =>
    line`Ainda pagando ${usdc(amount)} para ${strong(named(recipient))}. Não há como cobrar duas vezes.`,
  payingLater: ({ amount, recipient }) => [
    line`Pagar ${usdc(amount)} para ${strong(named(recipient))} está demorando mais que o normal.`,
    line`Você pode fechar isto: eu continuo tentando e digo aqui como terminou. Não há como cobrar duas vezes.`,
  ],
  sent: ({ amount, fee, recipient, walletName }) =>
    line`Enviei ${usdc(amount)} para ${strong(named(recipient))}${withFee(fee)}${fromWallet(walletName)}.`,
  tryAgain: () => 'Tentar de novo',
  nothingToSend: (amount) =>
    amount === 0n
      ? line`Ainda não há nada para enviar. ${code('/deposit')} mostra como adicionar dinheiro.`
      : line`Você tem ${usdc(amount)}, e a menor gorjeta é de ${strong(`${TIP_MIN} USDC`)}. ${code('/deposit')} mostra como adicionar dinheiro.`,
  tooMuchAtOnce: (amount) => line`Seriam ${usdc(amount)}, e uma gorjeta é de no máximo ${strong(`${TIP_MAX} USDC`)}.`,
  buttonIsOver: () => line`Esse botão não funciona mais. Digite o comando de novo para ter outro.`,
  somethingWrong: () => line`Algo deu errado do meu lado, e nada foi cobrado. Tente de novo.`,

  selfTip: (name) => line`${strong(named(name))} é você. Envie para outra pessoa:`,
  ownBotTip: () => line`Esse sou eu, e não preciso de gorjetas. Envie para outra pessoa:`,
  botTip: (name) => line`${strong(named(name))} é um bot, e bots não podem resgatar dinheiro. Envie para uma pessoa:`,
  nobodyByName: (name) =>
    line`Não vi ninguém chamado ${strong(name)} neste grupo ultimamente, então nada foi enviado. Responda a uma mensagem da pessoa com ${code('/tip 1')}, ou peça que ela escreva ${code('/help')} aqui primeiro.`,
  namesInGroups: (name, platform) =>
    line`O ${platform} não me diz quem é ${strong(name)}, então nada foi enviado. Em um grupo do ${platform} em que eu também esteja, responda a uma mensagem da pessoa com ${code('/tip 1')}.`,

  people: countPeople,

  askSeveral: ({ count, amount, fee, note, walletName }) => {
    const kept = walletName === null ? '' : ` com o que você guardou como ${named(walletName)}`;
    const question = line`Enviar ${usdc(amount)} no total para ${strong(countPeople(count))}${kept}?`;
    const total = line`Com a taxa de ${people(fee)} USDC são ${usdc(sumUsdc([amount, fee]))}.`;
    return [question, ...(fee === 0n ? [] : [total]), ...(note === null ? [] : [line`Com o recado ${strong(note)}`])];
  },
  part: ({ amount, names, more }) =>
    names.length + more === 1
      ? line`${strong(named(names[0] ?? ''))}: ${people(amount)} USDC`
      : line`${people(amount)} USDC para cada: ${listed(names, more)}`,
  unevenSplit: (extra) => [
    muted(`A divisão não é exata, então as primeiras pessoas recebem ${people(extra)} USDC a mais.`),
  ],
  namedTwice: (names, more) => [muted(`Citados mais de uma vez, contados uma só: ${listed(names, more)}.`)],
  askedFor: (minutes) => [muted(`Nada é enviado antes de você confirmar, em até ${minutes} minutos.`)],
  confirmSeveral: (total) => `Enviar ${people(total)} USDC`,
  cancel: () => 'Cancelar',

  cancelled: () => line`Cancelado. Nada foi cobrado.`,
  cardExpired: (minutes) =>
    line`Você não confirmou em ${String(minutes)} minutos, então nada foi enviado. Digite de novo se ainda quiser:`,
  askAtRate: ({ typed, amount, rate, source }) =>
    line`${people(typed.amount)} ${typed.currency} agora são ${strong(`${people(amount)} USDC`)}: 1 ${typed.currency} vale ${people(rate)} USDC${source === null ? '' : ` (${source})`}. Envio assim?`,
  payAtRate: () => 'Enviar por esta cotação',
  rateHolds: (seconds) => [muted(`Nada é enviado antes de você apertar, e a cotação vale por ${seconds} segundos.`)],
  rateIsOver: () => line`Essa cotação não vale mais, então nada foi enviado. Escreva de novo para ter uma nova.`,
  allEach: () => line`Isso só pode ir para uma pessoa. Quer dividir?`,
  oneWasRefused: () => line`Por isso ninguém foi pago. Sem esse nome:`,

  lineResults: ({ status, names, more }) => line`${RESULTS[status]}: ${strong(listed(names, more))}`,
  moreReceipts: (count) => [muted(`Os outros ${count} recibos estão no seu histórico.`)],

  undoWaiting: () => 'Cancelar o que está pendente',
  undoneFor: ({ amount, names, more }) =>
    line`Envio cancelado: ${usdc(amount)} para ${strong(listed(names, more))}. O dinheiro está a caminho da sua carteira.`,
  undoTooLateFor: (names, more) =>
    line`Tarde demais para ${strong(listed(names, more))}: já têm o dinheiro ou começaram a recebê-lo.`,

  notYourButton: () => line`Só quem pediu pode apertar este botão. Você pode enviar a sua própria gorjeta:`,

  tipped: ({ recipient, total, tips, people }) => {
    const from = people === 1 ? '1 pessoa' : `${String(people)} pessoas`;
    const many = tips > people ? `${from}, em ${String(tips)} gorjetas` : from;
    return line`${strong(named(recipient))} recebeu ${strong(`${formatUsdcForPeople(total)} USDC`)} por isto, de ${many}.`;
  },
  rushTitle: ({ tips, people: count, sum }) =>
    line`${tips === 1 ? '1 gorjeta' : `${String(tips)} gorjetas`} de ${countPeople(count)}, ${usdc(sum)} no total:`,
  rushLine: (giver, recipient, amount) => line`${giver} → ${named(recipient)} · ${people(amount)} USDC`,
  rushMore: (count) => [muted(`e ${count} antes`)],
  rushCall: (names, more) =>
    line`${strong(listed(names, more))}: enviaram algo para você aqui. Digite ${code('/claim')} para resgatar.`,
  takenBackAll: () => line`O que foi dado por isto foi cancelado.`,
  openReceipt: () => 'Abrir o recibo',
};
