import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { Language } from '../../core/languages.ts';
import { code, strong, type View } from '../../core/view.ts';
import { noticesDe } from './de.ts';
import { noticesEn, type NoticeTexts } from './en.ts';
import { noticesEs } from './es.ts';
import { noticesJa } from './ja.ts';
import { noticesPt } from './pt.ts';

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

const NOTICES: Readonly<Record<Language, NoticeTexts>> = {
  en: noticesEn,
  es: noticesEs,
  de: noticesDe,
  pt: noticesPt,
  ja: noticesJa,
};
// A map, because the tag comes from a row that may be older or newer than this program.
const BY_TAG = new Map<string, NoticeTexts>(Object.entries(NOTICES));
export const noticesIn = (language: string | null): NoticeTexts => BY_TAG.get(language ?? 'en') ?? noticesEn;

/** For one who holds a wallet: what is to leave it, and what to do where the holder did not ask for it. */
export function withdrawalNotice(
  { amount, place, address, at, leavesAtOnce, walletName }: NoticeFacts,
  language: string | null,
): View {
  const { locale, leaves, leavesNow, notYou } = noticesIn(language);
  const facts = {
    sum: strong(`${formatUsdcForPeople(amount)} USDC`),
    place,
    address: code(address),
    time: strong(`${formatTime(at, locale)} UTC`),
    walletName,
  };
  return {
    state: 'ok',
    audience: 'person',
    paragraphs: [leavesAtOnce ? leavesNow(facts) : leaves(facts), notYou()],
    actions: [],
  };
}

/** For one who holds a wallet: another has proved the same name, and what to do where that was a stranger. */
export function addedNotice(
  { at, ...known }: { at: Date; walletName: string | null; isGuarded: boolean },
  language: string | null,
): View {
  const { locale, added, addedNotYou } = noticesIn(language);
  const facts = { time: strong(`${formatTime(at, locale)} UTC`), ...known };
  return {
    state: 'ok',
    audience: 'person',
    paragraphs: [added(facts), addedNotYou()],
    actions: [{ kind: 'command', command: '/wallet' }],
  };
}

/** For one who holds a wallet: one of its passkeys is new, or is to go. */
export function passkeyNotice(
  { at, walletName, change }: { at: Date; walletName: string | null; change: 'added' | 'ends' },
  language: string | null,
): View {
  const { locale, passkeyAdded, passkeyEnds, passkeyNotYou } = BY_TAG.get(language ?? 'en') ?? noticesEn;
  const facts = { time: strong(`${formatTime(at, locale)} UTC`), walletName };
  return {
    state: 'ok',
    audience: 'person',
    paragraphs: [change === 'added' ? passkeyAdded(facts) : passkeyEnds(facts), passkeyNotYou()],
    actions: [{ kind: 'command', command: '/wallet' }],
  };
}

/** For one who holds a wallet, or has decided about a community's: the service ends, and this is still here. */
export function closingNotice(
  { amount, walletName, isTreasury }: { amount: MicroUsdc; walletName: string | null; isTreasury: boolean },
  language: string | null,
): View {
  const { closing, closingTreasury } = noticesIn(language);
  const sum = strong(`${formatUsdcForPeople(amount)} USDC`);
  return {
    state: 'ok',
    audience: 'person',
    paragraphs: [isTreasury ? closingTreasury({ sum }) : closing({ sum, walletName })],
    actions: isTreasury ? [] : [{ kind: 'command', command: '/balance' }],
  };
}

export function formatTime(at: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(at);
}
