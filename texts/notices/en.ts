import { code, line, type Paragraph, type Span } from '../../core/view.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';

/** What is to leave a wallet. `walletName`: what the wallet is kept for; null for the person's own in this chat. */
export type LeavingFacts = { sum: Span; place: string; address: Span; time: Span; walletName: string | null };

/** Another browser or account that was let into a wallet, and when it may spend from it. `walletName`: null for the own one. */
export type AddedFacts = { time: Span; walletName: string | null };

/** A new address for the money of a community, and from when money can leave for it. */
export type TreasuryFacts = { place: string; address: Span; time: Span };

/** What is still in a wallet of a service that closes. `walletName`: null for the own one. */
export type ClosingFacts = { sum: Span; walletName: string | null };

/** Notices that nobody asked for, to those who hold a wallet. A language is a file like this one with the same shape. */
export type NoticeTexts = {
  locale: string;
  leaves: (facts: LeavingFacts) => Paragraph;
  leavesNow: (facts: LeavingFacts) => Paragraph;
  notYou: () => Paragraph;
  /** `isGuarded`: a passkey counts by then. */
  added: (facts: AddedFacts & { isGuarded: boolean }) => Paragraph;
  addedNotYou: () => Paragraph;
  treasuryAddress: (facts: TreasuryFacts) => Paragraph;
  treasuryNotYou: (stop: Span) => Paragraph;
  passkeyAdded: (facts: AddedFacts) => Paragraph;
  passkeyEnds: (facts: AddedFacts) => Paragraph;
  passkeyNotYou: () => Paragraph;
  closing: (facts: ClosingFacts) => Paragraph;
  closingTreasury: (facts: Pick<ClosingFacts, 'sum'>) => Paragraph;
};

const cancel = code('/withdraw cancel');
const lock = code('/lock');
const wallet = code('/wallet');
const withdraw = code('/withdraw');
const treasury = code('/treasury');

export const noticesEn: NoticeTexts = {
  locale: 'en-GB',
  leaves: ({ sum, place, address, time, walletName }) =>
    line`A withdrawal was asked for: ${sum}${walletName === null ? '' : ` from what you kept as ${nameForPayer(walletName, 'en')}`} will leave on ${time}, on ${place} for ${address}.`,
  leavesNow: ({ sum, place, address, time, walletName }) =>
    line`A withdrawal was asked for: ${sum}${walletName === null ? '' : ` from what you kept as ${nameForPayer(walletName, 'en')}`} will leave at once, on ${place} for ${address}. From ${time} any amount can leave for that address at once.`,
  notYou: () => line`If that was not you, say ${cancel} here before then, and ${lock} to stop all spending.`,
  added: ({ time, walletName, isGuarded }) =>
    isGuarded
      ? line`Someone signed in to ${walletName === null ? 'your wallet here' : `what you kept as ${nameForPayer(walletName, 'en')}`} from another place. From ${time} they can ask for a withdrawal, which without the passkey waits ${WITHOUT_PASSKEY_HOURS} hours more.`
      : line`Someone signed in to ${walletName === null ? 'your wallet here' : `what you kept as ${nameForPayer(walletName, 'en')}`} from another place. They can send or withdraw from ${time}.`,
  addedNotYou: () => line`If that was not you, say ${wallet} here before then, and end it.`,
  treasuryAddress: ({ place, address, time }) =>
    line`A community whose money you have decided about has a new address for it: from ${time} money can leave its treasury for ${address} on ${place}.`,
  treasuryNotYou: (stop) =>
    line`If you did not know of that, ask the others there. Everyone who moderates can stop it before then: say ${stop} in the group.`,
  passkeyAdded: ({ time, walletName }) =>
    line`A passkey was added to ${walletName === null ? 'your wallet here' : `what you kept as ${nameForPayer(walletName, 'en')}`}. From ${time} money leaves with it, and otherwise after ${WITHOUT_PASSKEY_HOURS} hours.`,
  passkeyEnds: ({ time, walletName }) =>
    line`The passkey of ${walletName === null ? 'your wallet here' : `what you kept as ${nameForPayer(walletName, 'en')}`} is to be removed. It counts until ${time}.`,
  passkeyNotYou: () => line`If that was not you, say ${wallet} here and stop it.`,
  closing: ({ sum, walletName }) =>
    line`This service is closing. ${sum} ${walletName === null ? 'of yours are still here' : `that you kept as ${nameForPayer(walletName, 'en')} are still here`}. Please take them out: say ${withdraw} with the amount and an address of yours.`,
  closingTreasury: ({ sum }) =>
    line`This service is closing. A community whose money you have decided about still has ${sum} here. Please take it out there: say ${treasury} in the group.`,
};
