import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { WireStatus } from '../../../core/states.ts';
import { line, muted, strong, type Span } from '../../../core/view.ts';
import type { severalEn } from './en-several.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const countPeople = (count: number): string => (count === 1 ? '1 pessoa' : `${count} pessoas`);
const listed = (names: readonly string[], more: number): string =>
  more === 0 ? names.join(', ') : `${names.join(', ')} e mais ${more}`;

const RESULTS: Record<WireStatus, string> = {
  queued: 'A caminho',
  pending_claim: 'Esperando o resgate',
  paid: 'Recebido',
  held: 'Retido por enquanto',
  refunded: 'Devolvido',
};

export const severalPt: typeof severalEn = {
  people: countPeople,

  askSeveral: ({ count, amount, fee, note, walletName }) => {
    const kept = walletName === null ? '' : ` com o que você guardou como ${walletName}`;
    const question = line`Enviar ${usdc(amount)} no total para ${strong(countPeople(count))}${kept}?`;
    const total = line`Com a taxa de ${people(fee)} USDC são ${usdc(sumUsdc([amount, fee]))}.`;
    return [question, ...(fee === 0n ? [] : [total]), ...(note === null ? [] : [line`Com o recado ${strong(note)}`])];
  },
  part: ({ amount, names, more }) =>
    names.length + more === 1
      ? line`${strong(names[0] ?? '')}: ${people(amount)} USDC`
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
  allEach: () => line`Isso só pode ir para uma pessoa. Quer dividir?`,
  oneWasRefused: () => line`Por isso ninguém foi pago. Sem esse nome:`,

  lineResults: ({ status, names, more }) => line`${RESULTS[status]}: ${strong(listed(names, more))}`,
  moreReceipts: (count) => [muted(`Os outros ${count} recibos estão no seu histórico.`)],

  undoWaiting: () => 'Desfazer o que espera',
  undoneFor: ({ amount, names, more }) =>
    line`Desfeito: ${usdc(amount)} para ${strong(listed(names, more))}. O dinheiro está a caminho da sua carteira.`,
  undoTooLateFor: (names, more) =>
    line`Tarde demais para ${strong(listed(names, more))}: já têm o dinheiro ou começaram a recebê-lo.`,

  notYourButton: () => line`Só quem pediu pode apertar este botão. Você pode enviar a sua própria gorjeta:`,
};
