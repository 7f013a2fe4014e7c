import { code, line, type Paragraph, type Span } from '../../core/view.ts';

/** What is to leave a wallet. `walletName`: what the wallet is kept for; null for the person's own in this chat. */
export type LeavingFacts = { sum: Span; place: string; address: Span; time: Span; walletName: string | null };

/** Another browser or account that was let into a wallet, and when it may spend from it. `walletName`: null for the own one. */
export type AddedFacts = { time: Span; walletName: string | null };

/** Notices that nobody asked for, to those who hold a wallet. A language is a file like this one with the same shape. */
export type NoticeTexts = {
  locale: string;
  leaves: (facts: LeavingFacts) => Paragraph;
  leavesNow: (facts: LeavingFacts) => Paragraph;
  notYou: () => Paragraph;
  added: (facts: AddedFacts) => Paragraph;
  addedNotYou: () => Paragraph;
};

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');

export const noticesEn: NoticeTexts = {
  locale: 'en-GB',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`A withdrawal was asked for: ${sum}${walletName === null ? '' : ` from what you kept as ${walletName}`} will leave on ${time}, on ${place} for ${address}.`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`A withdrawal was asked for: ${sum}${walletName === null ? '' : ` from what you kept as ${walletName}`} will leave at once, on ${place} for ${address}. From ${time} any amount can leave for that address at once.`,
  notYou: () => line`If that was not you, say ${cancel} here before then, and ${lock} to stop all spending.`,
  added: ({ time, walletName }) =>
    line`Somebody signed in to ${walletName === null ? 'your wallet here' : `what you kept as ${walletName}`} from another place. They can look at it now, and send or withdraw from ${time}.`,
  addedNotYou: () => line`If that was not you, say ${wallet} here before then, and end it.`,
};
