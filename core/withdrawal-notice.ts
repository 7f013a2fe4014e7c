import { formatUsdcForPeople, type MicroUsdc } from './money.ts';
import type { ReceiptLanguage } from './receipt-texts/languages.ts';
import { code, line, strong, type Paragraph, type Span, type View } from './view.ts';

/** A withdrawal to an address that is not known. */
export type NoticeFacts = {
  amount: MicroUsdc;
  place: string;
  address: string;
  /** When it leaves; of one that leaves at once, when its address is known. */
  at: Date;
  leavesAtOnce: boolean;
  /** What its wallet is kept for; null for the person's own in this chat. */
  walletName: string | null;
};

type Said = { sum: Span; place: string; address: Span; time: Span; walletName: string | null };
type Notice = {
  locale: string;
  leaves: (said: Said) => Paragraph;
  leavesNow: (said: Said) => Paragraph;
  notYou: () => Paragraph;
};

const cancel = code('/withdraw cancel');
const lock = code('/lock');

const NOTICES: Record<ReceiptLanguage, Notice> = {
  en: {
    locale: 'en-GB',
    leaves: ({ sum, place, address, time, walletName }) =>
      line`A withdrawal was asked for: ${sum}${walletName === null ? '' : ` of what you kept as ${walletName}`} leave on ${time}, on ${place} for ${address}.`,
    leavesNow: ({ sum, place, address, time, walletName }) =>
      line`A withdrawal was asked for: ${sum}${walletName === null ? '' : ` of what you kept as ${walletName}`} leave at once, on ${place} for ${address}. From ${time} any amount can leave for that address at once.`,
    notYou: () => line`If that was not you, say ${cancel} here before then, and ${lock} to stop all spending.`,
  },
  de: {
    locale: 'de',
    leaves: ({ sum, place, address, time, walletName }) =>
      line`Eine Auszahlung wurde angefragt: ${sum}${walletName === null ? '' : ` von dem, was du als ${walletName} aufbewahrst,`} gehen am ${time} auf ${place} an ${address}.`,
    leavesNow: ({ sum, place, address, time, walletName }) =>
      line`Eine Auszahlung wurde angefragt: ${sum}${walletName === null ? '' : ` von dem, was du als ${walletName} aufbewahrst,`} gehen sofort auf ${place} an ${address}. Ab ${time} kann jeder Betrag sofort an diese Adresse gehen.`,
    notYou: () => line`Warst das nicht du, schreib hier vorher ${cancel}, und ${lock}, um alle Ausgaben zu sperren.`,
  },
  es: {
    locale: 'es',
    leaves: ({ sum, place, address, time, walletName }) =>
      line`Se ha pedido un retiro: ${sum}${walletName === null ? '' : ` de lo que guardaste como ${walletName}`} salen el ${time} por ${place} hacia ${address}.`,
    leavesNow: ({ sum, place, address, time, walletName }) =>
      line`Se ha pedido un retiro: ${sum}${walletName === null ? '' : ` de lo que guardaste como ${walletName}`} salen en el acto por ${place} hacia ${address}. Desde ${time} cualquier cantidad puede salir a esa dirección en el acto.`,
    notYou: () => line`Si no has sido tú, escribe aquí antes ${cancel}, y ${lock} para bloquear los gastos.`,
  },
  pt: {
    locale: 'pt-BR',
    leaves: ({ sum, place, address, time, walletName }) =>
      line`Um saque foi pedido: ${sum}${walletName === null ? '' : ` do que você guardou como ${walletName}`} saem em ${time} pela rede ${place} para ${address}.`,
    leavesNow: ({ sum, place, address, time, walletName }) =>
      line`Um saque foi pedido: ${sum}${walletName === null ? '' : ` do que você guardou como ${walletName}`} saem na hora pela rede ${place} para ${address}. A partir de ${time} qualquer valor pode sair na hora para esse endereço.`,
    notYou: () => line`Se não foi você, escreva aqui antes disso ${cancel}, e ${lock} para bloquear os gastos.`,
  },
  ja: {
    locale: 'ja',
    leaves: ({ sum, place, address, time, walletName }) =>
      line`出金の依頼がありました：${walletName === null ? '' : `${walletName} 名義の残高から、`}${sum} を ${time} に ${place} で ${address} へ送ります。`,
    leavesNow: ({ sum, place, address, time, walletName }) =>
      line`出金の依頼がありました：${walletName === null ? '' : `${walletName} 名義の残高から、`}${sum} を ${place} で ${address} へすぐに送ります。${time} からは、このアドレスへいくらでもすぐに送れるようになります。`,
    notYou: () => line`心当たりがなければ、それまでにここで ${cancel} と書き、${lock} で支払いを止めてください。`,
  },
};
// A map, because the tag comes from a row that may be older or newer than this program.
const BY_TAG = new Map<string, Notice>(Object.entries(NOTICES));

/** For one who holds a wallet: what is to leave it, and what to do where that was somebody else's wish. */
export function withdrawalNotice(
  { amount, place, address, at, leavesAtOnce, walletName }: NoticeFacts,
  language: string | null,
): View {
  const { locale, leaves, leavesNow, notYou } = BY_TAG.get(language ?? 'en') ?? NOTICES.en;
  const said = {
    sum: strong(`${formatUsdcForPeople(amount)} USDC`),
    place,
    address: code(address),
    time: strong(`${formatTime(at, locale)} UTC`),
    walletName,
  };
  return {
    state: 'ok',
    audience: 'person',
    paragraphs: [leavesAtOnce ? leavesNow(said) : leaves(said), notYou()],
    actions: [],
  };
}

function formatTime(at: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(at);
}
